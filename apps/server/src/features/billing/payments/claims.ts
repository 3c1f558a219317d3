import type { Tx } from '../../../platform/database/database.ts';
import type { AccountId } from '../../../platform/ids.ts';
import {
  type ClaimedReturn,
  copyClaimedCredits,
  type HoldReference,
  laterKey,
  takeBackCredits,
} from '../credit-ledger.store.ts';
import { takenGrantEntry } from '../take-back-grant.ts';
import { findClaims, findPurchase, type ReversalClaim, reduceClaim } from './payments.store.ts';
import { reversalEntry } from './purchases.ts';

interface SettledHold {
  readonly ownerId: AccountId;
  readonly reference: HoldReference;
  readonly returned: ClaimedReturn;
  readonly now: Date;
}

/**
 * Takes disputed, refunded and taken back credits that were on hold at the time, now that their hold has given them back. Runs in the
 * transaction that settled the hold, which has the wallet's lock.
 */
export async function takeClaimed(tx: Tx, { ownerId, reference, returned, now }: SettledHold): Promise<void> {
  let leftCredits = returned.credits;
  for (const claim of await findClaims(tx, { ownerId, placedAt: returned.placedAt })) {
    const { reversalId, claimedCredits } = claim;
    const upToCredits = Math.min(claimedCredits, leftCredits);
    const entry = upToCredits > 0 ? await entryOf(tx, ownerId, claim) : undefined;
    let takenCredits = 0;
    if (entry) {
      const key = laterKey(entry.key, reference);
      const taken = await takeBackCredits(tx, { ownerId, ...entry, key, upToCredits, now });
      takenCredits = taken.takenCredits;
    }
    await reduceClaim(tx, { ownerId, reversalId, takenCredits });
    leftCredits -= takenCredits;
  }
  await copyClaimedCredits(tx, ownerId);
}

async function entryOf(tx: Tx, ownerId: AccountId, { reversalId, kind, invoiceId }: ReversalClaim) {
  if (kind === 'grant') return takenGrantEntry(reversalId, 'Granted credits taken back, given back by work');
  const purchase = await findPurchase(tx, { ownerId, invoiceId });
  return purchase && reversalEntry(purchase, { id: reversalId, kind, isUndone: false });
}
