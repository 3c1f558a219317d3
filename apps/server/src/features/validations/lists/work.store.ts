import type { Db } from '../../../platform/database/database.ts';
import type { ListPlace } from './copy-rows.ts';

/** A row to be verified, as the engine takes it. */
export interface RowToVerify {
  readonly email: string;
  readonly rowNumber: number;
}

/** The rows of a piece of work that have no result yet: none once the list is gone or the work was done before. */
export async function findRowsToVerify(
  db: Db,
  { ownerId, listId }: ListPlace,
  rowNumbers: readonly number[],
): Promise<RowToVerify[]> {
  const rows = await db
    .selectFrom('list_rows as row')
    .innerJoin('validation_lists as list', (join) =>
      join.onRef('list.owner_id', '=', 'row.owner_id').onRef('list.id', '=', 'row.list_id'),
    )
    .leftJoin('list_results as result', (join) =>
      join
        .onRef('result.owner_id', '=', 'row.owner_id')
        .onRef('result.list_id', '=', 'row.list_id')
        .onRef('result.row_number', '=', 'row.row_number'),
    )
    .select(['row.row_number as rowNumber', 'row.email_address as email'])
    .where('row.owner_id', '=', ownerId)
    .where('row.list_id', '=', listId)
    .where('row.row_number', 'in', rowNumbers.length > 0 ? [...rowNumbers] : [-1])
    .where('list.status', '=', 'PENDING')
    .where('result.row_number', 'is', null)
    .execute();
  // Malformed rows are in no piece of work; the type does not know that.
  return rows.flatMap(({ rowNumber, email }) => (email === null ? [] : [{ rowNumber, email }]));
}

export async function findChunk(
  db: Db,
  { ownerId, listId, chunkNumber }: ListPlace & { readonly chunkNumber: number },
): Promise<number[]> {
  const chunk = await db
    .selectFrom('list_chunks')
    .select('row_numbers')
    .where('owner_id', '=', ownerId)
    .where('list_id', '=', listId)
    .where('chunk_number', '=', chunkNumber)
    .executeTakeFirst();
  return chunk?.row_numbers ?? [];
}
