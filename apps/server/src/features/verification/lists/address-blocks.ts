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
    select ${ownerId}, ${listId}, row_number / ${sql.lit(rowNumbersPerBlock)}, array_agg(row_number),
      string_agg(lower(email_address), E'\\n')
    from ${sql.table(partitionOf('list_rows', listId))}
    where owner_id = ${ownerId} and list_id = ${listId}
      and email_address is not null and first_row_number is null
    group by row_number / ${sql.lit(rowNumbersPerBlock)}`.execute(db);
}

/** The rows of a large list whose address contains a text, as `row`, with the block that has them. */
export const searchedRows = ({ ownerId, listId }: ListPlace, text: string): RawBuilder<unknown> => sql`
  (select block_number, row.row_number
    from list_address_blocks block, unnest(row_numbers, string_to_array(addresses, E'\\n')) row (row_number, address)
    where owner_id = ${ownerId} and list_id = ${listId}
      and position(lower(${text}) in addresses) > 0 and position(lower(${text}) in address) > 0) row`;
