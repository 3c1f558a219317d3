import { sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { runTransaction } from '../../../platform/database/run-transaction.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import { notChecked } from '../../engine/index.ts';
import type { ListPlace } from '../../lists/index.ts';
import { countWritten, ListGone } from './write-results.ts';

/** Few enough for a short transaction, so that results of work under way do not wait for long. */
const rowNumbersAtATime = 10_000;

/**
 * Gives every row without a result the verdict UNKNOWN and completes the list. A worker that dies leaves whole batches
 * behind, and the next one goes through the rows again. Workers may still write results at the same time: the first result
 * of a row counts.
 */
export async function finishList(
  { db, queue, clock }: { readonly db: Db; readonly queue: JobQueue; readonly clock: Clock },
  place: ListPlace,
  signal: AbortSignal,
): Promise<void> {
  const rowNumberMax = await findLastRow(db, place);
  for (let from = 0; from <= rowNumberMax; from += rowNumbersAtATime) {
    signal.throwIfAborted();
    const now = clock.now();
    try {
      await runTransaction(db, async (tx) => {
        const count = await insertNotChecked(tx, place, { from, to: from + rowNumbersAtATime }, now);
        if (count === 0) return;
        const kind = { verdict: 'UNKNOWN', reason: notChecked, flags: null, mxProvider: null } as const;
        await countWritten(tx, queue, [{ place, kinds: [{ ...kind, emails: count }] }], now);
      });
    } catch (error) {
      // The list was deleted meanwhile.
      if (error instanceof ListGone) return;
      throw error;
    }
  }
}

/**
 * In the order of rows, like every writer of results. The subquery always uses the key of the results; for `not exists`
 * PostgreSQL would read all results of a list for each of its rows until the table is analysed.
 */
async function insertNotChecked(
  tx: Tx,
  { ownerId, listId }: ListPlace,
  { from, to }: { readonly from: number; readonly to: number },
  now: Date,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    insert into list_results (owner_id, list_id, row_number, verdict, reason, checked_at)
    select owner_id, list_id, row_number, 'UNKNOWN', ${notChecked}, ${now}
    from list_rows row
    where owner_id = ${ownerId} and list_id = ${listId} and row_number >= ${from} and row_number < ${to}
      and email_address is not null and first_row_number is null
      and (select true from list_results result where result.owner_id = row.owner_id
        and result.list_id = row.list_id and result.row_number = row.row_number) is null
    order by row_number
    on conflict do nothing`.execute(tx);
  return Number(numAffectedRows);
}

async function findLastRow(db: Db, { ownerId, listId }: ListPlace): Promise<number> {
  const last = await db
    .selectFrom('list_rows')
    .select('row_number')
    .where('owner_id', '=', ownerId)
    .where('list_id', '=', listId)
    .orderBy('row_number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.row_number ?? -1;
}
