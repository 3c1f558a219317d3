import type { Tx } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';
import { paidWork } from '../billing/index.ts';
import { lockOpenGuesses } from './guesses.store.ts';
import { peopleLists } from './lists/people-lists.ts';

/**
 * Ends a customer's running guesses before their account is removed, which removes the rows too: takes credits for proved
 * addresses, gives the rest back.
 */
export async function settleGuessesOf(
  tx: Tx,
  { ownerId, now }: { ownerId: AccountId; now: Date },
): Promise<void> {
  const lists = await peopleLists.results.lockHolding(tx, ownerId);
  const singles = await lockOpenGuesses(tx, ownerId);
  for (const list of lists) {
    await peopleLists.results.settleStopped(tx, { ownerId, listId: list.id }, list, now);
  }
  for (const { id } of singles) await paidWork({ kind: 'guess', ownerId, id }).release(tx, now);
}
