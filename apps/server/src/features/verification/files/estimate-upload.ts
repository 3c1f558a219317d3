import type { ListEstimate } from '@assay/contract';
import type { Screener } from '@assay/verifier';
import type { Schedule } from '../../../platform/clock.ts';
import type { AccountId } from '../../../platform/ids.ts';
import type { AttemptParts } from '../../../platform/limits/index.ts';
import { screenSample } from '../../engine/index.ts';
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
        const { hosts, traits } = await screenSample(emails, screener, parts.schedule);
        return { total, ...hosts, ...traits };
      },
    },
  );
}
