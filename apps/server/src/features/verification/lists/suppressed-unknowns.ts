import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type { ListPlace } from '../../lists/index.ts';
import { findSuppressed } from '../../suppressions/index.ts';
import { AddressReader } from '../files/address-reader.ts';

/** A few milliseconds of reading addresses. */
const rowsAtATime = 5_000;

/** The unknown rows of a list whose address is suppressed now, without their duplicates. */
export async function findSuppressedUnknowns(
  db: Db,
  { ownerId, listId }: ListPlace,
  now: Date,
): Promise<number[]> {
  const reader = new AddressReader();
  const suppressed: number[] = [];
  for (let after = -1; ; ) {
    const { rows } = await sql<{ row_number: number; email_address: string }>`
      select row_number, email_address from list_rows row
      where owner_id = ${ownerId} and list_id = ${listId} and row_number > ${after}
        and email_address is not null and first_row_number is null
        and (select verdict from list_results result where result.owner_id = row.owner_id
          and result.list_id = row.list_id and result.row_number = row.row_number) = 'UNKNOWN'
      order by row_number limit ${rowsAtATime}`.execute(db);
    const read = rows.flatMap(({ row_number: rowNumber, email_address }) =>
      reader.read(email_address) ? [{ rowNumber, address: reader.normal, domain: reader.domain }] : [],
    );
    const targets = new Set(read.flatMap(({ address, domain }) => [address, domain]));
    const found = new Set(await findSuppressed(db, { ownerId, now }, [...targets]));
    const isLeftOut = ({ address, domain }: (typeof read)[number]) => found.has(address) || found.has(domain);
    suppressed.push(...read.filter(isLeftOut).map(({ rowNumber }) => rowNumber));
    if (rows.length < rowsAtATime) return suppressed;
    after = rows.at(-1)?.row_number ?? after;
  }
}
