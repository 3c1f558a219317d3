import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type { ListPlace } from '../../lists/index.ts';
import { isLarge, partitionOf } from './large-lists.ts';

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
