// A list of a million rows among ten million: pages of its rows while it runs, and its deletion.
import { randomUUID } from 'node:crypto';
import type { EmailSort, ValidationList } from '@assay/contract';
import { dropPartitions } from '../../../apps/server/src/features/verification/rows/large-lists.store.ts';
import { removeRows } from '../../../apps/server/src/features/verification/rows/remove-rows.store.ts';
import { openDatabase } from '../../../apps/server/src/platform/database/database.ts';
import type { Customer } from '../../support/customer.ts';
import { Deadline } from '../../support/until.ts';
import { timed } from '../bulk/bare.ts';
import { writeListFile } from '../bulk/list-file.ts';
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

const begunShare = 0.3;

async function untilBegun({ pool }: BenchProduct, list: ValidationList): Promise<void> {
  await new Deadline(begunMsMax).until('a part of the list is verified', async () => {
    const { rows } = await pool.query(
      'select valid_emails + invalid_emails + catch_all_emails + unknown_emails as done from lists where id = $1',
      [list.id],
    );
    return rows[0].done >= list.total_emails * begunShare;
  });
}

const begunMsMax = 600_000;

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

interface Query {
  readonly search?: string;
  readonly status?: ['VALID' | 'INVALID' | 'CATCH_ALL' | 'UNKNOWN'];
  readonly reason?: [string];
  readonly flag?: ['disposable' | 'role'];
  readonly mx_provider?: [string];
  readonly sort?: EmailSort;
  readonly page_number?: number;
}

const queries: readonly [string, Query][] = [
  // Reads the addresses; the searches after it find them in memory.
  ['the first search', { search: 'zzzzz' }],
  ['all', {}],
  ['all, page 15,000', { page_number: 15_000 }],
  ['INVALID', { status: ['INVALID'] }],
  ['a reason', { reason: ['no_such_mailbox'] }],
  ['a reason that no row has', { reason: ['mailbox_full'] }],
  ['a flag', { flag: ['role'] }],
  ['a provider that no row has', { mx_provider: ['none.example'] }],
  ['a text in many rows', { search: 'company-1' }],
  ['a text in many rows, page 200', { search: 'company-1', page_number: 200 }],
  ['a text in no row', { search: 'zzzz' }],
  ['two letters in no row', { search: 'q!' }],
  ['a text in few rows, sorted', { search: '99999', sort: 'email' }],
  ['a text and INVALID', { search: 'company-1', status: ['INVALID'] }],
  ['a text and a reason', { search: 'company', reason: ['no_such_mailbox'], sort: '-row' }],
  ['a text in no row and VALID', { search: 'zzzz', status: ['VALID'] }],
  ['a text in some rows and VALID', { search: '777', status: ['VALID'] }],
  ['a text in thousands of rows, sorted', { search: '77', reason: ['no_such_mailbox'], sort: 'email' }],
];

async function timePages({ client }: Customer, listId: string, turns: number) {
  const times = new Map<string, number[]>(queries.map(([name]) => [name, []]));
  const params = { list_id: listId };
  const summaries: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    // There is one first search only.
    for (const [name, query] of turn === 0 ? queries : queries.slice(1)) {
      const ms = await timed(() =>
        client.validations.listEmails({
          params,
          query: { page_size: 50, page_number: 1, ...query },
        } as never),
      );
      times.get(name)?.push(ms);
    }
    summaries.push(await timed(() => client.validations.summariseEmails({ params })));
  }
  const lineOf = (name: string, ms: readonly number[]) => [
    name,
    integer(quantile(ms, 0.5)),
    integer(quantile(ms, 0.95)),
  ];
  const table = [...[...times].map(([name, ms]) => lineOf(name, ms)), lineOf('summary', summaries)];
  return {
    table,
    p95: quantile([...times.values()].flat(), 0.95),
    summaryP95: quantile(summaries, 0.95),
  };
}

const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((left, right) => left - right)[Math.ceil(values.length * part) - 1] ?? 0;

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
