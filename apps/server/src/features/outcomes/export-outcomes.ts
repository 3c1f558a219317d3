import { type RowPage, writeCsv } from '../../platform/csv/write-rows.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';
import { findOutcomesAfter } from './list-outcomes.store.ts';

const columns = ['email', 'kind', 'at', 'reason', 'action', 'words', 'source', 'event_id', 'recorded_at'];
const rowsPerPage = 1_000;

/** All outcomes of a customer, the oldest first. */
export const exportOutcomes = (db: Db, ownerId: AccountId): AsyncGenerator<Buffer> =>
  writeCsv(columns, pagesOf(db, ownerId));

async function* pagesOf(db: Db, ownerId: AccountId): AsyncGenerator<RowPage> {
  for (let last = 0; ; ) {
    const rows = await findOutcomesAfter(db, ownerId, { after: last, limit: rowsPerPage });
    if (rows.length === 0) return;
    yield rows.map((row) => [
      row.email_address,
      row.kind,
      row.happened_at.toISOString(),
      row.reason,
      row.action,
      row.words,
      row.source,
      row.event_id ?? '',
      row.recorded_at.toISOString(),
    ]);
    last = rows.at(-1)?.number ?? last;
  }
}
