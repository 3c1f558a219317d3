import { FairQueue } from '../../platform/limits/fair-queue.ts';
import { type AttemptParts, requireAttempt } from '../../platform/limits/index.ts';

export const estimateSampleSize = 100;
const estimatesPerHour = 30;
/** Each reads a file and waits for name servers. */
const estimatesAtATime = 8;
const inTurn = new FairQueue(estimatesAtATime);

/**
 * Makes an estimate when it is the customer's turn. Estimates are free, and each looks up to a hundred domains up: a customer
 * may have only so many.
 */
export async function estimateInTurn<Estimate>(
  parts: AttemptParts,
  ownerId: string,
  estimate: () => Promise<Estimate>,
): Promise<Estimate> {
  await requireAttempt(parts, {
    bucket: 'list_estimate',
    key: ownerId,
    max: estimatesPerHour,
    windowSeconds: 3_600,
  });
  return inTurn.run(ownerId, estimate);
}
