import type { Tx } from '../../platform/database/database.ts';
import { captureHold, releaseHold } from '../billing/index.ts';
import { captureOfStopped } from './lists/delete-guess-list.ts';

/**
 * Ends a customer's running guesses before their account is removed, which takes the rows with it: what was proved is
 * paid for, the rest goes back.
 */
export async function settleGuessesOf(
  tx: Tx,
  { ownerId, now }: { ownerId: string; now: Date },
): Promise<void> {
  const lists = await tx
    .selectFrom('guess_lists')
    .select(['id', 'found'])
    .where('owner_id', '=', ownerId)
    .where('status', '=', 'PENDING')
    .orderBy('id')
    .forUpdate()
    .execute();
  const singles = await tx
    .selectFrom('guesses')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('list_id', 'is', null)
    .where('status', '<>', 'COMPLETE')
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const list of lists) {
    await captureHold(tx, captureOfStopped({ ownerId, listId: list.id }, list, now));
  }
  for (const { id } of singles) await releaseHold(tx, { ownerId, reference: `guess:${id}`, now });
}
