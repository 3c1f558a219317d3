import { Readable } from 'node:stream';
import type { ValidationList } from '@assay/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../platform/clock.ts';
import type { FileStore } from '../../../platform/files/file-store.ts';
import { auditLedger } from '../../billing/index.ts';
import { settleWorkOf } from '../customer-removal.ts';
import { sweepValidations } from '../sweep.ts';
import { emailLists } from './email-lists.ts';
import { finishList } from './finish-list.ts';
import { nothingCopied, startPreparations } from './testing/preparations.ts';

const preparations = await startPreparations();
const { api, files, openPool, prepare, newCustomer, newPreparation, gatedStore } = preparations;
const { db, pool } = api.database;
afterAll(() => preparations.close());
const { signal } = new AbortController();

/** Too long for a call, with few addresses: 600 of them, one of them twice, a row without one and one that is none. */
const pad = 'x'.repeat(1_000);
const rowsOf = (count: number) => Array.from({ length: count }, (_, n) => `jane.${n}@exists.test,${pad}`);
const longFile = ['email,note', ...rowsOf(600), 'JANE.7@exists.test,again', ',none', 'no address,x'].join(
  '\n',
);

/** Without the header. */
const everything = { rows: 603, numbers: 603, chunked: 600 };
const codeOf = (answer: { json(): { errors: { code: string }[] } }) => answer.json().errors[0]?.code;

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
    const list = await newPreparation(longFile);

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
    expect(await list.copied()).toEqual(nothingCopied);
    expect(await list.jobs()).toEqual([['prepare-list', 0]]);
    expect(await list.pending()).toBe(600);
  });

  it('201 again for the same Idempotency-Key and for the same upload: one list, one hold', async () => {
    const customer = await newCustomer();
    const key = { 'idempotency-key': 'once' };
    const uploadId = await customer.preview(longFile);

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
    await prepare({ ownerId: customer.ownerId, listId });
    expect((await customer.call('GET', `/validations/lists/${listId}`)).json()).toMatchObject({
      run_state: 'running',
      total_emails: 599,
    });
  });
});

describe('preparing a list', () => {
  it('copies every row once, starts the list, and keeps the hold', async () => {
    const list = await newPreparation(longFile);

    await list.run();

    expect(await list.list()).toMatchObject({
      status: 'PENDING',
      run_state: 'running',
      preparation: null,
      total_emails: 600,
      excluded_emails: { duplicated: 1, non_billable: 2, no_email: 1, suppressed: 0 },
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
    const list = await newPreparation(longFile);
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
    const list = await newPreparation(longFile);
    const { store, halfway, release } = gatedStore();
    const dying = list.run({ files: store });
    await halfway;
    await untilCopying();

    await endCopy();
    release();
    await expect(dying).rejects.toThrow();

    expect(await list.list()).toMatchObject({ run_state: 'preparing', total_emails: 600 });
    expect(await list.copied()).toEqual(nothingCopied);
    expect(await list.wallet()).toEqual({ balance: 1_000, held: 600 });
    await list.run();
    expect(await list.copied()).toEqual(everything);
    expect(await list.wallet()).toEqual({ balance: 1_000, held: 600 });
    expect(await list.pending()).toBe(600);
  });

  it('begins again after its process died when the rows were copied and the list not yet published', async () => {
    const list = await newPreparation(longFile);
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

    expect(await list.copied()).toEqual(nothingCopied);
    await list.run();
    expect(await list.copied()).toEqual(everything);
    expect((await list.jobs()).length).toBe(4);
    expect(await list.wallet()).toEqual({ balance: 1_000, held: 600 });
  });

  it('takes over from a process that hangs with its transaction open', async () => {
    const list = await newPreparation(longFile);
    const { store, halfway, release } = gatedStore();
    const hanging = list.run({ files: store });
    const gaveUp = expect(hanging).rejects.toThrow();
    await halfway;
    await untilCopying();
    const otherProcess = openPool();

    await list.run({ readingPool: otherProcess });

    await otherProcess.close();
    expect(await list.copied()).toEqual(everything);
    release();
    await gaveUp;
    expect(await list.copied()).toEqual(everything);
    expect((await list.list()).run_state).toBe('running');
  });

  it('a list of earlier jobs that were lost is prepared by a new run, and the old run ends', async () => {
    const list = await newPreparation(longFile);
    await pool.query("delete from queue.job where data->>'listId' = $1", [list.listId]);

    const repaired = await Array.fromAsync(
      emailLists.control.repair({ db, clock: systemClock, queue: api.queue }, signal),
    );

    expect(repaired).toContainEqual(list.place);
    expect(await list.jobs()).toEqual([['prepare-list', 1]]);
    await list.run({}, { run: 0 });
    expect(await list.copied()).toEqual(nothingCopied);
    await list.run({}, { run: 1 });
    expect(await list.copied()).toEqual(everything);
  });

  it('keeps the file until the rows are copied, and no longer', async () => {
    const list = await newPreparation(longFile);
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
    const list = await newPreparation(longFile);
    const { store, halfway, release } = gatedStore();
    const running = list.run({ files: store });
    await halfway;
    await untilCopying();

    expect((await list.at('DELETE')).statusCode).toBe(204);
    expect(await list.wallet()).toEqual({ balance: 1_000, held: 0 });
    release();
    await running;

    expect(await list.copied()).toEqual(nothingCopied);
    expect(await list.lists()).toMatchObject([{ status: 'DELETED' }]);
    expect(await list.pending()).toBe(0);
    expect(await list.entries()).toEqual([{ amount: 0, description: 'List verification, stopped' }]);
  });

  it('remembers a pause: it is paused when its rows are there, and checks none until it is resumed', async () => {
    const list = await newPreparation(longFile);

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
    const list = await newPreparation(longFile);
    await list.at('POST', '/pause');

    expect((await list.at('POST', '/resume')).json()).toMatchObject({ run_state: 'preparing' });
    await list.run();

    expect(await list.list()).toMatchObject({ run_state: 'running' });
    expect((await list.jobs()).map(([name]) => name)).toContain('verify-short-list');
  });

  it('409 for everything that needs its rows', async () => {
    const list = await newPreparation(longFile);
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
    const list = await newPreparation(longFile);
    await db.transaction().execute((tx) => settleWorkOf(tx, { ownerId: list.ownerId, now: new Date() }));
    expect(await list.wallet()).toEqual({ balance: 1_000, held: 0 });
  });
});

describe('a list whose rows cannot be copied', () => {
  it('fails if its file is gone: its credits come back without a charge, and it can only be deleted', async () => {
    const list = await newPreparation(longFile);
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
    const list = await newPreparation(longFile);
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
    const list = await newPreparation(longFile);
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
    const list = await newPreparation(longFile);
    const strictPool = openPool({ cpuMsFor: () => 0 });

    await list.run({ files: gatedStore().store, readingPool: strictPool });
    await strictPool.close();

    expect((await list.list()).preparation?.problem?.code).toBe('file_too_complex');
    expect(await list.wallet()).toEqual({ balance: 1_000, held: 0 });
  });

  it('is tried again while the file store is away, but not for ever', async () => {
    const list = await newPreparation(longFile);
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
      run: () => prepare({ ownerId: place.ownerId, listId: again.id }),
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
