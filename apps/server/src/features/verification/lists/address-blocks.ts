import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type { ListPlace } from '../../lists/index.ts';
import { isLarge, partitionOf } from './large-lists.ts';

/** Long enough that reading a block is cheap, short enough that few addresses are compared in vain once a block matches. */
export const rowNumbersPerBlock = 32;

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
  const ofList = sql`owner_id = ${ownerId} and list_id = ${listId}`;
  // Adds up numbers only: with their rows, the blocks do not fit into the memory that PostgreSQL sorts in.
  return sql`
    select row_number
    from (
      select block_number, size, sum(size) over (order by block_number ${sql.raw(direction)}) as upto
      from (select block_number, cardinality(row_numbers) as size from list_address_blocks where ${ofList} offset 0) counted
    ) block
    cross join lateral (
      select row_numbers from list_address_blocks found where ${ofList} and found.block_number = block.block_number limit 1
    ) found
    cross join lateral unnest(row_numbers) with ordinality row (row_number, place)
    where upto > ${offset} and upto - size < ${end}
      and ${
        direction === 'asc'
          ? sql`upto - size + place between ${offset + 1} and ${end}`
          : sql`upto - place + 1 between ${offset + 1} and ${end}`
      }`;
}
