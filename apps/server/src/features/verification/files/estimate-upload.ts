import type { ListEstimate } from '@assay/contract';
import type { Screener, Screening } from '@assay/verifier';
import type { Schedule } from '../../../platform/clock.ts';
import { type AttemptParts, requireAttempt } from '../../../platform/limits/index.ts';
import { countRows } from './classify-rows.ts';
import { readStoredEmails } from './email-file.ts';
import { type EmailUploadParts, findEmailUpload } from './email-uploads.ts';
import { AddressSample } from './sample-addresses.ts';

export interface EstimateParts extends EmailUploadParts, AttemptParts {
  readonly schedule: Schedule;
  /** Looks up addresses of customers' files, and those of the sandbox, which has its own mail world. */
  readonly screeners: { readonly real: Screener; readonly sandbox: Screener };
}

const sampleSize = 100;
const estimatesPerHour = 30;
/** A customer waits for the estimate in a dialog. */
const patienceMs = 8_000;

/** Judges a sample of an upload's addresses without asking mail hosts. */
export async function estimateUpload(
  parts: EstimateParts,
  ownerId: string,
  uploadId: string,
): Promise<ListEstimate> {
  const upload = await findEmailUpload(parts, ownerId, uploadId);
  await requireAttempt(parts, {
    bucket: 'list_estimate',
    key: ownerId,
    max: estimatesPerHour,
    windowSeconds: 3_600,
  });
  const sample = new AddressSample(sampleSize);
  const emails = readStoredEmails({ files: parts.files, key: upload.fileKey }, upload.reading);
  let total = 0;
  for await (const { billable } of countRows(emails, { onNew: sample.offer })) total = billable;
  const screener = upload.isSandbox ? parts.screeners.sandbox : parts.screeners.real;
  return { total, ...countScreenings(await screenAll(sample.emails, screener, parts.schedule)) };
}

/** Addresses whose lookup takes too long stay without a screening. */
async function screenAll(
  emails: readonly string[],
  screener: Screener,
  schedule: Schedule,
): Promise<(Screening | undefined)[]> {
  const found: (Screening | undefined)[] = emails.map(() => undefined);
  const lookups = emails.map(async (email, index) => {
    found[index] = await screener.screen(email);
  });
  await new Promise<void>((resolve, reject) => {
    const cancel = schedule(resolve, patienceMs);
    Promise.all(lookups)
      .then(() => resolve(), reject)
      .finally(cancel);
  });
  return [...found];
}

function countScreenings(screenings: readonly (Screening | undefined)[]): Omit<ListEstimate, 'total'> {
  const count = (isOne: (screening: Screening) => boolean): number =>
    screenings.filter((screening) => screening !== undefined && isOne(screening)).length;
  const mail_host = count(({ mailHost }) => mailHost === 'found');
  const no_mail_host = count(({ mailHost }) => mailHost === 'none');
  return {
    sampled: screenings.length,
    no_mail_host,
    mail_host,
    not_looked_up: screenings.length - mail_host - no_mail_host,
    disposable: count(({ flags }) => flags.isDisposable),
    role: count(({ flags }) => flags.isRole),
    typo: count(({ meantDomain }) => meantDomain !== undefined),
  };
}
