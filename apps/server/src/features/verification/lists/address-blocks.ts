import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type { ListPlace } from '../../lists/index.ts';
import { isLarge, partitionOf } from './large-lists.ts';

/** Long enough that reading a block is cheap, short enough that few addresses are compared in vain once a block matches. */
const rowNumbersPerBlock = 32;

/** Writes the blocks that searches of a large list read, of the rows of its draft. */
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

/** The rows of a large list whose address contains a text, as `row`, with the block that has them. */
export function searchedRows({ ownerId, listId }: ListPlace, text: string): RawBuilder<unknown> {
  return sql`(
    select block_number, row.row_number from list_address_blocks block cross join lateral ${rowsOfBlock} row
    where owner_id = ${ownerId} and list_id = ${listId} and ${hasText(text)}) row`;
}

// As columns of a select, the two sets cost half of what they cost as a table.
const rowsOfBlock = sql`
  (select unnest(row_numbers) as row_number, unnest(string_to_array(addresses, E'\\n')) as address)`;

const hasText = (text: string) =>
  sql`position(lower(${text}) in addresses) > 0 and position(lower(${text}) in address) > 0`;

const sampledPercent = 2;

/** About how many rows of a large list have a text, by a sample of its blocks. */
export async function estimateFound(db: Db, { listId }: ListPlace, text: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count
    from ${sql.table(partitionOf('list_address_blocks', listId))} block
      tablesample system (${sql.lit(sampledPercent)}) repeatable (1) cross join lateral ${rowsOfBlock} row
    where ${hasText(text)}`.execute(db);
  return ((rows[0]?.count ?? 0) * 100) / sampledPercent;
}

interface SearchSizes {
  /** Rows of the list. */
  readonly rowCount: number;
  /** Rows with a wanted result. */
  readonly wantedCount: number;
  /** Rows with the text. */
  readonly foundCount: number;
}

// Microseconds, measured with PostgreSQL 18.
const costs = { addressOfResult: 3, block: 2, rowsOfBlock: 14, resultOfAddress: 1.5 };

/**
 * Whether to read the wanted results and look up their addresses, or to read the addresses with the text and look up their
 * results. Either stops when there are enough matches, after the same share of the list.
 */
export function isByResults({ rowCount, wantedCount, foundCount }: SearchSizes): boolean {
  const blockCount = rowCount / rowNumbersPerBlock;
  const foundShare = Math.min(1, foundCount / rowCount);
  const foundBlockCount = blockCount * (1 - (1 - foundShare) ** rowNumbersPerBlock);
  const byAddresses =
    blockCount * costs.block + foundBlockCount * costs.rowsOfBlock + foundCount * costs.resultOfAddress;
  return wantedCount * costs.addressOfResult < byAddresses;
}

/** The numbers of some rows of a large list. Counts those before them by blocks. */
export function blockRows(
  { ownerId, listId }: ListPlace,
  {
    direction,
    offset,
    count,
  }: { readonly direction: 'asc' | 'desc'; readonly offset: number; readonly count: number },
): RawBuilder<unknown> {
  const end = offset + count;
  return sql`
    select row_number
    from (
      select row_numbers, sum(cardinality(row_numbers)) over (order by block_number ${sql.raw(direction)}) as upto
      from list_address_blocks where owner_id = ${ownerId} and list_id = ${listId}
    ) block, unnest(row_numbers) with ordinality row (row_number, place)
    where upto > ${offset} and upto - cardinality(row_numbers) < ${end}
      and ${
        direction === 'asc'
          ? sql`upto - cardinality(row_numbers) + place between ${offset + 1} and ${end}`
          : sql`upto - place + 1 between ${offset + 1} and ${end}`
      }`;
}
