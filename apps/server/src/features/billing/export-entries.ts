import { writeCsv } from '../../platform/csv/write-rows.ts';
import type { Db } from '../../platform/database/database.ts';
import { findEntries } from './billing.store.ts';

const columns = ['number', 'date', 'category', 'source', 'description', 'amount', 'balance_after', 'invoice'];
const pageLength = 1_000;

/** The customer's ledger as CSV, oldest first. No database connection is held while the client reads. */
export const exportEntries = (db: Db, ownerId: string): AsyncGenerator<Buffer> =>
  writeCsv(columns, rowsOf(db, ownerId));

async function* rowsOf(db: Db, ownerId: string): AsyncGenerator<string[]> {
  // Entries are numbered without gaps.
  for (let from = 1; ; from += pageLength) {
    const page = { filter: {}, before: from + pageLength, offset: 0, limit: pageLength };
    const entries = (await findEntries(db, ownerId, page)).filter(({ entry_number }) => entry_number >= from);
    for (const entry of entries.toReversed()) {
      yield [
        String(entry.entry_number),
        entry.created_at.toISOString(),
        entry.category,
        entry.source,
        entry.description,
        String(entry.amount),
        String(entry.balance_after),
        entry.invoice_reference ?? '',
      ];
    }
    if (entries.length < pageLength) return;
  }
}
