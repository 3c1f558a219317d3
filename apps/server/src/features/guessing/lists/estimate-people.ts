import type { GuessEstimate } from '@assay/contract';
import type { Screener } from '@assay/verifier';
import type { Schedule } from '../../../platform/clock.ts';
import type { AttemptParts } from '../../../platform/limits/index.ts';
import { screenSample } from '../../engine/index.ts';
import { estimateInTurn, estimateSampleSize } from '../../uploads/index.ts';
import { findPeopleUpload, readPeople, type UploadParts } from './guess-uploads.ts';
import { classifyPeople, isFirst } from './people-file.ts';

export interface EstimateParts extends UploadParts, AttemptParts {
  readonly schedule: Schedule;
  readonly screener: Screener;
}

/** Looks up the companies of a sample of an upload's people. */
export async function estimatePeople(
  parts: EstimateParts,
  ownerId: string,
  uploadId: string,
): Promise<GuessEstimate> {
  const upload = await findPeopleUpload(parts.db, ownerId, uploadId, parts.clock.now());
  return estimateInTurn(parts, ownerId, async () => {
    const file = await readPeople(upload, parts.limits);
    const people = classifyPeople(file, { withHeaders: file.hasHeaderRow }).filter(isFirst);
    const addresses = evenSample(people).map(({ person }) => `person@${person?.domain}`);
    const { hosts } = await screenSample(addresses, parts.screener, parts.schedule);
    return { total: people.length, ...hosts };
  });
}

/** Some of the items, from all parts of the list, and the same ones each time. */
export function evenSample<Item>(items: readonly Item[]): Item[] {
  const step = Math.max(1, items.length / estimateSampleSize);
  return items.filter((_, index) => Math.floor(index / step) > Math.floor((index - 1) / step));
}
