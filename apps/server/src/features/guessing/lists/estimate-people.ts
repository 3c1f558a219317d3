import type { GuessEstimate } from '@assay/contract';
import type { Screener } from '@assay/verifier';
import type { Schedule } from '../../../platform/clock.ts';
import type { AccountId } from '../../../platform/ids.ts';
import type { AttemptParts } from '../../../platform/limits/index.ts';
import { screenSample } from '../../engine/index.ts';
import { estimateInTurn, estimateSampleSize } from '../../uploads/index.ts';
import { openPeopleUpload, type PeopleUploadParts } from './guess-uploads.ts';
import { samplePeopleJob } from './people-jobs.ts';

export interface EstimateParts extends PeopleUploadParts, AttemptParts {
  readonly schedule: Schedule;
  readonly screener: Screener;
}

/** Looks up the companies of a sample of an upload's people. */
export async function estimatePeople(
  parts: EstimateParts,
  ownerId: AccountId,
  uploadId: string,
  signal: AbortSignal,
): Promise<GuessEstimate> {
  const { file, reading } = await openPeopleUpload(parts, ownerId, uploadId, signal);
  const order = { ...reading, size: estimateSampleSize };
  return estimateInTurn(
    parts,
    { ownerId, signal },
    {
      read: () => parts.readingPool.read(samplePeopleJob, file, order).result,
      screen: async ({ total, domains }) => {
        const addresses = domains.map((domain) => `person@${domain}`);
        const { hosts } = await screenSample(addresses, parts.screener, parts.schedule);
        return { total, ...hosts };
      },
    },
  );
}
