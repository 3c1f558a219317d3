import type { Tx } from '../../platform/database/database.ts';
import { captureHold, releaseHold } from '../billing/index.ts';

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
    await captureHold(tx, {
      ownerId,
      reference: `guess-list:${list.id}`,
      dueCredits: list.found,
      category: 'GUESSING',
      source: 'LIST',
      description: 'Guessed list, stopped',
      now,
    });
  }
  for (const { id } of singles) await releaseHold(tx, { ownerId, reference: `guess:${id}`, now });
}
