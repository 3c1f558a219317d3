import type { Db } from '../../../platform/database/database.ts';
import type { ListPlace } from '../../lists/index.ts';
import { findSuppressed } from '../../suppressions/index.ts';
import { AddressReader } from '../files/address-reader.ts';
import { findUnknownAddresses } from '../rows/rows.store.ts';

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
    const rows = await findUnknownAddresses(db, { ownerId, listId }, { after, limit: rowsAtATime });
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
