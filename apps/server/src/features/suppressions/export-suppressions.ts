import { type RowPage, writeCsv } from '../../platform/csv/write-rows.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';
import { entryAnswer } from './suppressions.service.ts';
import { findEntriesBelow, type SuppressionFilter } from './suppressions.store.ts';

const columns = ['target', 'kind', 'reason', 'source', 'creation_date', 'end_date'] as const;
const pageLength = 2_000;

/** A customer's suppressions as CSV, newest first. No database connection is held while the client reads. */
export const exportSuppressions = (
  db: Db,
  ownerId: AccountId,
  filter: SuppressionFilter = {},
): AsyncGenerator<Buffer> => writeCsv(columns, pagesOf(db, ownerId, filter));

async function* pagesOf(db: Db, ownerId: AccountId, filter: SuppressionFilter): AsyncGenerator<RowPage> {
  for (let below: number | undefined; ; ) {
    const rows = await findEntriesBelow(db, ownerId, filter, { below, limit: pageLength });
    yield rows.values().map((row) => {
      const entry = entryAnswer(row);
      return columns.map((column) => entry[column] ?? '');
    });
    if (rows.length < pageLength) return;
    below = rows.at(-1)?.number;
  }
}
