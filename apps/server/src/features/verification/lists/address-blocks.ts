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

/**
 * The rows of a large list whose address contains a text, as `row`, with the block that has them. `isWanted` is a condition
 * for their `result`, which is read once for each block.
 */
export function searchedRows(
  { ownerId, listId }: ListPlace,
  text: string,
  isWanted: RawBuilder<unknown> | undefined,
): RawBuilder<unknown> {
  const size = sql.lit(rowNumbersPerBlock);
  // Without the offset, the planner would run this for each row.
  const wanted = sql`
    cross join lateral (
      select coalesce(array_agg(result.row_number), '{}') as row_numbers from list_results result
      where owner_id = ${ownerId} and list_id = ${listId} and ${isWanted}
        and result.row_number between block_number * ${size} and block_number * ${size} + ${size} - 1
      offset 0) wanted`;
  return sql`(
    select block_number, row.row_number from list_address_blocks block ${isWanted ? wanted : sql``}
      cross join unnest(block.row_numbers, string_to_array(addresses, E'\\n')) row (row_number, address)
    where owner_id = ${ownerId} and list_id = ${listId}
      and position(lower(${text}) in addresses) > 0 and position(lower(${text}) in address) > 0
      and ${isWanted ? sql`row.row_number = any(wanted.row_numbers)` : sql`true`}) row`;
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
