import { Readable } from 'node:stream';
import type { ListPreview, ValidationList } from '@assay/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../platform/clock.ts';
import type { FileStore } from '../../../platform/files/file-store.ts';
import { openFileStore } from '../../../platform/files/open-file-store.ts';
import { createLogger } from '../../../platform/logging/index.ts';
import { createMetrics } from '../../../platform/metrics/index.ts';
import { openReadingPool } from '../../../platform/reading/index.ts';
import { startTestApi } from '../../../testing/api.ts';
import { auditLedger, grantCredits } from '../../billing/index.ts';
import { settleWorkOf } from '../customer-removal.ts';
import { sweepValidations } from '../sweep.ts';
import { emailLists } from './email-lists.ts';
import { finishList } from './finish-list.ts';
import { type PrepareParts, prepareList } from './prepare-list.ts';

/** Without a worker, so that the tests decide when a job runs. */
const api = await startTestApi();
const { db, pool } = api.database;
const files = await openFileStore(api.config);
const poolParts = { logger: createLogger({ level: 'silent', process: 'test' }), metrics: createMetrics() };
const readingPool = openReadingPool(poolParts);
afterAll(async () => {
  await readingPool.close();
  await api.close();
});
const { signal } = new AbortController();
const now = () => new Date();
// Each look at it is a second later, so that every piece of a file is told of.
let steadyMs = 0;
const clock = {
  now,
  steadyMs: () => {
    steadyMs += 1_000;
    return steadyMs;
  },
};
const parts: PrepareParts = {
  db,
  pool,
  clock,
  queue: api.queue,
  files,
  readingPool,
  limits: api.config.uploads,
};

/** Too long for a call, with few addresses: 600 of them, one of them twice, a row without one and one that is none. */
const pad = 'x'.repeat(1_000);
const rowsOf = (count: number) => Array.from({ length: count }, (_, n) => `jane.${n}@exists.test,${pad}`);
const longFile = ['email,note', ...rowsOf(600), 'JANE.7@exists.test,again', ',none', 'no address,x'].join(
  '\n',
);

async function newCustomer() {
  const token = await api.tokenFor();
  const { id: ownerId } = (await api.call('GET', '/users/me', { token })).json<{ id: string }>();
  const send = (path: string, fields: Record<string, string | Blob>, headers = {}) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    return api.call('POST', path, { token, body, headers });
  };
  const read = async (sql: string, ...values: unknown[]) =>
    (await pool.query(sql, [ownerId, ...values])).rows;
  return {
    ownerId,
    token,
    call: (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown, headers = {}) =>
      api.call(method, path, { token, body, headers }),
    preview: async (text = longFile) =>
      (await send('/validations/lists_bulk/validation', { list_raw: new Blob([text]) })).json<ListPreview>()
        .upload_id,
    create: (upload_id: string, headers = {}) => send('/validations/lists_bulk', { upload_id }, headers),
    createFrom: (text: string, headers = {}) =>
      send('/validations/lists_bulk', { list_raw: new Blob([text]) }, headers),
    give: (credits: number) =>
      db.transaction().execute((tx) =>
        grantCredits(tx, {
          ownerId,
          key: 'gift:test',
          credits,
          now: now(),
          category: 'GRANT',
          source: 'SUPPORT',
          description: 'For a test',
        }),
      ),
    lists: () => read('select id, status from validation_lists where owner_id = $1 order by created_at'),
    wallet: async () => (await read('select balance, held from wallets where owner_id = $1'))[0],
    entries: () =>
      read("select amount, description from ledger_entries where owner_id = $1 and source = 'LIST'"),
    pending: async () =>
      (await read('select sum(pending)::int as pending from validation_metrics where owner_id = $1'))[0]
        .pending,
    uploads: () => read('select list_id, file_key from uploads where owner_id = $1'),
  };
}

/** A list that is being prepared, of a new customer. */
async function newPreparation(text = longFile) {
  const customer = await newCustomer();
  const { id: listId } = (await customer.createFrom(text)).json<ValidationList>();
  const place = { ownerId: customer.ownerId, listId };
  const path = `/validations/lists/${listId}`;
  return {
    ...customer,
    ...place,
    place,
    path,
    at: (method: 'GET' | 'POST' | 'DELETE', action = '', body?: unknown) =>
      customer.call(method, `${path}${action}`, body),
    list: async () => (await customer.call('GET', path)).json<ValidationList>(),
    run: (changes: Partial<PrepareParts> = {}, { run = 0, retryCount = 0 } = {}) =>
      prepareList({ ...parts, ...changes }, { ...place, run }, { signal, retryCount }),
    copied: async () =>
      (
        await pool.query(
          `select (select count(*)::int from list_rows where list_id = $1) as rows,
             (select count(distinct row_number)::int from list_rows where list_id = $1) as numbers,
             (select coalesce(sum(cardinality(row_numbers)), 0)::int from list_chunks where list_id = $1) as chunked`,
          [listId],
        )
      ).rows[0],
    jobs: async () =>
      (
        await pool.query(
          "select name, data->'run' as run from queue.job where data->>'listId' = $1 order by created_on, name",
          [listId],
        )
      ).rows.map(({ name, run }) => [name.replace('validations.', ''), run]),
  };
}

const nothing = { rows: 0, numbers: 0, chunked: 0 };
/** Without the header. */
const everything = { rows: 603, numbers: 603, chunked: 600 };
const codeOf = (answer: { json(): { errors: { code: string }[] } }) => answer.json().errors[0]?.code;

/** A store whose files stop in the middle until they are released, as they do for a process that hangs or is about to die. */
function gatedStore() {
  const halfway = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const store: FileStore = {
    ...files,
    read: (key) =>
      Readable.from(
        (async function* () {
          const bytes = Buffer.concat(await Array.fromAsync(files.read(key)));
          yield bytes.subarray(0, bytes.length / 2);
          halfway.resolve();
          await released.promise;
          yield bytes.subarray(bytes.length / 2);
        })(),
      ),
  };
  return { store, halfway: halfway.promise, release: () => released.resolve() };
}

/** Waits until rows of a list are with PostgreSQL, in a transaction that is still open. */
const untilCopying = () =>
  expect
    .poll(async () => {
      const { rows } = await pool.query(
        `select pid from pg_stat_activity
         where datname = current_database() and state = 'active' and query like 'copy list_rows%'`,
      );
      return rows[0]?.pid ?? null;
    })
    .not.toBeNull();
const endCopy = () =>
  pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and state = 'active' and query like 'copy list_rows%'`,
  );

describe('POST lists_bulk with a long file', () => {
  it('201 answers before any row is copied: PENDING and preparing, with its credits held and a job', async () => {
    const list = await newPreparation();

    expect(await list.list()).toMatchObject({
      status: 'PENDING',
      run_state: 'preparing',
      preparation: { copied_rows: 0, total_rows: 603, problem: null },
      progress: 0,
      total_emails: 600,
      charged_credits: 0,
      completion_date: null,
    });
    expect(await list.wallet()).toEqual({ balance: 1_000, held: 600 });
    expect(await list.copied()).toEqual(nothing);
    expect(await list.jobs()).toEqual([['prepare-list', 0]]);
    expect(await list.pending()).toBe(600);
  });

  it('201 again for the same Idempotency-Key and for the same upload: one list, one hold', async () => {
    const customer = await newCustomer();
    const key = { 'idempotency-key': 'once' };
    const uploadId = await customer.preview();

    const answers = await Promise.all([customer.create(uploadId, key), customer.create(uploadId, key)]);
    const again = await customer.create(uploadId);

    expect([...answers, again].map(({ statusCode }) => statusCode)).toEqual([201, 201, 201]);
    expect(answers[1]?.json()).toEqual(answers[0]?.json());
    expect(again.json()).toEqual(answers[0]?.json());
    expect(await customer.lists()).toHaveLength(1);
    expect(await customer.wallet()).toEqual({ balance: 1_000, held: 600 });
  });

  it('201 for JSON that is as long', async () => {
    const customer = await newCustomer();
    const emails = Array.from(
      { length: 15_000 },
      (_, n) => `jane.with-a-long-address.${n % 500}@exists.test`,
    );

    const answer = await customer.call('POST', '/validations/lists', { emails });

    expect(answer.json()).toMatchObject({ run_state: 'preparing', total_emails: 500 });
    expect(await customer.wallet()).toEqual({ balance: 1_000, held: 500 });
  });

  it('402 when the balance does not cover it: the file is kept, and becomes the list later', async () => {
    const customer = await newCustomer();
    const uploadId = await customer.preview(['email,note', ...rowsOf(1_001)].join('\n'));

    const refused = await customer.create(uploadId);
    expect(refused.json().errors[0]).toMatchObject({
      http_status: 402,
      code: 'insufficient_credits',
      meta: { short_by: 1 },
    });
    expect(await customer.lists()).toEqual([]);
    expect(await customer.uploads()).toMatchObject([{ list_id: null }]);

    await customer.give(1);
    expect((await customer.create(uploadId)).json()).toMatchObject({ run_state: 'preparing' });
    expect(await customer.wallet()).toEqual({ balance: 1_001, held: 1_001 });
  });

  it('holds what the rows below the first cost if that is a header, although it has an address', async () => {
    const customer = await newCustomer();
    const answer = await customer.createFrom(rowsOf(600).join('\n'));
    const withoutHeaders = new FormData();
    withoutHeaders.append('with_headers', 'false');
    withoutHeaders.append('list_raw', new Blob([rowsOf(601).join('\n')]));
    const all = await api.call('POST', '/validations/lists_bulk', {
      token: (await newCustomer()).token,
      body: withoutHeaders,
    });

    expect([answer.json().total_emails, all.json().total_emails]).toEqual([599, 601]);
    expect(await customer.wallet()).toEqual({ balance: 1_000, held: 599 });
    const { id: listId } = answer.json<ValidationList>();
    await prepareList(parts, { ownerId: customer.ownerId, listId, run: 0 }, { signal, retryCount: 0 });
    expect((await customer.call('GET', `/validations/lists/${listId}`)).json()).toMatchObject({
      run_state: 'running',
      total_emails: 599,
    });
  });
});

describe('POST lists_bulk with a file that is too long to be counted in the call', () => {
  const wide = 'x'.repeat(4_000);
  const wideRows = (count: number) =>
    Array.from({ length: count }, (_, n) => `jane.${n}@exists.test,${wide}`);
  const fileOf = (count: number) => ['email,note', ...wideRows(count), 'JANE.7@exists.test,again'].join('\n');

  it('201 answers before it is read, holding one credit; the job counts it, holds its cost and copies it', async () => {
    const list = await newPreparation(fileOf(600));

    expect(await list.list()).toMatchObject({
      status: 'PENDING',
      run_state: 'preparing',
      preparation: { copied_rows: 0, total_rows: 0, problem: null },
      progress: 0,
      total_emails: 0,
      charged_credits: 0,
    });
    expect(await list.wallet()).toEqual({ balance: 1_000, held: 1 });

    await list.run();

    expect(await list.list()).toMatchObject({
      run_state: 'running',
      preparation: null,
      total_emails: 600,
      excluded_emails: { duplicated: 1, non_billable: 0, no_email: 0 },
    });
    expect(await list.copied()).toEqual({ rows: 601, numbers: 601, chunked: 600 });
    expect(await list.wallet()).toEqual({ balance: 1_000, held: 600 });
    expect(await list.pending()).toBe(600);
    expect(await list.uploads()).toMatchObject([{ list_id: list.listId }]);
  });

  it('fails without a charge when the balance does not cover it, and keeps its one file for the sweep', async () => {
    const list = await newPreparation(fileOf(1_001));

    await list.run();

    expect(await list.list()).toMatchObject({
      run_state: 'failed',
      progress: 0,
      total_emails: 0,
      preparation: { problem: { code: 'insufficient_credits' } },
    });
    expect(await list.wallet()).toEqual({ balance: 1_000, held: 0 });
    expect(await list.entries()).toEqual([]);
    expect(await list.pending()).toBe(0);
    expect(await list.uploads()).toHaveLength(1);
    await list.at('DELETE');
    expect(await list.wallet()).toEqual({ balance: 1_000, held: 0 });
  });

  it('402 with an empty balance: no list, no file', async () => {
    const customer = await newCustomer();
    await pool.query('update wallets set held = balance where owner_id = $1', [customer.ownerId]);

    const answer = await customer.createFrom(fileOf(600));

    await pool.query('update wallets set held = 0 where owner_id = $1', [customer.ownerId]);
    expect([answer.statusCode, codeOf(answer)]).toEqual([402, 'insufficient_credits']);
    expect(await customer.lists()).toEqual([]);
    expect(await customer.uploads()).toEqual([]);
  });

  it('201 again for the same Idempotency-Key: one list, one credit on hold', async () => {
    const customer = await newCustomer();
    const key = { 'idempotency-key': 'once' };

    const answers = await Promise.all([
      customer.createFrom(fileOf(600), key),
      customer.createFrom(fileOf(600), key),
    ]);
    const other = await customer.createFrom(fileOf(601), key);

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201]);
    expect(answers[1]?.json()).toEqual(answers[0]?.json());
    expect(other.statusCode).toBe(409);
    expect(await customer.lists()).toHaveLength(1);
    expect(await customer.wallet()).toEqual({ balance: 1_000, held: 1 });
  });

  it('fails with the reason of the file when it has no addresses, or no email column', async () => {
    const nothingToVerify = await newPreparation(
      ['email,note', ...Array(600).fill(`none,${wide}`)].join('\n'),
    );
    const noColumn = await newPreparation(Array(600).fill(`none,${wide}`).join('\n'));

    await nothingToVerify.run();
    await noColumn.run();

    expect((await nothingToVerify.list()).preparation?.problem?.code).toBe('file_no_addresses');
    expect((await noColumn.list()).preparation?.problem?.code).toBe('file_no_email_column');
    expect(await noColumn.wallet()).toEqual({ balance: 1_000, held: 0 });
  });

  it('counts it once when two runs count it at the same time, and one of them dies after that', async () => {
    const list = await newPreparation(fileOf(600));
    const { store, halfway, release } = gatedStore();
    const slow = list.run({ files: store });
    await halfway;
    let reads = 0;
    const read = (key: string) => {
      reads += 1;
      // The first two copy the file and count it.
      if (reads > 2) throw new Error('The process dies when it copies what it has counted.');
      return files.read(key);
    };

    await expect(list.run({ files: { ...files, read } })).rejects.toThrow('The process dies');
    expect(await list.list()).toMatchObject({ run_state: 'preparing', total_emails: 600 });
    expect(await list.copied()).toEqual(nothing);
    release();
    await slow;

    expect(await list.copied()).toEqual({ rows: 601, numbers: 601, chunked: 600 });
    expect(await list.wallet()).toEqual({ balance: 1_000, held: 600 });
    expect(await list.pending()).toBe(600);
    expect(await list.uploads()).toMatchObject([{ list_id: list.listId }]);
  });

  it('is deleted before it is counted: nothing is charged', async () => {
    const list = await newPreparation(fileOf(600));
    const { store, halfway, release } = gatedStore();
    const running = list.run({ files: store });
    await halfway;

    expect((await list.at('DELETE')).statusCode).toBe(204);
    release();
    await running;

    expect(await list.wallet()).toEqual({ balance: 1_000, held: 0 });
    expect(await list.copied()).toEqual(nothing);
    expect(await list.pending()).toBe(0);
  });

  it('reads the column that the call asks for', async () => {
    const customer = await newCustomer();
    const body = new FormData();
    for (const [name, value] of Object.entries({ with_headers: 'false', email_column: '2' }))
      body.append(name, value);
    const rows = Array.from({ length: 600 }, (_, n) => `a.${n}@exists.test,b.${n % 5}@exists.test,${wide}`);
    body.append('list_raw', new Blob([rows.join('\n')]));
    const answer = await api.call('POST', '/validations/lists_bulk', { token: customer.token, body });
    const { id: listId } = answer.json<ValidationList>();

    await prepareList(parts, { ownerId: customer.ownerId, listId, run: 0 }, { signal, retryCount: 0 });

    expect((await customer.call('GET', `/validations/lists/${listId}`)).json()).toMatchObject({
      total_emails: 5,
      excluded_emails: { duplicated: 595 },
    });
    expect(await customer.wallet()).toEqual({ balance: 1_000, held: 5 });
  });

  it('keeps within the monthly limit of the key that ordered it', async () => {
    const customer = await newCustomer();
    const scopes = ['verify', 'read_results'];
    const keyBody = { name: 'Shop', scopes, monthly_credit_limit: 599 };
    const key = (await customer.call('POST', '/users/api-keys/more', keyBody)).json<{ api_token: string }>();
    const order = async (count: number) => {
      const body = new FormData();
      body.append('list_raw', new Blob([fileOf(count)]));
      const answer = await api.call('POST', '/validations/lists_bulk', {
        headers: { 'x-api-key': key.api_token },
        body,
      });
      const { id: listId } = answer.json<ValidationList>();
      await prepareList(parts, { ownerId: customer.ownerId, listId, run: 0 }, { signal, retryCount: 0 });
      return (await customer.call('GET', `/validations/lists/${listId}`)).json<ValidationList>();
    };

    expect((await order(600)).preparation?.problem?.code).toBe('api_key_limit_reached');
    expect(await order(598)).toMatchObject({ run_state: 'running', total_emails: 598 });
    const usage = await pool.query('select credits from api_key_usage where owner_id = $1', [
      customer.ownerId,
    ]);
    expect(usage.rows).toEqual([{ credits: 598 }]);
  });
});

describe('preparing a list', () => {
  it('copies every row once, starts the list, and keeps the hold', async () => {
    const list = await newPreparation();

    await list.run();

    expect(await list.list()).toMatchObject({
      status: 'PENDING',
      run_state: 'running',
      preparation: null,
      total_emails: 600,
      excluded_emails: { duplicated: 1, non_billable: 2, no_email: 1 },
    });
    expect(await list.copied()).toEqual(everything);
    expect(await list.jobs()).toEqual([
      ['prepare-list', 0],
      ['verify-short-list', 0],
      ['verify-short-list', 0],
      ['verify-short-list', 0],
    ]);
    expect(await list.wallet()).toEqual({ balance: 1_000, held: 600 });
    expect(await list.pending()).toBe(600);
    expect((await list.at('GET', '/emails?page_size=10&page_number=1')).json()).toMatchObject({ total: 600 });

    await list.run();
    expect([await list.copied(), (await list.jobs()).length]).toEqual([everything, 4]);
  });

  it('tells how many rows are copied while it copies them', async () => {
    const list = await newPreparation();
    const { store, halfway, release } = gatedStore();
    const running = list.run({ files: store });
    await halfway;

    await expect.poll(async () => (await list.list()).preparation?.copied_rows).toBeGreaterThan(100);
    expect((await list.list()).preparation?.copied_rows).toBeLessThan(603);
    release();
    await running;
    expect(await list.copied()).toEqual(everything);
  });

  it('keeps columns that look like ours but hold other values', async () => {
    const rows = Array.from({ length: 600 }, (_, n) => `jane.${n}@exists.test,${pad},VALID,mailbox_accepted`);
    const text = ['email,note,result,reason', ...rows.slice(0, 599), `last@exists.test,${pad},mine,own`].join(
      '\n',
    );
    const list = await newPreparation(text);

    await list.run();

    expect((await list.at('GET', '/columns')).json()).toMatchObject({
      columns: ['email', 'note', 'result', 'reason'],
    });
    expect(await list.copied()).toEqual({ rows: 600, numbers: 600, chunked: 600 });
  });

  it('begins again after its process died in the middle: exact rows, exact balance', async () => {
    const list = await newPreparation();
    const { store, halfway, release } = gatedStore();
    const dying = list.run({ files: store });
    await halfway;
    await untilCopying();

    await endCopy();
    release();
    await expect(dying).rejects.toThrow();

    expect(await list.list()).toMatchObject({ run_state: 'preparing', total_emails: 600 });
    expect(await list.copied()).toEqual(nothing);
    expect(await list.wallet()).toEqual({ balance: 1_000, held: 600 });
    await list.run();
    expect(await list.copied()).toEqual(everything);
    expect(await list.wallet()).toEqual({ balance: 1_000, held: 600 });
    expect(await list.pending()).toBe(600);
  });

  it('begins again after its process died when the rows were copied and the list not yet published', async () => {
    const list = await newPreparation();
    const holder = await pool.connect();
    await holder.query('begin; lock table list_chunks in access exclusive mode');
    const dying = list.run();
    const gaveUp = expect(dying).rejects.toThrow();
    const endWaiting = async () => {
      const { rowCount } = await pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like 'copy list_chunks%'`,
      );
      return rowCount;
    };
    await expect.poll(endWaiting).toBe(1);
    await gaveUp;
    await holder.query('rollback');
    holder.release();

    expect(await list.copied()).toEqual(nothing);
    await list.run();
    expect(await list.copied()).toEqual(everything);
    expect((await list.jobs()).length).toBe(4);
    expect(await list.wallet()).toEqual({ balance: 1_000, held: 600 });
  });

  it('takes over from a process that hangs with its transaction open', async () => {
    const list = await newPreparation();
    const { store, halfway, release } = gatedStore();
    const hanging = list.run({ files: store });
    const gaveUp = expect(hanging).rejects.toThrow();
    await halfway;
    await untilCopying();
    const otherProcess = openReadingPool({ ...poolParts, metrics: createMetrics() });

    await list.run({ readingPool: otherProcess });

    await otherProcess.close();
    expect(await list.copied()).toEqual(everything);
    release();
    await gaveUp;
    expect(await list.copied()).toEqual(everything);
    expect((await list.list()).run_state).toBe('running');
  });

  it('a list of earlier jobs that were lost is prepared by a new run, and the old run ends', async () => {
    const list = await newPreparation();
    await pool.query("delete from queue.job where data->>'listId' = $1", [list.listId]);

    const repaired = await Array.fromAsync(
      emailLists.repair({ db, clock: systemClock, queue: api.queue }, signal),
    );

    expect(repaired).toContainEqual(list.place);
    expect(await list.jobs()).toEqual([['prepare-list', 1]]);
    await list.run({}, { run: 0 });
    expect(await list.copied()).toEqual(nothing);
    await list.run({}, { run: 1 });
    expect(await list.copied()).toEqual(everything);
  });

  it('keeps the file until the rows are copied, and no longer', async () => {
    const list = await newPreparation();
    const later = new Date(Date.now() + 3 * 86_400_000);
    const sweep = () => sweepValidations({ db, clock: { now: () => later }, files }, signal);

    await sweep();
    expect(await list.uploads()).toHaveLength(1);
    await list.run();
    expect(await list.copied()).toEqual(everything);
    await sweep();
    expect(await list.uploads()).toEqual([]);
  });
});

describe('a list that is being prepared', () => {
  it('is cancelled by deleting it, also while its rows are copied: no row, no charge, no hold', async () => {
    const list = await newPreparation();
    const { store, halfway, release } = gatedStore();
    const running = list.run({ files: store });
    await halfway;
    await untilCopying();

    expect((await list.at('DELETE')).statusCode).toBe(204);
    expect(await list.wallet()).toEqual({ balance: 1_000, held: 0 });
    release();
    await running;

    expect(await list.copied()).toEqual(nothing);
    expect(await list.lists()).toMatchObject([{ status: 'DELETED' }]);
    expect(await list.pending()).toBe(0);
    expect(await list.entries()).toEqual([{ amount: 0, description: 'List verification, stopped' }]);
  });

  it('remembers a pause: it is paused when its rows are there, and checks none until it is resumed', async () => {
    const list = await newPreparation();

    expect((await list.at('POST', '/pause')).json()).toMatchObject({
      status: 'PENDING',
      run_state: 'paused',
      preparation: { copied_rows: 0 },
    });
    expect((await list.at('POST', '/pause')).json()).toMatchObject({ run_state: 'paused' });
    await list.run();

    expect(await list.list()).toMatchObject({ run_state: 'paused', preparation: null });
    expect(await list.copied()).toEqual(everything);
    expect(await list.jobs()).toEqual([['prepare-list', 0]]);
    expect((await list.at('POST', '/resume')).json()).toMatchObject({ run_state: 'running' });
    expect(await list.jobs()).toEqual([
      ['prepare-list', 0],
      ['resume-list', 1],
    ]);
  });

  it('runs if it is resumed before its rows are there', async () => {
    const list = await newPreparation();
    await list.at('POST', '/pause');

    expect((await list.at('POST', '/resume')).json()).toMatchObject({ run_state: 'preparing' });
    await list.run();

    expect(await list.list()).toMatchObject({ run_state: 'running' });
    expect((await list.jobs()).map(([name]) => name)).toContain('verify-short-list');
  });

  it('409 for everything that needs its rows', async () => {
    const list = await newPreparation();
    const answers = [
      await list.at('GET', '/emails'),
      await list.at('GET', '/emails/1'),
      await list.at('GET', '/columns'),
      await list.at('POST', '/export'),
      await list.at('POST', '/links', { days: 1 }),
      await list.at('POST', '/finish'),
      await list.at('POST', '/reverify'),
    ];

    expect(answers.map((answer) => [answer.statusCode, codeOf(answer)])).toEqual([
      ...Array.from({ length: 5 }, () => [409, 'list_without_rows']),
      [409, 'list_preparing'],
      [409, 'list_not_complete'],
    ]);
    expect((await list.at('GET', '/emails/summary')).json()).toMatchObject({ reasons: [] });
  });

  it('ends with its account, which gets its credits back', async () => {
    const list = await newPreparation();
    await db.transaction().execute((tx) => settleWorkOf(tx, { ownerId: list.ownerId, now: now() }));
    expect(await list.wallet()).toEqual({ balance: 1_000, held: 0 });
  });
});

describe('a list whose rows cannot be copied', () => {
  it('fails if its file is gone: its credits come back without a charge, and it can only be deleted', async () => {
    const list = await newPreparation();
    await pool.query('delete from uploads where list_id = $1', [list.listId]);

    await list.run();

    expect(await list.list()).toMatchObject({
      status: 'PENDING',
      run_state: 'failed',
      charged_credits: 0,
      preparation: {
        problem: { code: 'list_file_gone', message: expect.stringContaining('Send the file again') },
      },
    });
    expect(await list.wallet()).toEqual({ balance: 1_000, held: 0 });
    expect(await list.entries()).toEqual([]);
    expect(await list.pending()).toBe(0);
    const answers = [
      await list.at('GET', '/emails'),
      await list.at('POST', '/export'),
      await list.at('POST', '/pause'),
      await list.at('POST', '/resume'),
      await list.at('POST', '/finish'),
      await list.at('POST', '/reverify'),
    ];
    expect(answers.map(codeOf)).toEqual(answers.map(() => 'list_failed'));
    expect((await list.at('DELETE')).statusCode).toBe(204);
    expect(await list.wallet()).toEqual({ balance: 1_000, held: 0 });
  });

  it('announces its failure to the webhook once, also if several tries fail at once', async () => {
    const list = await newPreparation();
    await list.call('POST', '/users/webhooks', { url: 'https://hooks.example.com/assay' });
    await pool.query('delete from uploads where list_id = $1', [list.listId]);

    await Promise.all(Array.from({ length: 8 }, () => list.run()));
    await list.run();

    const { rows } = await pool.query('select event_type, body from webhook_deliveries where owner_id = $1', [
      list.ownerId,
    ]);
    expect(rows.map(({ event_type }) => event_type)).toEqual(['list.failed']);
    expect(JSON.parse(rows[0]?.body).data).toEqual(await list.list());
  });

  it('announces nothing if the failure is not committed, and does so with the next try', async () => {
    const list = await newPreparation();
    await list.call('POST', '/users/webhooks', { url: 'https://hooks.example.com/assay' });
    await pool.query('delete from uploads where list_id = $1', [list.listId]);
    const announced = async () =>
      (await pool.query('select 1 from webhook_deliveries where owner_id = $1', [list.ownerId])).rowCount;
    const died = new Error('The worker died.');
    const queue = { ...api.queue, enqueueMany: () => Promise.reject(died) };

    await expect(list.run({ queue })).rejects.toThrow(died);
    expect([await announced(), (await list.list()).run_state]).toEqual([0, 'preparing']);
    await list.run();

    expect([await announced(), (await list.list()).run_state]).toEqual([1, 'failed']);
  });

  it('fails if reading the file takes more than its size allows', async () => {
    const list = await newPreparation();
    const strictPool = openReadingPool({ ...poolParts, metrics: createMetrics(), cpuMsFor: () => 0 });

    await list.run({ files: gatedStore().store, readingPool: strictPool });
    await strictPool.close();

    expect((await list.list()).preparation?.problem?.code).toBe('file_too_complex');
    expect(await list.wallet()).toEqual({ balance: 1_000, held: 0 });
  });

  it('is tried again while the file store is away, but not for ever', async () => {
    const list = await newPreparation();
    const away: FileStore = { ...files, read: () => Readable.from(failing()) };

    await expect(list.run({ files: away })).rejects.toThrow();
    expect((await list.list()).run_state).toBe('preparing');
    await list.run({ files: away }, { retryCount: 20 });

    expect((await list.list()).preparation?.problem?.code).toBe('list_not_prepared');
    expect(await list.wallet()).toEqual({ balance: 1_000, held: 0 });
  });
});

// biome-ignore lint/correctness/useYield: it fails first.
async function* failing(): AsyncGenerator<Buffer> {
  throw new Error('The store is away.');
}

describe('verifying many unknown rows again', () => {
  /** A complete list with 10,001 unknown rows. */
  async function newUnknowns() {
    const customer = await newCustomer();
    await customer.give(30_000);
    const text = `email\n${Array.from({ length: 10_001 }, (_, n) => `jane.${n}@exists.test`).join('\n')}`;
    const { id: listId } = (await customer.createFrom(text)).json<ValidationList>();
    const place = { ownerId: customer.ownerId, listId };
    await customer.call('POST', `/validations/lists/${listId}/finish`);
    await finishList({ db, queue: api.queue, clock: systemClock }, place, signal);
    const answer = await customer.call('POST', `/validations/lists/${listId}/reverify`);
    const again = answer.json<ValidationList>();
    return {
      ...customer,
      listId,
      again,
      run: () =>
        prepareList(parts, { ownerId: place.ownerId, listId: again.id, run: 0 }, { signal, retryCount: 0 }),
      read: async () => (await customer.call('GET', `/validations/lists/${again.id}`)).json<ValidationList>(),
    };
  }

  it('201 answers before they are copied, and a job copies them', async () => {
    const list = await newUnknowns();
    expect(list.again).toMatchObject({
      run_state: 'preparing',
      total_emails: 10_001,
      source_list_id: list.listId,
    });
    expect(await list.wallet()).toMatchObject({ held: 10_001 });

    await list.run();

    expect(await list.read()).toMatchObject({ run_state: 'running', total_emails: 10_001 });
    const { rows } = await pool.query(
      `select count(*)::int as rows, (select sum(cardinality(row_numbers))::int from list_chunks where list_id = $1) as chunked
       from list_rows where list_id = $1`,
      [list.again.id],
    );
    expect(rows).toEqual([{ rows: 10_001, chunked: 10_001 }]);
  });

  it('fails if their list is deleted meanwhile', async () => {
    const list = await newUnknowns();
    await list.call('DELETE', `/validations/lists/${list.listId}`);

    await list.run();

    expect((await list.read()).preparation?.problem?.code).toBe('list_source_deleted');
    expect(await list.wallet()).toMatchObject({ held: 0 });
  });
});

it('leaves a ledger that agrees', async () => {
  expect(await Array.fromAsync(auditLedger(db))).toEqual([]);
});
