import type { AccountId } from '../../platform/ids.ts';
import { FairQueue } from '../../platform/limits/fair-queue.ts';
import { type AttemptParts, requireAttempt } from '../../platform/limits/index.ts';

export const estimateSampleSize = 100;
const estimatesPerHour = 30;
/** For all customers. Each one waits for name servers. */
const estimatesAtATime = 8;
const turns = new FairQueue({ placeCount: estimatesAtATime });

/**
 * Estimates are free, but each one looks up to 100 domains. So customers have an hourly limit and take turns, once their file is
 * read, which may have to wait.
 */
export async function estimateInTurn<Sample, Estimate>(
  parts: AttemptParts,
  { ownerId, signal }: { readonly ownerId: AccountId; readonly signal: AbortSignal },
  { read, screen }: { read(): Promise<Sample>; screen(sample: Sample): Promise<Estimate> },
): Promise<Estimate> {
  await requireAttempt(parts, {
    bucket: 'list_estimate',
    key: ownerId,
    max: estimatesPerHour,
    windowSeconds: 3_600,
  });
  const sample = await read();
  return turns.run(ownerId, () => screen(sample), { signal });
}
