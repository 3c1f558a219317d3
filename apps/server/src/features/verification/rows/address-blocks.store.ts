import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type { ListPlace } from '../../lists/index.ts';
import { isLarge, partitionOf } from './large-lists.store.ts';

/** Long enough that reading a block is cheap, short enough that few addresses are compared in vain once a block matches. */
export const rowNumbersPerBlock = 32;

/** Writes the blocks that searches of a large list read. */
export async function fillAddressBlocks(db: Db, { ownerId, listId }: ListPlace): Promise<void> {
  if (!isLarge(listId)) return;
  await sql`
    insert into ${sql.table(partitionOf('list_address_blocks', listId))}
      (owner_id, list_id, block_number, row_numbers, addresses)
    select ${ownerId}, ${listId}, row_number / ${sql.lit(rowNumbersPerBlock)}, array_agg(row_number order by row_number),
      string_agg(lower(email_address), E'\\n' order by row_number)
    from ${sql.table(partitionOf('list_rows', listId))}
    where owner_id = ${ownerId} and list_id = ${listId}
      and email_address is not null and first_row_number is null
    group by row_number / ${sql.lit(rowNumbersPerBlock)}`.execute(db);
}

export interface AddressBlock {
  readonly firstRow: number;
  /** With commas; null if each row number is one more than the one before. */
  readonly rowNumbers: string | null;
  /** In lower case, one in a line. */
  readonly addresses: string;
}

/** The blocks of a list from `from` on and below `to`. */
export async function readBlocks(
  db: Db,
  { ownerId, listId }: ListPlace,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<AddressBlock[]> {
  const { rows } = await sql<AddressBlock>`
    select row_numbers[1] as "firstRow", addresses,
      case when row_numbers[cardinality(row_numbers)] - row_numbers[1] >= cardinality(row_numbers)
        then array_to_string(row_numbers, ',') end as "rowNumbers"
    from list_address_blocks
    where owner_id = ${ownerId} and list_id = ${listId}
      and block_number >= ${from} and block_number < ${to}
    order by block_number`.execute(db);
  return rows;
}

/** The text in lower case as PostgreSQL writes it, like the addresses. */
export async function prepareSearch(
  db: Db,
  { ownerId, listId }: ListPlace,
  text: string,
): Promise<{ wanted: string; lastBlock: number }> {
  const { rows } = await sql<{ wanted: string; lastBlock: number | null }>`
    select lower(${text}) as wanted, (select max(block_number) from list_address_blocks
      where owner_id = ${ownerId} and list_id = ${listId}) as "lastBlock"`.execute(db);
  return { wanted: rows[0]?.wanted ?? text, lastBlock: rows[0]?.lastBlock ?? -1 };
}

/** Where the blocks of a large list end, counted in rows. */
export interface BlockEnds {
  readonly numbers: Int32Array;
  readonly ends: Int32Array;
}

export async function readBlockEnds(db: Db, { ownerId, listId }: ListPlace): Promise<BlockEnds> {
  // As text: pg takes ten times as long for rows.
  const { rows } = await sql<{ pairs: string | null }>`
    select string_agg(block_number || ',' || cardinality(row_numbers), ',' order by block_number) as pairs
    from list_address_blocks where owner_id = ${ownerId} and list_id = ${listId}`.execute(db);
  const pairs = JSON.parse(`[${rows[0]?.pairs ?? ''}]`) as number[];
  const count = pairs.length / 2;
  const [numbers, ends] = [new Int32Array(count), new Int32Array(count)];
  for (let at = 0, end = 0; at < count; at++) {
    end += pairs[2 * at + 1] ?? 0;
    numbers[at] = pairs[2 * at] ?? 0;
    ends[at] = end;
  }
  return { numbers, ends };
}

/** The row numbers of some blocks, without the first `offset` of them. */
export async function findRowNumbers(
  db: Db,
  { ownerId, listId }: ListPlace,
  { first, last }: { readonly first: number; readonly last: number },
  { offset, count }: { readonly offset: number; readonly count: number },
): Promise<number[]> {
  const { rows } = await sql<{ row_number: number }>`
    select unnest(row_numbers) as row_number from (
      select row_numbers from list_address_blocks where owner_id = ${ownerId} and list_id = ${listId}
        and block_number between ${first} and ${last}
      order by block_number) as blocks
    limit ${count} offset ${offset}`.execute(db);
  return rows.map((row) => row.row_number);
}
