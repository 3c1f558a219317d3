import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type { AccountId } from '../../../platform/ids.ts';

const rowsAtATime = 20_000;

/**
 * Removes the rows of a list, or of all lists of a customer, in small steps, so that no statement holds locks for long. Large
 * lists have other partitions, which are dropped.
 */
export async function removeRows(
  db: Db,
  { ownerId, listId }: { readonly ownerId: AccountId; readonly listId?: string },
  signal: AbortSignal,
): Promise<void> {
  const isOfList = listId === undefined ? sql`true` : sql`list_id = ${listId}`;
  for (const table of [
    'list_results_shared',
    'list_kinds',
    'list_evidence',
    'list_rows_shared',
    'list_chunks',
    'export_links',
  ] as const) {
    for (;;) {
      signal.throwIfAborted();
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(table)} where ctid in (
          select ctid from ${sql.table(table)}
          where owner_id = ${ownerId} and ${isOfList} limit ${rowsAtATime})`.execute(db);
      if (numAffectedRows === 0n) break;
    }
  }
}
