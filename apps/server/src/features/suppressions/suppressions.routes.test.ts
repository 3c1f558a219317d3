import { SUPPRESSION_LIMITS, suppressionsRoutes } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { movableClock } from '../../testing/clock.ts';
import { suppressByOutcomes } from './suppress-by-outcomes.ts';
import { maintainSuppressions } from './suppressions.service.ts';
import { findSuppressed, lockChanges, writeWanted } from './suppressions.store.ts';

const clock = movableClock();
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ clock });
});
afterAll(() => api.close());

interface Entry {
  readonly target: string;
  readonly reason?: string;
  readonly end_date?: string | null;
}
async function newCustomer() {
  const token = await api.tokenFor();
  const { id: ownerId } = (await api.call('GET', '/users/me', { token })).json();
  const add = (...entries: Entry[]) => api.call('POST', '/suppressions', { token, body: { entries } });
  const remove = (target: string) =>
    api.call('DELETE', `/suppressions?target=${encodeURIComponent(target)}`, { token });
  const list = async (query = '') => (await api.call('GET', `/suppressions?${query}`, { token })).json();
  const targets = async (query = '') =>
    (await list(query)).results.map(({ target }: { target: string }) => target);
  const changes = (cursor?: string, limit = 1_000) =>
    api.call('GET', `/suppressions/changes?limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`, { token });
  const importFile = (contents: string | Buffer) => {
    const form = new FormData();
    form.append('list_raw', new Blob([contents as never]), 'whom.csv');
    return api.call('POST', '/suppressions/import', { token, body: form });
  };
  return { token, ownerId, add, remove, list, targets, changes, importFile };
}
const inDays = (days: number) => new Date(clock.now().getTime() + days * 86_400_000);
const maintain = (now = clock.now()) =>
  maintainSuppressions({ db: api.database.db, clock: { now: () => now } }, new AbortController().signal);
const refusalOf = (answer: { statusCode: number; json: () => { errors: { code: string }[] } }) => [
  answer.statusCode,
  answer.json().errors[0]?.code,
];

describe('POST /suppressions', () => {
  it('200 keeps addresses and domains as the engine compares them', async () => {
    const { add, list } = await newCustomer();

    const answer = await add(
      { target: ' Jane.Doe@Exists.TEST ', reason: 'unsubscribed' },
      { target: '@Bücher.example' },
      { target: 'jane.doe@exists.test', reason: 'complaint' },
    );

    expect([answer.statusCode, answer.json()]).toEqual([200, { added: 2, changed: 0, unchanged: 0 }]);
    expect((await list()).results).toMatchObject([
      { target: 'xn--bcher-kva.example', kind: 'domain', reason: 'added', end_date: null },
      { target: 'jane.doe@exists.test', kind: 'address', reason: 'complaint', source: 'customer' },
    ]);
    expect(suppressionsRoutes.listSuppressions.success.schema.safeParse(await list()).success).toBe(true);
  });

  it('200 again changes only the end, and says so', async () => {
    const { add, list } = await newCustomer();
    await add({ target: 'a@exists.test', reason: 'complaint' }, { target: 'b@exists.test' });
    const end_date = inDays(3).toISOString();

    const again = await add({ target: 'a@exists.test', end_date }, { target: 'b@exists.test' });

    expect(again.json()).toEqual({ added: 0, changed: 1, unchanged: 1 });
    expect((await list('search=a@')).results).toMatchObject([{ reason: 'complaint', end_date }]);
  });

  it('400 names the entries that are neither an address nor a domain, and keeps none', async () => {
    const { add, targets } = await newCustomer();

    const answer = await add({ target: 'a@exists.test' }, { target: 'jane doe' }, { target: 'localhost' });

    expect(refusalOf(answer)).toEqual([400, 'suppression_not_readable']);
    expect(answer.json().errors[0].meta).toMatchObject({
      wrong: 2,
      problems: [{ field: 'entries.1.target' }, { field: 'entries.2.target' }],
    });
    expect(await targets()).toEqual([]);
  });

  it('401 signed out, 400 without entries or with too many', async () => {
    const { add } = await newCustomer();
    expect((await api.call('POST', '/suppressions', { body: { entries: [] } })).statusCode).toBe(401);
    expect((await add()).statusCode).toBe(400);
    const many = Array.from({ length: 1_001 }, (_, index) => ({ target: `a${index}@exists.test` }));
    expect((await add(...many)).statusCode).toBe(400);
  });
});

describe('GET /suppressions', () => {
  it('200 searches, filters and pages, newest first, and shows nobody else', async () => {
    const { add, remove, targets, list } = await newCustomer();
    const other = await newCustomer();
    await add({ target: 'a@one.test', reason: 'complaint' });
    await add({ target: 'one.test', reason: 'dead_domain' });
    await add({ target: 'b_c@two.test' });
    await add({ target: 'gone@one.test' });
    await remove('gone@one.test');

    expect(await targets()).toEqual(['b_c@two.test', 'one.test', 'a@one.test']);
    expect(await targets('search=ONE.test')).toEqual(['one.test', 'a@one.test']);
    expect(await targets('search=b_')).toEqual(['b_c@two.test']);
    expect(await targets('search=%25')).toEqual([]);
    expect(await targets('kind=domain')).toEqual(['one.test']);
    expect(await targets('reason=complaint')).toEqual(['a@one.test']);
    expect(await list('page_size=1&page_number=2')).toMatchObject({
      total: 3,
      results: [{ target: 'one.test' }],
    });
    expect(await other.targets()).toEqual([]);
  });
});

describe('DELETE /suppressions', () => {
  it('204 removes whatever the spelling, and 404 for what is not suppressed', async () => {
    const { add, remove, targets } = await newCustomer();
    const other = await newCustomer();
    await add({ target: 'a@exists.test' }, { target: 'exists.test' });

    expect(refusalOf(await other.remove('a@exists.test'))).toEqual([404, 'suppression_not_found']);
    expect((await remove('A@EXISTS.test')).statusCode).toBe(204);
    expect(refusalOf(await remove('a@exists.test'))).toEqual([404, 'suppression_not_found']);
    expect(refusalOf(await remove('nothing at all'))).toEqual([404, 'suppression_not_found']);
    expect(await targets()).toEqual(['exists.test']);
  });

  it('notes the removal for a restore, but not that an entry has ended', async () => {
    const { ownerId, add, remove, list } = await newCustomer();
    await add({ target: 'a@exists.test' }, { target: 'b@exists.test', end_date: inDays(-1).toISOString() });
    const { id } = (await list('search=a@')).results[0];
    await remove('a@exists.test');
    await maintain();

    const { rows } = await api.database.pool.query(
      'select kind, id from deletions_to_log where owner_id = $1',
      [ownerId],
    );
    expect(rows).toEqual([{ kind: 'suppression', id }]);
  });
});

describe('GET /suppressions/changes', () => {
  it('200 pages through everything, then through what changed, with removals', async () => {
    const { add, remove, changes } = await newCustomer();
    await add({ target: 'a@exists.test' }, { target: 'b@exists.test' }, { target: 'c@exists.test' });
    const told = (answer: { json: () => { results: { change: string; target: string }[] } }) =>
      answer.json().results.map(({ change, target }) => `${change} ${target}`);

    const first = await changes(undefined, 2);
    expect(told(first)).toEqual(['added a@exists.test', 'added b@exists.test']);
    expect(first.json().has_more).toBe(true);
    await remove('a@exists.test');
    const second = await changes(first.json().cursor);
    expect(told(second)).toEqual(['added c@exists.test', 'removed a@exists.test']);
    expect(second.json()).toMatchObject({ has_more: false, results: [{ removal_date: null }, {}] });
    await add({ target: 'a@exists.test' });
    const third = await changes(second.json().cursor);
    expect(told(third)).toEqual(['added a@exists.test']);
    expect(told(await changes(third.json().cursor))).toEqual([]);
  });

  it('200 never skips an entry that was numbered before another and committed after it', async () => {
    const { ownerId, add, changes } = await newCustomer();
    const { db } = api.database;
    await add({ target: 'first@exists.test' });
    const { cursor } = (await changes()).json();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isWritten: () => void = () => undefined;
    const written = new Promise<void>((resolve) => {
      isWritten = resolve;
    });
    const entry = { target: 'late@exists.test', reason: 'added', endsAt: null } as const;
    const late = db.transaction().execute(async (tx) => {
      const numbers = await lockChanges(tx, ownerId);
      await writeWanted(tx, JSON.stringify([entry]), {
        ownerId,
        source: 'api',
        clock: numbers,
        now: clock.now(),
      });
      isWritten();
      await held;
    });
    await written;
    const quick = add({ target: 'quick@exists.test' });

    // The quick one waits for the late one, so a cursor cannot be behind it alone.
    const between = (await changes(cursor)).json();
    release();
    await late;
    expect((await quick).statusCode).toBe(200);
    const after = (await changes(between.cursor)).json();

    const seen = [...between.results, ...after.results].map(({ target }: { target: string }) => target);
    expect(seen).toEqual(['late@exists.test', 'quick@exists.test']);
  });

  it('200 for many writers at once: a poller ends with what is suppressed', async () => {
    const { add, remove, changes, list } = await newCustomer();
    const known = new Set<string>();
    let cursor: string | undefined;
    const poll = async () => {
      const page = (await changes(cursor, 7)).json();
      for (const { change, target } of page.results)
        if (change === 'added') known.add(target);
        else known.delete(target);
      cursor = page.cursor;
      return page.has_more as boolean;
    };
    const writers = Array.from({ length: 6 }, async (_, writer) => {
      for (let round = 0; round < 5; round++) {
        await add({ target: `${writer}-${round}@exists.test` }, { target: `shared${round}@exists.test` });
        if (round % 2 === 0) await remove(`${writer}-${round}@exists.test`);
      }
    });
    let isOver = false;
    const polling = (async () => {
      while (!isOver) await poll();
    })();
    await Promise.all(writers);
    isOver = true;
    await polling;
    while (await poll());

    const { results } = await list('page_size=100');
    expect([...known].sort()).toEqual(results.map(({ target }: { target: string }) => target).sort());
    expect(known.size).toBe(6 * 2 + 5);
  });

  it('410 for a cursor from before a restore or of half a year ago, and 400 for none of ours', async () => {
    const { ownerId, add, changes } = await newCustomer();
    await add({ target: 'a@exists.test' });
    const { cursor } = (await changes()).json();
    const [generation, number, day] = cursor.split('.').map(Number);

    const old = `${generation}.${number}.${day - 179}`;
    expect(refusalOf(await changes(old))).toEqual([410, 'suppression_cursor_expired']);
    expect((await changes(`${generation}.${number}.${day - 178}`)).statusCode).toBe(200);
    expect(refusalOf(await changes('1;2'))).toEqual([400, 'invalid_request']);
    await api.database.pool.query(
      'update suppression_clocks set generation = generation + 1 where owner_id = $1',
      [ownerId],
    );
    expect(refusalOf(await changes(cursor))).toEqual([410, 'suppression_cursor_expired']);
  });

  it('410 for a cursor if the restored backup is from before the first entry, and 200 for who knew nothing', async () => {
    const { ownerId, add, changes } = await newCustomer();
    const { cursor: ofNothing } = (await changes()).json();
    await add({ target: 'a@exists.test' }, { target: 'b@exists.test' });
    const { cursor } = (await changes()).json();
    for (const table of ['suppressions', 'suppression_clocks'])
      await api.database.pool.query(`delete from ${table} where owner_id = $1`, [ownerId]);

    expect(refusalOf(await changes(cursor))).toEqual([410, 'suppression_cursor_expired']);
    await add({ target: 'c@exists.test' });
    expect(refusalOf(await changes(cursor))).toEqual([410, 'suppression_cursor_expired']);
    expect((await changes(ofNothing)).json().results).toMatchObject([{ target: 'c@exists.test' }]);
  });
});

describe('many removals', () => {
  const keepTwo = () => maintainSuppressions({ db: api.database.db, clock }, new AbortController().signal, 2);
  const namesOf = (answer: { json: () => { results: { change: string; target: string }[] } }) =>
    answer.json().results.map(({ change, target }) => `${change} ${target.split('@')[0]}`);

  it('keep the newest, and refuse the cursors of those who would miss one', async () => {
    const { add, remove, changes } = await newCustomer();
    const names = ['a', 'b', 'c', 'd', 'e'];
    await add(...names.map((name) => ({ target: `${name}@exists.test` })));
    const old = (await changes()).json().cursor;
    await remove('a@exists.test');
    const afterOne = (await changes(old)).json().cursor;
    for (const name of ['b', 'c', 'd']) await remove(`${name}@exists.test`);
    const afterTwo = (await changes(afterOne, 1)).json().cursor;

    await keepTwo();

    expect(namesOf(await changes())).toEqual(['added e', 'removed c', 'removed d']);
    expect(refusalOf(await changes(old))).toEqual([410, 'suppression_cursor_expired']);
    expect(refusalOf(await changes(afterOne))).toEqual([410, 'suppression_cursor_expired']);
    expect(namesOf(await changes(afterTwo))).toEqual(['removed c', 'removed d']);
  });

  it('refuse nobody who began after they were forgotten, page by page', async () => {
    const { add, remove, changes } = await newCustomer();
    await add({ target: 'old@exists.test' });
    for (const name of ['a', 'b', 'c', 'd']) {
      await add({ target: `${name}@exists.test` });
      await remove(`${name}@exists.test`);
    }
    await add({ target: 'new@exists.test' });
    await keepTwo();

    const seen: string[] = [];
    for (let cursor: string | undefined, hasMore = true; hasMore; ) {
      const page = await changes(cursor, 1);
      expect(page.statusCode).toBe(200);
      seen.push(...namesOf(page));
      cursor = page.json().cursor;
      hasMore = page.json().has_more;
    }
    expect(seen).toEqual(['added old', 'removed c', 'removed d', 'added new']);
  });

  it('refuse who began before them and is not past them', async () => {
    const { add, remove, changes } = await newCustomer();
    const names = ['a', 'b', 'c', 'd', 'e'];
    await add(...names.map((name) => ({ target: `${name}@exists.test` })));
    const halfway = (await changes(undefined, 2)).json().cursor;
    for (const name of names.slice(0, 3)) await remove(`${name}@exists.test`);
    expect((await changes(halfway)).statusCode).toBe(200);

    await keepTwo();

    // It knows a, whose removal is forgotten.
    expect(refusalOf(await changes(halfway))).toEqual([410, 'suppression_cursor_expired']);
  });
});

describe('POST /suppressions/import', () => {
  it('200 reads what it exports', async () => {
    const [from, to] = [await newCustomer(), await newCustomer()];
    const end_date = inDays(5).toISOString();
    await from.add(
      { target: '=jane@exists.test', reason: 'complaint' },
      { target: 'dead.test', reason: 'dead_domain', end_date },
    );
    const { download_link } = (await api.call('POST', '/suppressions/export', { token: from.token })).json();
    const file = await api.app.inject(new URL(download_link).pathname + new URL(download_link).search);

    const answer = await to.importFile(file.rawPayload);

    expect(file.body).toContain(`"'=jane@exists.test",address,complaint,customer`);
    expect(answer.json()).toEqual({ added: 2, changed: 0, unchanged: 0, not_readable: 0, problems: [] });
    expect((await to.list()).results).toMatchObject([
      { target: '=jane@exists.test', reason: 'complaint', source: 'import', end_date: null },
      { target: 'dead.test', reason: 'dead_domain', source: 'import', end_date },
    ]);
  });

  it('200 takes the first column of a file without a header, and leaves out what it cannot read', async () => {
    const { importFile, targets } = await newCustomer();

    const answer = await importFile(
      'a@exists.test;Jane\nno address;John\nExists.test;all\na@exists.test;x\n',
    );

    expect(answer.json()).toMatchObject({
      added: 2,
      not_readable: 1,
      problems: [{ row: 2, target: 'no address' }],
    });
    expect(await targets()).toEqual(['exists.test', 'a@exists.test']);
  });

  it('400 for an empty file and none, 422 or 400 for what is no text', async () => {
    const { importFile, token } = await newCustomer();
    expect(refusalOf(await importFile(' \n'))).toEqual([400, 'file_empty']);
    expect(
      refusalOf(await api.call('POST', '/suppressions/import', { token, body: new FormData() }))[1],
    ).toMatch(/file_missing|broken_form/);
    expect(refusalOf(await importFile(Buffer.from([0x25, 0x50, 0x44, 0x46])))[1]).toBe('file_not_text');
  });
});

describe('an entry with an end', () => {
  it('counts no more from its end on, and those who poll hear of it', async () => {
    const { ownerId, add, changes, targets } = await newCustomer();
    const { db } = api.database;
    await add({ target: 'a@exists.test', end_date: inDays(2).toISOString() }, { target: 'b@exists.test' });
    const { cursor } = (await changes()).json();
    const suppressed = (now: Date) =>
      findSuppressed(db, { ownerId, now }, ['a@exists.test', 'b@exists.test', 'c@exists.test']);

    expect((await suppressed(clock.now())).sort()).toEqual(['a@exists.test', 'b@exists.test']);
    expect(await suppressed(inDays(2))).toEqual(['b@exists.test']);
    await maintain(inDays(2));

    expect((await changes(cursor)).json().results).toMatchObject([
      { change: 'removed', target: 'a@exists.test' },
    ]);
    expect(await targets()).toEqual(['b@exists.test']);
    await maintain(inDays(183));
    const { rows } = await api.database.pool.query('select target from suppressions where owner_id = $1', [
      ownerId,
    ]);
    expect(rows).toEqual([{ target: 'b@exists.test' }]);
  });
});

describe('outcomes', () => {
  const hard = { subject: 'mailbox', action: 'suppress', reason: 'no_such_mailbox' };
  type Outcome = Parameters<typeof suppressByOutcomes>[1]['outcomes'][number];
  const suppress = (ownerId: string, ...outcomes: Omit<Outcome, 'slackSeconds'>[]) => {
    const exact = outcomes.map((outcome) => ({ slackSeconds: 0, ...outcome }));
    return api.database.db
      .transaction()
      .execute((tx) => suppressByOutcomes(tx, { ownerId, outcomes: exact, now: clock.now() }));
  };

  it('suppress what the judge says, with its reason, and nothing else', async () => {
    const { ownerId, list } = await newCustomer();
    const at = clock.now();

    await suppress(
      ownerId,
      { email: 'Hard@exists.test', ...hard, at },
      { email: 'angry@exists.test', subject: 'mailbox', action: 'suppress', reason: 'complaint', at },
      { email: 'off@exists.test', subject: 'mailbox', action: 'suppress', reason: 'unsubscribed', at },
      { email: 'x@dead.test', subject: 'domain', action: 'suppress', reason: 'no_such_domain', at },
      { email: 'retry@exists.test', subject: 'mailbox', action: 'retry', reason: 'no_such_mailbox', at },
      { email: 'no address', ...hard, at },
    );

    const entries = (await list()).results.map((entry: Record<string, unknown>) => [
      entry.target,
      entry.reason,
      entry.source,
      entry.end_date,
    ]);
    expect(entries).toEqual(
      expect.arrayContaining([
        ['hard@exists.test', 'hard_bounce', 'outcome', null],
        ['angry@exists.test', 'complaint', 'outcome', null],
        ['off@exists.test', 'unsubscribed', 'outcome', null],
        ['dead.test', 'dead_domain', 'outcome', inDays(90).toISOString()],
      ]),
    );
    expect(entries).toHaveLength(4);
  });

  it('once, however often they come, and not again after the customer removed the entry', async () => {
    const { ownerId, remove, targets, changes } = await newCustomer();
    const outcome = { email: 'a@exists.test', ...hard, at: clock.now() };
    await suppress(ownerId, outcome, outcome);
    const { cursor } = (await changes()).json();
    await suppress(ownerId, outcome);
    expect((await changes(cursor)).json().results).toEqual([]);

    clock.advance({ seconds: 1 });
    await remove('a@exists.test');
    await suppress(ownerId, outcome);
    expect(await targets()).toEqual([]);

    clock.advance({ seconds: 1 });
    const later = { ...outcome, at: clock.now() };
    const inexact = { ...later, slackSeconds: 60 };
    await suppress(ownerId, inexact);
    expect(await targets()).toEqual([]);
    await suppress(ownerId, later);
    expect(await targets()).toEqual(['a@exists.test']);
  });

  it('of POST /outcomes suppress at once, and once', async () => {
    const { token, targets, changes } = await newCustomer();
    const at = clock.now().toISOString();
    const outcomes = [
      { email: 'Gone@exists.test', kind: 'bounce', at, detail: '550 5.1.1 User unknown', id: 'one' },
      { email: 'full@exists.test', kind: 'bounce', at, detail: '452 4.2.2 Mailbox full', id: 'two' },
      { email: 'angry@exists.test', kind: 'complaint', at, id: 'three' },
      { email: 'fine@exists.test', kind: 'delivered', at, id: 'four' },
    ];
    const report = async () => (await api.call('POST', '/outcomes', { token, body: { outcomes } })).json();

    expect(await report()).toMatchObject({ recorded: 4 });
    expect((await targets()).sort()).toEqual(['angry@exists.test', 'gone@exists.test']);
    const { cursor } = (await changes()).json();
    expect(await report()).toMatchObject({ recorded: 0, repeated: 4 });
    expect((await changes(cursor)).json().results).toEqual([]);
  });

  it('are kept and suppress nobody in an account that has as many entries as it may', async () => {
    const { token, ownerId, targets, add } = await newCustomer();
    await add({ target: 'first@exists.test' });
    const { pool } = api.database;
    await pool.query('update suppression_clocks set entries = $2 where owner_id = $1', [
      ownerId,
      SUPPRESSION_LIMITS.entriesPerAccount - 1,
    ]);
    const at = clock.now().toISOString();
    const report = (...names: string[]) => {
      const outcomes = names.map((name) => ({ email: `${name}@exists.test`, kind: 'complaint', at }));
      return api.call('POST', '/outcomes', { token, body: { outcomes } });
    };

    expect((await report('a', 'b')).json()).toEqual({ recorded: 2, repeated: 0 });
    expect((await report('c')).json()).toEqual({ recorded: 1, repeated: 0 });

    expect(await targets()).toEqual(['a@exists.test', 'first@exists.test']);
    expect(refusalOf(await add({ target: 'd@exists.test' }))).toEqual([409, 'suppressions_full']);
  });

  it('make an entry longer and never shorter', async () => {
    const { ownerId, add, list } = await newCustomer();
    await add({ target: 'a@exists.test', end_date: inDays(1).toISOString() }, { target: 'dead.test' });
    const at = clock.now();
    await suppress(
      ownerId,
      { email: 'a@exists.test', ...hard, at },
      { email: 'a@dead.test', subject: 'domain', action: 'suppress', reason: 'no_mail_host', at },
    );
    expect((await list()).results.map(({ end_date }: { end_date: string }) => end_date)).toEqual([
      null,
      null,
    ]);
  });
});

describe('an API key', () => {
  it('needs the scope suppressions, and its entries say that they come from a program', async () => {
    const { token, list } = await newCustomer();
    const keyWith = async (body: object) =>
      (await api.call('POST', '/users/api-keys/more', { token, body: { name: 'Key', ...body } })).json();
    const by = (key: string) => ({ headers: { 'x-api-key': key } });
    const { api_token: good } = await keyWith({ scopes: ['suppressions'] });
    const { api_token: bad } = await keyWith({ scopes: ['verify', 'read_results', 'manage_lists'] });
    const body = { entries: [{ target: 'a@exists.test' }] };

    expect((await api.call('POST', '/suppressions', { ...by(good), body })).statusCode).toBe(200);
    expect((await list()).results).toMatchObject([{ source: 'api' }]);
    for (const [method, path] of [
      ['GET', '/suppressions'],
      ['POST', '/suppressions'],
      ['DELETE', '/suppressions?target=a@exists.test'],
      ['GET', '/suppressions/changes'],
      ['POST', '/suppressions/export'],
    ] as const) {
      const refused = await api.call(method, path, { ...by(bad), ...(method === 'POST' && { body }) });
      expect([path, ...refusalOf(refused)]).toEqual([path, 403, 'missing_scope_suppressions']);
    }
    const test = await keyWith({ scopes: ['suppressions'], mode: 'test' });
    expect(test.errors[0]).toMatchObject({ code: 'invalid_request', meta: { field: 'scopes' } });
  });
});

it('records how many entries came and went, and no address', async () => {
  const { token, add, remove } = await newCustomer();
  await add({ target: 'a@exists.test' }, { target: 'b@exists.test' });
  await remove('a@exists.test');

  const { results } = (await api.call('GET', '/users/me/activity?area=suppression', { token })).json();
  expect(results).toMatchObject([
    { kind: 'suppression.removed', about: '1 entry' },
    { kind: 'suppression.added', about: '2 entries' },
  ]);
  expect(JSON.stringify(results)).not.toContain('exists.test');
});
