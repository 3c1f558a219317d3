// A list of a million rows among ten million: pages of its rows while it runs, and its deletion.
import { randomUUID } from 'node:crypto';
import { dropPartitions } from '../../../apps/server/src/features/verification/rows/large-lists.store.ts';
import { removeRows } from '../../../apps/server/src/features/verification/rows/remove-rows.store.ts';
import { openDatabase } from '../../../apps/server/src/platform/database/database.ts';
import type { Customer } from '../../support/customer.ts';
import { timed } from '../bulk/bare.ts';
import { writeListFile } from '../bulk/list-file.ts';
import { timePages, untilBegun } from '../bulk/list-pages.ts';
import { type BenchProduct, createPausedList, previewFile, startBenchProduct } from '../bulk/product.ts';
import { forgetPeak, readMemory } from '../bulk/resident-memory.ts';
import { print } from '../harness/print.ts';
import { type Demand, decimal, integer, renderTable } from '../harness/report.ts';

const counts = {
  large: { list: 1_000_000, otherLists: 9, turns: 20 },
  small: { list: 100_000, otherLists: 2, turns: 5 },
};

const pageMsMax = 150;

/** Options: `--small` to try the suite, whose figures then say little. */
export async function run(options: string[]): Promise<Demand[]> {
  const asked = options.includes('--small') ? counts.small : counts.large;
  const product = await startBenchProduct();
  try {
    const customer = await product.signUp(asked.list);
    const path = await writeListFile(product.folder, asked.list);
    const { nowMB: idleMB } = await readMemory(product.apiPid);
    await forgetPeak(product.apiPid);
    const { upload_id } = await previewFile(customer, path);
    const { list } = await createPausedList(product, customer, upload_id);
    const neighbours = await addNeighbours(product, list.id, asked.otherLists);
    await customer.client.validations.resumeList({ params: { list_id: list.id } });
    // Before that, most filters match nothing.
    await untilBegun(product, list);
    const pages = await timePages(customer, list.id, asked.turns);
    const { status, progress } = await customer.client.validations.getList({ params: { list_id: list.id } });
    const { peakMB } = await readMemory(product.apiPid);
    const deletion = await timeDeletion(product, customer, {
      listId: list.id,
      neighbour: neighbours[0] ?? '',
    });

    print(`\n${integer(asked.list)} rows, among ${integer(asked.list * (1 + asked.otherLists))}\n`);
    print(renderTable(['pages while the list runs', 'median ms', 'p95 ms'], pages.table));
    print('');
    print(
      renderTable(
        ['deletion', 's', 'MB of WAL', 'dead rows'],
        [
          ['by partition', decimal(deletion.dropped.ms / 1_000), decimal(deletion.dropped.walMB, 1), '0'],
          ['row by row', decimal(deletion.removed.ms / 1_000), decimal(deletion.removed.walMB, 1), 'all'],
        ],
      ),
    );
    return [
      { what: 'the list ran throughout', figure: `${status}, ${progress}%`, isMet: status === 'PENDING' },
      atMost(`pages of all kinds, p95: ${pageMsMax} ms`, pages.p95, pageMsMax),
      atMost(`the summary, p95: ${pageMsMax} ms`, pages.summaryP95, pageMsMax),
      atMost('deletion, for the customer: 150 ms', deletion.answerMs, 150),
      atMost('deletion: a tenth of the time of row by row', deletion.dropped.ms / deletion.removed.ms, 0.1),
      atMost('deletion: a hundredth of the WAL', deletion.dropped.walMB / deletion.removed.walMB, 0.01),
      atMost('memory of the API: within 200 MB of idle', peakMB - idleMB, 200),
    ];
  } finally {
    await product.close();
  }
}

/** Lists of the version before: the same rows and a result for each, in the partition that small lists share. */
async function addNeighbours({ pool }: BenchProduct, listId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  for (const id of ids) {
    await pool.query(
      `insert into list_rows select owner_id, $2, row_number, cells, email_address, first_row_number
       from list_rows where list_id = $1`,
      [listId, id],
    );
    await pool.query(
      `insert into list_results (owner_id, list_id, row_number, verdict, reason, flags, mx_provider, checked_at)
       select owner_id, list_id, row_number, 'VALID', 'mailbox_accepted', 0, 'google', now()
       from list_rows where list_id = $1`,
      [id],
    );
  }
  await pool.query('analyze list_rows, list_results');
  return ids;
}

async function timeDeletion(
  { pool, environment }: BenchProduct,
  { client }: Customer,
  { listId, neighbour }: { readonly listId: string; readonly neighbour: string },
) {
  const { rows } = await pool.query<{ owner_id: string }>('select owner_id from lists where id = $1', [
    listId,
  ]);
  const ownerId = rows[0]?.owner_id ?? '';
  const database = openDatabase({
    url: environment.DATABASE_URL ?? '',
    // One connection, which knows what it has written itself.
    poolSize: 1,
    applicationName: 'bench',
    onIdleError: () => undefined,
  });
  try {
    const { signal } = new AbortController();
    const answerMs = await timed(() => client.validations.deleteList({ params: { list_id: listId } }));
    const dropped = await measured(() => dropPartitions(database.db, signal));
    const removed = await measured(() => removeRows(database.db, { ownerId, listId: neighbour }, signal));
    return { answerMs, dropped, removed };
  } finally {
    await database.close();
  }

  async function measured(work: () => Promise<void>) {
    const before = await readWrittenBytes(database.pool);
    const ms = await timed(work);
    return { ms, walMB: ((await readWrittenBytes(database.pool)) - before) / 1e6 };
  }
}

/** What a connection has written to the WAL. The WAL as a whole has the work of others too, such as autovacuum. */
async function readWrittenBytes(pool: BenchProduct['pool']): Promise<number> {
  await pool.query('select pg_stat_force_next_flush()');
  const { rows } = await pool.query(
    'select wal_bytes::float8 as bytes from pg_stat_get_backend_wal(pg_backend_pid())',
  );
  return rows[0].bytes;
}

const atMost = (what: string, figure: number, bound: number): Demand => ({
  what,
  figure: decimal(figure, 3),
  isMet: figure <= bound,
});
