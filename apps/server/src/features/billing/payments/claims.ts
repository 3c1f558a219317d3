import type { Tx } from '../../../platform/database/database.ts';
import {
  type ClaimedReturn,
  copyClaimedCredits,
  type HoldReference,
  laterKey,
  takeBackCredits,
} from '../credit-ledger.ts';
import { findClaims, findPurchase, reduceClaim } from './payments.store.ts';
import { reversalEntry } from './purchases.ts';

interface SettledHold {
  readonly ownerId: string;
  readonly reference: HoldReference;
  readonly returned: ClaimedReturn;
  readonly now: Date;
}

/**
 * Takes disputed and refunded credits that were on hold at the time, now that their hold has given them back. Runs in the
 * transaction that settled the hold, which has the wallet's lock.
 */
export async function takeClaimed(tx: Tx, { ownerId, reference, returned, now }: SettledHold): Promise<void> {
  let leftCredits = returned.credits;
  for (const claim of await findClaims(tx, { ownerId, placedAt: returned.placedAt })) {
    const { reversalId, kind, invoiceId, claimedCredits } = claim;
    const upToCredits = Math.min(claimedCredits, leftCredits);
    const purchase = upToCredits > 0 ? await findPurchase(tx, { ownerId, invoiceId }) : undefined;
    let takenCredits = 0;
    if (purchase) {
      const entry = reversalEntry(purchase, { id: reversalId, kind, isUndone: false });
      const key = laterKey(entry.key, reference);
      const taken = await takeBackCredits(tx, { ownerId, ...entry, key, upToCredits, now });
      takenCredits = taken.takenCredits;
    }
    await reduceClaim(tx, { ownerId, reversalId, takenCredits });
    leftCredits -= takenCredits;
  }
  await copyClaimedCredits(tx, ownerId);
}
