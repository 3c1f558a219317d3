import type { Tx } from '../../platform/database/database.ts';
import { paidWork } from '../billing/index.ts';

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
  for (const { id, found } of lists) await paidWork({ kind: 'guess-list', ownerId, id }).stop(tx, found, now);
  for (const { id } of singles) await paidWork({ kind: 'guess', ownerId, id }).release(tx, now);
}
