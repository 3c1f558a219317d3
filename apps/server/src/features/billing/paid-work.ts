import type { Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import { captureHold, type HoldCapture, type NewHold, placeHold } from './credit-ledger.ts';
import { refreshBilling } from './refresh-billing.ts';

// What work that costs credits calls when it starts and when it ends. The wallet stays locked from here to the end of the
// transaction, so these come last in it, and the news before them.

/** Holds the full cost of a piece of work, or refuses it. */
export async function holdCredits(tx: Tx, hold: NewHold): Promise<void> {
  await refreshBilling(tx, hold.ownerId);
  const outcome = await placeHold(tx, hold);
  if (!outcome.placed) throw shortOf(hold.credits - outcome.availableCredits);
}

/** Takes what the work really cost and gives the rest back. */
export async function settleWork(tx: Tx, capture: HoldCapture): Promise<void> {
  await refreshBilling(tx, capture.ownerId);
  await captureHold(tx, capture);
}

export const shortOf = (credits: number): AppError =>
  new AppError('insufficient_credits', { credits }, { meta: { short_by: credits } });
