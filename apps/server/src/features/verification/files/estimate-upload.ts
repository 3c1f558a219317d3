import type { ListEstimate } from '@assay/contract';
import type { Screener } from '@assay/verifier';
import type { Schedule } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { AccountId } from '../../../platform/ids.ts';
import type { AttemptParts } from '../../../platform/limits/index.ts';
import { expectQuestions, screenSample } from '../../engine/index.ts';
import { estimateInTurn, estimateSampleSize, uploadedFile } from '../../uploads/index.ts';
import { sampleEmailsJob } from './email-jobs.ts';
import { type EmailUploadParts, findEmailUpload } from './email-uploads.ts';

export interface EstimateParts extends EmailUploadParts, AttemptParts {
  readonly schedule: Schedule;
  /** Looks up addresses of customers' files, and those of the sandbox, which has its own mail world. */
  readonly screeners: { readonly real: Screener; readonly sandbox: Screener };
}

/** Judges a sample of an upload's addresses without asking mail hosts. */
export async function estimateUpload(
  parts: EstimateParts,
  ownerId: AccountId,
  uploadId: string,
  signal: AbortSignal,
): Promise<ListEstimate> {
  const upload = await findEmailUpload(parts, ownerId, uploadId);
  const file = { ...uploadedFile(parts, ownerId, upload), signal };
  const order = { reading: upload.reading, size: estimateSampleSize };
  return estimateInTurn(
    parts,
    { ownerId, signal },
    {
      read: () => parts.readingPool.read(sampleEmailsJob, file, order).result,
      screen: async ({ total, emails }) => {
        const screener = upload.isSandbox ? parts.screeners.sandbox : parts.screeners.real;
        const { hosts, providers, traits } = await screenSample(emails, screener, parts.schedule);
        const questions = await expectBill(parts.db, ownerId, providers, total / hosts.sampled);
        return { total, ...hosts, ...traits, questions };
      },
    },
  );
}

type SampledProviders = Awaited<ReturnType<typeof screenSample>>['providers'];

/** What the whole list will ask, by provider, the one with the most addresses first. */
async function expectBill(
  db: Db,
  ownerId: AccountId,
  sampled: SampledProviders,
  scale: number,
): Promise<ListEstimate['questions']> {
  const addresses = new Map(sampled.map(({ name, addresses: count }) => [name, Math.round(count * scale)]));
  const expected = await expectQuestions(db, ownerId, addresses);
  const byBrand = new Map<string | null, ListEstimate['questions'][number]>();
  for (const { name, brand } of sampled) {
    const found = expected.get(name);
    if (found === undefined) continue;
    const sum = byBrand.get(brand) ?? { provider: brand, emails: 0, questions: 0, refusals: 0 };
    byBrand.set(brand, {
      provider: brand,
      emails: sum.emails + found.addresses,
      questions: sum.questions + found.questions,
      refusals: sum.refusals === null || found.refusals === null ? null : sum.refusals + found.refusals,
    });
  }
  return [...byBrand.values()].sort((left, right) => right.emails - left.emails);
}
