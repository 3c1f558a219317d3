import type { ListEstimate } from '@assay/contract';
import type { Screener } from '@assay/verifier';
import type { Schedule } from '../../../platform/clock.ts';
import type { AttemptParts } from '../../../platform/limits/index.ts';
import { screenSample } from '../../engine/index.ts';
import { estimateInTurn, estimateSampleSize } from '../../uploads/index.ts';
import { countRows } from './classify-rows.ts';
import { readStoredEmails } from './email-file.ts';
import { type EmailUploadParts, findEmailUpload } from './email-uploads.ts';
import { AddressSample } from './sample-addresses.ts';

export interface EstimateParts extends EmailUploadParts, AttemptParts {
  readonly schedule: Schedule;
  /** Looks up addresses of customers' files, and those of the sandbox, which has its own mail world. */
  readonly screeners: { readonly real: Screener; readonly sandbox: Screener };
}

/** Judges a sample of an upload's addresses without asking mail hosts. */
export async function estimateUpload(
  parts: EstimateParts,
  ownerId: string,
  uploadId: string,
): Promise<ListEstimate> {
  const upload = await findEmailUpload(parts, ownerId, uploadId);
  return estimateInTurn(parts, ownerId, () => estimate(parts, upload));
}

async function estimate(
  parts: EstimateParts,
  upload: Awaited<ReturnType<typeof findEmailUpload>>,
): Promise<ListEstimate> {
  const sample = new AddressSample(estimateSampleSize);
  const emails = readStoredEmails({ files: parts.files, key: upload.fileKey }, upload.reading);
  let total = 0;
  for await (const { billable } of countRows(emails, { onNew: sample.offer })) total = billable;
  const screener = upload.isSandbox ? parts.screeners.sandbox : parts.screeners.real;
  const { hosts, traits } = await screenSample(sample.emails, screener, parts.schedule);
  return { total, ...hosts, ...traits };
}
