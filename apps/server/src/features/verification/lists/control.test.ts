import { randomUUID } from 'node:crypto';
import type { ValidationList, Verdict } from '@assay/contract';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../platform/clock.ts';
import { startTestApi } from '../../../testing/api.ts';
import { productOfFile } from '../../../testing/product.ts';
import { auditLedger } from '../../billing/index.ts';
import { sweepWaits } from '../../lists/index.ts';
import type { RowFinding } from '../rows/results.store.ts';
import { createChunkFinder, findRowsToVerify } from '../rows/work.store.ts';
import { emailLists } from './email-lists.ts';
import { finishList } from './finish-list.ts';
import { resumeList } from './resume-list.ts';
import { reverifyList } from './reverify-list.ts';
import { writeResults } from './write-results.ts';

const { api } = await productOfFile();
/** Shares nothing with the product above, so no worker takes up its jobs. */
const idle = await startTestApi();
afterAll(() => idle.close());

const { signal } = new AbortController();
const day = 86_400_000;
const reasons = {
  VALID: 'mailbox_accepted',
  INVALID: 'no_such_mailbox',
  CATCH_ALL: 'catch_all',
  UNKNOWN: 'greylisted',
};
const rowsOf = (verdicts: Readonly<Record<number, Verdict>>): RowFinding[] =>
  Object.entries(verdicts).map(([rowNumber, verdict]) => ({
    rowNumber: Number(rowNumber),
    verdict,
    reason: reasons[verdict],
    flags: 0,
    mxProvider: null,
    suggestion: null,
    detail: '{"flags":null,"suggestion":null,"evidence":[]}',
  }));

/** A list with the addresses a1 to a4 in the rows 1 to 4, and a duplicate of a4 in row 5, that no worker touches. */
async function startIdleList(
  file = 'email,note\na1@exists.test,n1\na2@exists.test,n2\na3@exists.test,n3\na4@exists.test,n4\nA4@exists.test,n5\n',
) {
  const token = await idle.tokenFor();
  const { id: ownerId } = (await idle.call('GET', '/users/me', { token })).json<{ id: string }>();
  const form = new FormData();
  form.append('list_raw', new Blob([file]), 'people.csv');
  const { id } = (
    await idle.call('POST', '/validations/lists_bulk', { token, body: form })
  ).json<ValidationList>();
  const place = { ownerId, listId: id };
  const parts = { db: idle.database.db, queue: idle.queue, clock: systemClock };
  const path = (listId = id) => `/validations/lists/${listId}`;
  return {
    ...place,
    place,
    parts,
    post: (action: string, headers = {}) => idle.call('POST', `${path()}/${action}`, { token, headers }),
    read: async (listId = id) => (await idle.call('GET', path(listId), { token })).json<ValidationList>(),
    readInGrid: async () => {
      const grid = await idle.call('GET', '/validations/lists', { token });
      return grid.json<{ results: ValidationList[] }>().results.find((list) => list.id === id);
    },
    remove: () => idle.call('DELETE', path(), { token }),
    write: (verdicts: Readonly<Record<number, Verdict>>) =>
      writeResults(parts, place, rowsOf(verdicts), new Date()),
    resumeChunks: (part: { run: number; fromChunk?: number }) =>
      resumeList({ ...parts, egress: 'main' }, { ...place, fromChunk: 0, ...part }),
    finishRows: () => finishList(parts, place, signal),
    emails: async (listId = id) =>
      (await idle.call('GET', `${path(listId)}/emails`, { token }))
        .json()
        .results.map(
          (email: {
            email_address: string;
            email_address_status: string;
            reason: { code: string } | null;
          }) => [email.email_address, email.email_address_status, email.reason?.code ?? null],
        ),
    exported: async (query: string, listId = id) => {
      const order = await idle.call('POST', `${path(listId)}/export?${query}`, { token });
      const { pathname, search } = new URL(order.json().download_link);
      return (await idle.app.inject({ method: 'GET', url: pathname + search })).body;
    },
    wallet: async () =>
      (await idle.database.pool.query('select balance, held from wallets where owner_id = $1', [ownerId]))
        .rows[0],
    entries: async () =>
      (
        await idle.database.pool.query(
          "select amount, description from ledger_entries where owner_id = $1 and source = 'LIST' order by entry_number",
          [ownerId],
        )
      ).rows.map(({ amount, description }) => [amount, description]),
    metrics: async () =>
      (
        await idle.database.pool.query(
          'select pending, valid, invalid, catch_all, unknown from validation_metrics where owner_id = $1',
          [ownerId],
        )
      ).rows[0],
    jobs: async (name: string) =>
      (
        await idle.database.pool.query(
          "select data from queue.job where name like $1 and data->>'listId' = $2 order by created_on, data->>'run'",
          [name, id],
        )
      ).rows.map(({ data }) => data),
  };
}

const auditIdle = () => Array.fromAsync(auditLedger(idle.database.db));
const codeOf = (answer: { json(): { errors: { code: string }[] } }) => answer.json().errors[0]?.code;

describe('pause and resume', () => {
  it('200 keeps the hold and status PENDING, and answers the same again', async () => {
    const list = await startIdleList();

    const answers = [await list.post('pause'), await list.post('pause')];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(answers[0]?.json()).toMatchObject({ status: 'PENDING', run_state: 'paused', waiting: [] });
    expect(answers[1]?.json()).toEqual(answers[0]?.json());
    expect(await list.wallet()).toEqual({ balance: 1_000, held: 4 });
    expect(await list.read()).toMatchObject({ status: 'PENDING', run_state: 'paused' });
  });

  it('a paused list hands out no rows; a resumed one hands out those without a result to jobs of the new run only', async () => {
    const list = await startIdleList();
    const findChunk = createChunkFinder(idle.database.db);
    const rowNumbersOf = async (run: number) =>
      (await findChunk({ ...list.place, run, chunkNumber: 0, wasBegun: true }))
        .map(({ rowNumber }) => rowNumber)
        .sort();
    const deferredOf = async (run: number) =>
      (await findRowsToVerify(idle.database.db, { ...list.place, run }, [2, 3])).length;
    await list.write({ 1: 'VALID' });
    expect(await rowNumbersOf(0)).toEqual([2, 3, 4]);

    await list.post('pause');
    expect([await rowNumbersOf(0), await deferredOf(0)]).toEqual([[], 0]);

    const resumed = await list.post('resume');
    await list.post('resume');

    expect(resumed.json()).toMatchObject({ status: 'PENDING', run_state: 'running' });
    expect([await rowNumbersOf(0), await rowNumbersOf(1)]).toEqual([[], [2, 3, 4]]);
    expect([await deferredOf(0), await deferredOf(1)]).toEqual([0, 2]);
    expect(await list.jobs('validations.resume-list')).toEqual([{ ...list.place, run: 1, fromChunk: 0 }]);
    await list.resumeChunks({ run: 0 });
    await list.resumeChunks({ run: 1 });
    expect(await list.jobs('validations.verify-short-list')).toEqual([
      { ...list.place, chunkNumber: 0, run: 0 },
      { ...list.place, chunkNumber: 0, run: 1 },
    ]);
  });

  it('rows that hosts have put off keep their time, patience and attempts; jobs of chunks leave them alone', async () => {
    const list = await startIdleList();
    const [since, until] = [new Date(Date.now() - 3_600_000), new Date(Date.now() + 600_000)];
    const waits = (row: { rowNumber: number; since: Date; attempts: number }) => ({
      host: 'mx.exists.test',
      until: row.attempts === 1 ? since : until,
      row,
    });
    await idle.database.db
      .transaction()
      .execute((tx) =>
        emailLists.results.deferRows(tx, list.place, 0, [
          waits({ rowNumber: 2, since, attempts: 1 }),
          waits({ rowNumber: 2, since, attempts: 3 }),
          waits({ rowNumber: 3, since, attempts: 1 }),
        ]),
      );
    await list.post('pause');
    await sweepWaits(idle.database.db, new Date(Date.now() + 29 * 86_400_000));
    await list.post('resume');
    // The clock of the worker was set back meanwhile.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 7_200_000 });
    await list.resumeChunks({ run: 1 });
    vi.useRealTimers();
    await list.resumeChunks({ run: 1 });

    const deferred = await idle.database.pool.query(
      `select data, start_after between now() and now() + interval '1 hour' as is_later from queue.job
       where name like 'validations.verify-deferred.%' and data->>'listId' = $1 order by data->>'attempts'`,
      [list.listId],
    );
    const common = { ...list.place, run: 1, since: since.toISOString() };
    expect(deferred.rows).toEqual([
      { data: { ...common, rowNumbers: [3], attempts: 1 }, is_later: false },
      { data: { ...common, rowNumbers: [2], attempts: 3 }, is_later: true },
    ]);
    const rows = await createChunkFinder(idle.database.db)({
      ...{ ...list.place, run: 1, chunkNumber: 0, wasBegun: true },
    });
    expect(rows.map(({ rowNumber }) => rowNumber).sort()).toEqual([1, 4]);
    expect((await list.read()).waiting).toEqual([
      { host: 'mx.exists.test', cause: 'mail_host', until: until.toISOString(), count: 1 },
    ]);

    await list.remove();
    const { rows: left } = await idle.database.pool.query(
      'select count(*)::int as waits from list_waits where list_id = $1',
      [list.listId],
    );
    expect(left, 'waits of a deleted list').toEqual([{ waits: 0 }]);
  });

  it('chunks without an open row get no job, and a job begins at its own chunk', async () => {
    const addresses = Array.from({ length: 700 }, (_, at) => `jane.${at}@exists.test`);
    const list = await startIdleList(`email\n${addresses.join('\n')}\n`);
    await list.write(Object.fromEntries(Array.from({ length: 250 }, (_, at) => [at + 1, 'VALID' as const])));
    await list.post('pause');
    await list.post('resume');
    await list.resumeChunks({ run: 1, fromChunk: 0 });
    const chunksOf = async () =>
      (await list.jobs('validations.verify-short-list'))
        .filter(({ run }) => run === 1)
        .map(({ chunkNumber }) => chunkNumber)
        .sort();
    expect(await chunksOf()).toEqual([1, 2]);
    await list.resumeChunks({ run: 1, fromChunk: 2 });
    expect(await chunksOf()).toEqual([1, 2, 2]);
  });

  it('results of work under way count while the list is paused, and the last one completes it', async () => {
    const list = await startIdleList();
    await list.post('pause');

    await list.write({ 1: 'VALID', 2: 'INVALID' });
    expect(await list.read()).toMatchObject({ run_state: 'paused', progress: 50 });
    await list.write({ 3: 'VALID', 4: 'UNKNOWN' });

    expect(await list.read()).toMatchObject({ status: 'COMPLETE', run_state: null, progress: 100 });
    expect(await list.wallet()).toEqual({ balance: 997, held: 0 });
    expect((await list.post('resume')).json()).toMatchObject({ status: 'COMPLETE' });
    const pause = await list.post('pause');
    expect([pause.statusCode, codeOf(pause)]).toEqual([409, 'list_complete']);
  });

  it('429 after 120 restarts in an hour: each goes through the whole list', async () => {
    const list = await startIdleList();
    const answers = [];
    for (let count = 0; count <= 120; count += 1) answers.push((await list.post('resume')).statusCode);

    expect(answers.slice(0, 120)).toEqual(Array(120).fill(200));
    expect(answers[120]).toBe(429);
  });

  it('404 for a list that is not there', async () => {
    const list = await startIdleList();
    await list.remove();

    for (const action of ['pause', 'resume', 'finish', 'reverify']) {
      expect(codeOf(await list.post(action))).toBe('list_not_found');
    }
  });
});

describe('finish', () => {
  it('200 finishing, which a pause cannot undo; then unchecked rows are UNKNOWN, uncharged, with the reason not_checked', async () => {
    const list = await startIdleList();
    await list.write({ 1: 'VALID', 2: 'UNKNOWN' });

    const answers = [await list.post('finish'), await list.post('finish')];
    expect(answers.map((answer) => answer.json().run_state)).toEqual(['finishing', 'finishing']);
    expect(await list.jobs('validations.finish-list')).toEqual([list.place]);
    for (const action of ['pause', 'resume']) {
      const refused = await list.post(action);
      expect([refused.statusCode, codeOf(refused)]).toEqual([409, 'list_finishing']);
    }
    expect(await list.wallet()).toEqual({ balance: 1_000, held: 4 });

    await list.finishRows();
    await list.finishRows();

    expect(await list.read()).toMatchObject({
      status: 'COMPLETE',
      run_state: null,
      email_metrics: { valid_emails: 1, invalid_emails: 0, catch_all_emails: 0, unknown_emails: 3 },
    });
    expect(await list.emails()).toEqual([
      ['a1@exists.test', 'VALID', 'mailbox_accepted'],
      ['a2@exists.test', 'UNKNOWN', 'greylisted'],
      ['a3@exists.test', 'UNKNOWN', 'not_checked'],
      ['a4@exists.test', 'UNKNOWN', 'not_checked'],
    ]);
    expect(await list.exported('status=UNKNOWN&rows=all')).toContain('A4@exists.test,n5,UNKNOWN,not_checked');
    expect(await list.wallet()).toEqual({ balance: 999, held: 0 });
    expect(await list.entries()).toEqual([[-1, 'List verification']]);
    expect(await list.metrics()).toEqual({ pending: 0, valid: 1, invalid: 0, catch_all: 0, unknown: 3 });
    expect((await list.post('finish')).json()).toMatchObject({ status: 'COMPLETE' });
    expect(await auditIdle()).toEqual([]);
  });

  it('counts every row once when workers write results of the same rows at the same time', async () => {
    const addresses = Array.from({ length: 200 }, (_, index) => `b${index}@exists.test`);
    const list = await startIdleList(`email\n${addresses.join('\n')}\n`);
    await list.post('finish');
    const part = (from: number) =>
      Object.fromEntries(Array.from({ length: 50 }, (_, index) => [200 - from - index, 'VALID' as const]));

    await Promise.allSettled([
      list.write(part(0)),
      list.finishRows(),
      list.write(part(50)),
      list.finishRows(),
      list.write(part(100)),
    ]);
    await list.finishRows();

    const { status, email_metrics } = await list.read();
    expect([status, email_metrics.valid_emails + email_metrics.unknown_emails]).toEqual(['COMPLETE', 200]);
    expect(await list.wallet()).toEqual({ balance: 1_000 - email_metrics.valid_emails, held: 0 });
    // Not the number with a minus: if the rows were finished before any result was written, that is -0.
    expect(await list.entries()).toEqual([[0 - email_metrics.valid_emails, 'List verification']]);
    expect(await auditIdle()).toEqual([]);
  });

  it('ends quietly when the list is deleted before its job runs', async () => {
    const list = await startIdleList();
    await list.write({ 1: 'VALID' });
    await list.post('finish');

    await list.remove();
    await list.finishRows();

    expect(await list.wallet()).toEqual({ balance: 999, held: 0 });
    expect(await list.entries()).toEqual([[-1, 'List verification, stopped']]);
  });

  it('finishes a list by itself 30 days after its pause', async () => {
    const list = await startIdleList();
    const sweepAfter = (days: number) =>
      emailLists.control.finishForgotten(
        { ...list.parts, clock: { now: () => new Date(Date.now() + days * day) } },
        signal,
      );
    await list.post('pause');

    await sweepAfter(29.9);
    expect(await list.read()).toMatchObject({ run_state: 'paused' });
    await sweepAfter(30.1);
    await sweepAfter(30.1);

    expect(await list.read()).toMatchObject({ run_state: 'finishing' });
    expect(await list.jobs('validations.finish-list')).toHaveLength(1);
  });
});

describe('rows that wait for mail hosts', () => {
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000);
  const since = new Date();
  const rowAt = (rowNumber: number) => ({ rowNumber, since, attempts: 1 });

  it('are told by host with the soonest first, at most five, in the list and in the grid', async () => {
    const addresses = Array.from({ length: 7 }, (_, index) => `b@h${index}.test`);
    const list = await startIdleList(`email\n${addresses.join('\n')}\n`);
    const until = Array.from({ length: 7 }, (_, index) => inSeconds(700 - index * 100));
    const putOff = until.map((at, index) => ({ host: `mx.h${index}.test`, until: at, row: rowAt(index) }));

    await idle.database.db
      .transaction()
      .execute((tx) => emailLists.results.deferRows(tx, list.place, 0, putOff.slice(1)));
    expect((await list.read()).run_state).toBe('running');
    await idle.database.db
      .transaction()
      .execute((tx) => emailLists.results.deferRows(tx, list.place, 0, putOff.slice(0, 1)));

    const waits = {
      run_state: 'waiting',
      waiting: [6, 5, 4, 3, 2].map((index) => ({
        host: `mx.h${index}.test`,
        until: until[index]?.toISOString(),
        count: 1,
      })),
    };
    expect(await list.read()).toMatchObject(waits);
    expect(await list.readInGrid()).toMatchObject(waits);
  });

  it('are counted by host, and forgotten when their time is over and with their run', async () => {
    const list = await startIdleList();
    const soon = inSeconds(60);
    await idle.database.db.transaction().execute((tx) =>
      emailLists.results.deferRows(tx, list.place, 0, [
        { host: 'mx.test', until: soon, row: rowAt(1) },
        { host: 'mx.test', until: soon, row: rowAt(2) },
        { host: 'mx.test', until: inSeconds(90), row: rowAt(3) },
        { host: 'past.test', until: inSeconds(-1), row: rowAt(4) },
      ]),
    );
    expect((await list.read()).waiting).toEqual([
      { host: 'mx.test', cause: 'mail_host', until: soon.toISOString(), count: 3 },
    ]);

    await list.post('pause');
    expect((await list.read()).waiting).toEqual([]);
    await list.post('resume');
    expect(await list.read()).toMatchObject({ run_state: 'running', waiting: [] });
  });
});

describe('reverify', () => {
  it('201 makes a list of the unknown rows with their other cells, its own hold and entry, and leaves the old one unchanged', async () => {
    const list = await startIdleList();
    await list.write({ 1: 'VALID', 2: 'UNKNOWN', 3: 'INVALID', 4: 'UNKNOWN' });
    const before = await list.read();

    const answer = await list.post('reverify');

    expect(answer.statusCode).toBe(201);
    const made = answer.json<ValidationList>();
    expect(made).toMatchObject({
      name: 'people unknown',
      status: 'PENDING',
      run_state: 'running',
      total_emails: 2,
      source_list_id: list.listId,
      excluded_emails: { duplicated: 1, non_billable: 0, no_email: 0, suppressed: 0 },
    });
    expect(await list.wallet()).toEqual({ balance: 998, held: 2 });
    const copy = { ownerId: list.ownerId, listId: made.id };
    const found = await createChunkFinder(idle.database.db)({
      ...copy,
      run: 0,
      chunkNumber: 0,
      wasBegun: false,
    });
    expect(found).toEqual([
      { rowNumber: 2, email: 'a2@exists.test' },
      { rowNumber: 4, email: 'a4@exists.test' },
    ]);
    await writeResults(list.parts, copy, rowsOf({ 2: 'VALID', 4: 'UNKNOWN' }), new Date());
    const exported = await list.exported('status=VALID&rows=all', made.id);
    expect(exported.split('\n').map((line) => line.split(',').slice(0, 4).join())).toEqual([
      '\ufeffemail,note,result,reason',
      'a2@exists.test,n2,VALID,mailbox_accepted',
      'a4@exists.test,n4,UNKNOWN,greylisted',
      'A4@exists.test,n5,UNKNOWN,greylisted',
      '',
    ]);
    expect(await list.entries()).toEqual([
      [-2, 'List verification'],
      [-1, 'List verification'],
    ]);
    expect(await list.read()).toEqual(before);
    expect(await auditIdle()).toEqual([]);
  });

  it('201 with the same list for a repeated and for a parallel Idempotency-Key', async () => {
    const list = await startIdleList();
    await list.write({ 1: 'UNKNOWN', 2: 'UNKNOWN', 3: 'UNKNOWN', 4: 'UNKNOWN' });
    const headers = { 'idempotency-key': randomUUID() };

    const answers = await Promise.all([list.post('reverify', headers), list.post('reverify', headers)]);
    answers.push(await list.post('reverify', headers));

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201]);
    expect(new Set(answers.map((answer) => answer.json().id)).size).toBe(1);
    expect(await list.wallet()).toEqual({ balance: 1_000, held: 4 });
  });

  it('404 and no new list when the list is deleted while its rows are copied', async () => {
    const real = Array.from({ length: 4 }, (_, index) => `a${index + 1}@example.com`);
    const list = await startIdleList(['email', ...real].join('\n'));
    await list.write({ 1: 'VALID', 2: 'UNKNOWN', 3: 'INVALID', 4: 'UNKNOWN' });
    const deleteList = async () => void (await list.remove());
    const availability = { isClosed: async () => false, require: deleteList, requireFor: deleteList };

    const remade = reverifyList({ ...list.parts, availability }, list.place, null, {
      ignoresSuppression: false,
    });

    await expect(remade).rejects.toMatchObject({ code: 'list_not_found' });
    expect(await list.wallet()).toEqual({ balance: 998, held: 0 });
    expect(await auditIdle()).toEqual([]);
  });

  it('409 while the list runs, 409 without unknown rows, 402 with the missing credits', async () => {
    const list = await startIdleList();
    expect(codeOf(await list.post('reverify'))).toBe('list_not_complete');
    await list.write({ 1: 'VALID', 2: 'VALID', 3: 'VALID', 4: 'VALID' });
    const nothing = await list.post('reverify');
    expect([nothing.statusCode, codeOf(nothing)]).toEqual([409, 'list_nothing_unknown']);

    const poor = await startIdleList();
    await poor.write({ 1: 'UNKNOWN', 2: 'UNKNOWN', 3: 'UNKNOWN', 4: 'VALID' });
    await idle.database.pool.query('update wallets set held = 997 where owner_id = $1', [poor.ownerId]);
    const short = await poor.post('reverify');
    expect([short.statusCode, codeOf(short), short.json().errors[0].meta]).toEqual([
      402,
      'insufficient_credits',
      { short_by: 1 },
    ]);
    await idle.database.pool.query('update wallets set held = 0 where owner_id = $1', [poor.ownerId]);
  });

  it('cuts the rows into chunks by domain', async () => {
    const addresses = Array.from({ length: 600 }, (_, index) => `c${index}@d${index % 3}.test`);
    const list = await startIdleList(`email\n${addresses.join('\n')}\n`);
    await list.post('finish');
    await list.finishRows();

    const { id: listId } = (await list.post('reverify')).json<ValidationList>();

    const { rows } = await idle.database.pool.query(
      `select chunk_number, count(*)::int as rows, count(distinct substring(email_address from '[^@]*$'))::int as domains
       from list_chunks chunk, unnest(row_numbers) row_number
       join list_rows row using (row_number) where chunk.list_id = $1 and row.list_id = $1 group by 1 order by 1`,
      [listId],
    );
    expect(rows).toEqual([
      { chunk_number: 0, rows: 250, domains: 2 },
      { chunk_number: 1, rows: 250, domains: 2 },
      { chunk_number: 2, rows: 100, domains: 1 },
    ]);
  });
});

describe('a list with a worker', () => {
  it('names the host that a row waits for, pauses, asks again after it is resumed, and is finished', async () => {
    const token = await api.tokenFor();
    const body = { emails: ['jane@exists.test', 'jane@greylist-never.test'] };
    const { id } = (await api.call('POST', '/validations/lists', { token, body })).json<ValidationList>();
    const read = async () =>
      (await api.call('GET', `/validations/lists/${id}`, { token })).json<ValidationList>();
    const post = async (action: string) =>
      (await api.call('POST', `/validations/lists/${id}/${action}`, { token })).json<ValidationList>();
    const untilState = (state: string | null) =>
      expect.poll(async () => (await read()).run_state, { timeout: 60_000 }).toBe(state);

    await untilState('waiting');
    expect((await read()).waiting).toEqual([
      {
        host: expect.stringContaining('greylist-never.test'),
        cause: 'mail_host',
        until: expect.any(String),
        count: 1,
      },
    ]);

    expect(await post('pause')).toMatchObject({ run_state: 'paused', waiting: [], progress: 50 });
    await post('resume');
    await untilState('waiting');
    await post('finish');
    await untilState(null);

    expect(await read()).toMatchObject({
      status: 'COMPLETE',
      email_metrics: { valid_emails: 1, invalid_emails: 0, catch_all_emails: 0, unknown_emails: 1 },
    });
    expect((await api.call('GET', '/billing/me', { token })).json().balance).toBe(999);
  });

  it('is finished and deleted by its id in capital letters too, and its hold is settled', async () => {
    const token = await api.tokenFor();
    const body = { emails: ['jane@exists.test', 'jane@greylist-never.test'] };
    const make = async () =>
      (await api.call('POST', '/validations/lists', { token, body })).json<ValidationList>().id;
    const pathTo = (id: string) => `/validations/lists/${id.toUpperCase()}`;
    const [finished, deleted] = [await make(), await make()];

    await api.call('POST', `${pathTo(finished)}/finish`, { token });
    await expect
      .poll(async () => (await api.call('GET', pathTo(finished), { token })).json().status)
      .toBe('COMPLETE');
    const removed = await api.call('DELETE', pathTo(deleted), { token });

    expect(removed.statusCode).toBe(204);
    expect((await api.call('GET', '/billing/me', { token })).json().held).toBe(0);
    expect(await Array.fromAsync(auditLedger(api.database.db))).toEqual([]);
  });
});
