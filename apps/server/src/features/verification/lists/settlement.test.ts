import { randomUUID } from 'node:crypto';
import type { Verdict } from '@assay/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../../platform/errors/index.ts';
import { EVENTS_CHANNEL } from '../../../platform/events/publish.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { auditLedger, grantCredits } from '../../billing/index.ts';
import { insertCustomer } from '../../billing/testing/accounts.ts';
import { flagBits } from '../../engine/index.ts';
import '../../webhooks/index.ts';
import { countAsked } from '../metrics.store.ts';
import type { RowFinding } from '../rows/results.store.ts';
import { emailLists } from './email-lists.ts';
import { ListGone, writeResults } from './write-results.ts';

const now = new Date('2026-03-01T12:00:00Z');
const reasons = {
  VALID: 'mailbox_accepted',
  INVALID: 'no_such_mailbox',
  CATCH_ALL: 'accepts_everything',
  UNKNOWN: 'no_answer',
} as const satisfies Record<Verdict, string>;

const findingOf = (rowNumber: number, verdict: Verdict, changes: Partial<RowFinding> = {}): RowFinding => ({
  rowNumber,
  verdict,
  reason: reasons[verdict],
  flags: 0,
  mxProvider: null,
  suggestion: null,
  detail: '{}',
  ...changes,
});

describe('the settlement of a list', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());

  /** A running list of a customer with 100 credits, and with 5 other addresses that are still pending. */
  async function startList({ emails = 4, isSandbox = false } = {}) {
    const { db } = database;
    const listId = randomUUID();
    const ownerId = await db.transaction().execute(async (tx) => {
      const id = await insertCustomer(tx, now);
      const text = { category: 'GRANT', source: 'SUPPORT', description: 'A gift' } as const;
      await grantCredits(tx, { ownerId: id, key: 'gift:test', credits: 100, now, ...text });
      await countAsked(tx, { ownerId: id, askedAt: now }, 5);
      return id;
    });
    const place = { ownerId, listId };
    await db.transaction().execute(async (tx) => {
      const list = await emailLists.store.insert(tx, place, {
        name: 'A list',
        status: 'PENDING',
        file_name: 'a.csv',
        delimiter: ',',
        header: null,
        total_emails: emails,
        safe_emails: 0,
        is_sandbox: isSandbox,
        has_real_domain: false,
        created_at: now,
      });
      if (!isSandbox) await countAsked(tx, { ownerId, askedAt: now }, emails);
      await emailLists.results.workOf(place, list).hold(tx, emails, now);
    });
    const read = async (sql: string) => (await database.pool.query(sql, [ownerId])).rows;
    return {
      ownerId,
      place,
      // Without a webhook there is nothing to enqueue.
      write: (
        verdicts: readonly Verdict[],
        { from = 0, at = now, queue = {} }: { from?: number; at?: Date; queue?: Partial<JobQueue> } = {},
      ) =>
        writeResults(
          { db, queue: queue as JobQueue },
          place,
          verdicts.map((verdict, index) => findingOf(from + index, verdict)),
          at,
        ),
      writeFindings: (findings: readonly RowFinding[]) =>
        writeResults({ db, queue: {} as JobQueue }, place, findings, now),
      read: async () => (await emailLists.answers.find(db, place)) ?? expect.fail('the list is gone'),
      remove: () =>
        emailLists.control.delete(
          { db, clock: { now: () => now } },
          { accountId: place.ownerId },
          place.listId,
        ),
      results: () =>
        read('select row_number, verdict, reason from list_results where owner_id = $1 order by 1'),
      list: async () =>
        (
          await read(
            `select status, completed_at, valid_emails, invalid_emails, catch_all_emails, unknown_emails
             from lists where owner_id = $1`,
          )
        )[0],
      wallet: async () => (await read('select balance, held from wallets where owner_id = $1'))[0],
      entries: async () =>
        (
          await read("select amount, description from ledger_entries where owner_id = $1 and source = 'LIST'")
        ).map(({ amount, description }) => [amount, description]),
      metrics: async () =>
        (
          await read(
            'select pending, valid, invalid, catch_all, unknown from validation_metrics where owner_id = $1',
          )
        )[0],
    };
  }

  /** The types of the events for a customer since the last call, and what the last one of a list says. */
  async function watchEvents(ownerId: string) {
    const listener = await database.pool.connect();
    onTestFinished(() => listener.release(true));
    const types: string[] = [];
    let ofList: unknown;
    listener.on('notification', ({ payload = '' }) => {
      const { user_id, event } = JSON.parse(payload);
      if (user_id !== ownerId) return;
      types.push(event.event_type);
      if (event.event_metadata?.list_id) ofList = event.event_metadata;
    });
    await listener.query(`listen ${EVENTS_CHANNEL}`);
    const takeTypes = async () => {
      // Notifications arrive with the answer to the next statement.
      await listener.query('select 1');
      return types.splice(0);
    };
    return Object.assign(takeTypes, { ofList: () => ofList });
  }

  it('takes a credit for each known result and gives back those of unknown ones', async () => {
    const list = await startList();

    await list.write(['VALID', 'INVALID', 'CATCH_ALL', 'UNKNOWN']);

    expect(await list.wallet()).toEqual({ balance: 97, held: 0 });
    expect(await list.entries()).toEqual([[-3, 'List verification']]);
    expect(await list.list()).toEqual({
      status: 'COMPLETE',
      completed_at: now,
      valid_emails: 1,
      invalid_emails: 1,
      catch_all_emails: 1,
      unknown_emails: 1,
    });
    expect(await list.metrics()).toEqual({ pending: 5, valid: 1, invalid: 1, catch_all: 1, unknown: 1 });
    expect(await Array.fromAsync(auditLedger(database.db))).toEqual([]);
  });

  it('waits for the last result', async () => {
    const list = await startList();

    await list.write(['VALID', 'VALID', 'UNKNOWN']);

    expect(await list.wallet()).toEqual({ balance: 100, held: 4 });
    expect(await list.list()).toMatchObject({ status: 'PENDING', valid_emails: 2, unknown_emails: 1 });
    expect(await list.metrics()).toEqual({ pending: 6, valid: 2, invalid: 0, catch_all: 0, unknown: 1 });
    await list.write(['INVALID'], { from: 3 });
    expect(await list.wallet()).toEqual({ balance: 97, held: 0 });
  });

  it('stores every result with its own verdict and reason', async () => {
    const list = await startList({ emails: 5 });

    await list.write(['VALID', 'INVALID', 'VALID', 'UNKNOWN', 'INVALID']);

    expect(await list.results()).toEqual(
      (['VALID', 'INVALID', 'VALID', 'UNKNOWN', 'INVALID'] as const).map((verdict, row_number) => ({
        row_number,
        verdict,
        reason: reasons[verdict],
      })),
    );
  });

  it('counts a repeated batch once', async () => {
    const list = await startList();
    await list.write(['VALID', 'INVALID']);

    await list.write(['VALID', 'INVALID', 'VALID', 'CATCH_ALL']);

    expect(await list.list()).toMatchObject({ valid_emails: 2, invalid_emails: 1, catch_all_emails: 1 });
    expect(await list.metrics()).toEqual({ pending: 5, valid: 2, invalid: 1, catch_all: 1, unknown: 0 });
    expect(await list.entries()).toEqual([[-4, 'List verification']]);
  });

  it('counts results in the quarter hour in which the list was created', async () => {
    const at = new Date(now.getTime() + 20 * 60_000);
    const list = await startList({ emails: 2 });
    const sandboxList = await startList({ emails: 2, isSandbox: true });

    for (const { write } of [list, sandboxList]) await write(['VALID', 'INVALID'], { at });

    expect(await list.metrics()).toEqual({ pending: 5, valid: 1, invalid: 1, catch_all: 0, unknown: 0 });
    const noResults = { valid: 0, invalid: 0, catch_all: 0, unknown: 0 };
    expect(await sandboxList.metrics()).toEqual({ pending: 5, ...noResults });
  });

  it('updates open pages with the completed list and its credits', async () => {
    const list = await startList({ emails: 1 });
    const events = await watchEvents(list.ownerId);

    expect(await list.write(['VALID'])).toMatchObject({ isProgressPublished: true });

    expect(await events()).toEqual(['list_complete', 'refresh_billing']);
    expect(events.ofList()).toEqual({ list_id: list.place.listId, progress: 100 });
  });

  it('sends the completed list to the webhook of its customer', async () => {
    const list = await startList({ emails: 2 });
    await database.pool.query(
      "insert into webhooks (owner_id, id, url, sealed_secret, created_at) values ($1, $1, 'https://a.test', '', now())",
      [list.ownerId],
    );
    const enqueued: unknown[] = [];
    const queue: Partial<JobQueue> = {
      enqueueMany: async (_tx, _job, items) => void enqueued.push(...items.map(({ payload }) => payload)),
    };

    await list.write(['VALID'], { queue });
    expect(enqueued).toEqual([]);
    await list.write(['UNKNOWN'], { from: 1, queue });

    expect(enqueued).toEqual([{ ownerId: list.ownerId, webhookId: list.ownerId }]);
    const { rows } = await database.pool.query(
      'select event_type, body::json as body from webhook_deliveries where owner_id = $1',
      [list.ownerId],
    );
    expect(rows).toEqual([
      {
        event_type: 'list.completed',
        body: {
          type: 'list.completed',
          timestamp: now.toISOString(),
          data: expect.objectContaining({ id: list.place.listId, status: 'COMPLETE', charged_credits: 1 }),
        },
      },
    ]);
  });

  it('keeps flags, provider and suggestion of each result, and counts those that are safe to send to', async () => {
    const list = await startList({ emails: 6 });
    const findings = [
      findingOf(0, 'VALID', { mxProvider: 'google' }),
      findingOf(1, 'VALID', { mxProvider: 'microsoft', suggestion: 'jane@gmail.com' }),
      findingOf(2, 'VALID', { flags: flagBits(['role']) }),
      findingOf(3, 'VALID', { flags: flagBits(['disposable']) }),
      findingOf(4, 'INVALID'),
      findingOf(5, 'VALID', { mxProvider: 'google' }),
    ];
    const expected = findings.map(({ rowNumber, verdict, flags, mxProvider, suggestion }) => ({
      row_number: rowNumber,
      verdict,
      flags,
      mx_provider: mxProvider,
      suggestion,
    }));
    const stored = async () =>
      (
        await database.pool.query(
          `select row_number, verdict, flags, mx_provider, suggestion from list_results
           where list_id = $1 order by row_number`,
          [list.place.listId],
        )
      ).rows;

    await list.writeFindings(findings.slice(0, 3));
    expect(await list.read()).toMatchObject({ valid_emails: 3, safe_emails: 2 });
    await list.writeFindings(findings);

    expect(await stored()).toEqual(expected);
    expect(await list.read()).toMatchObject({ valid_emails: 5, safe_emails: 3, status: 'COMPLETE' });
  });

  it('tells the writer of results whether their progress was published', async () => {
    const list = await startList();
    const write = async (from: number, afterMs: number) =>
      (await list.write(['VALID'], { from, at: new Date(now.getTime() + afterMs) })).isProgressPublished;

    expect([await write(0, 0), await write(1, 50), await write(2, 150)]).toEqual([true, false, true]);
    expect(await write(3, 160), 'the last result').toBe(true);
  });

  it('tells the writer of results the run of the list, and whether workers go on with it', async () => {
    const list = await startList();
    const parts = { db: database.db, queue: { enqueue: async () => undefined } as unknown as JobQueue };
    const clock = { now: () => now };
    expect((await list.write(['VALID'])).run).toEqual({ number: 0, isWorkedOn: true });

    await emailLists.control.pause({ ...parts, clock }, list.place);
    expect((await list.write(['VALID'], { from: 1 })).run).toEqual({ number: 0, isWorkedOn: false });
    await emailLists.control.resume({ ...parts, clock }, list.place);

    expect((await list.write(['VALID'], { from: 2 })).run).toEqual({ number: 1, isWorkedOn: true });
    expect((await list.write(['VALID'], { from: 3 })).run).toEqual({ number: 1, isWorkedOn: false });
  });

  it('updates open pages once for each pause, resumption, wait and end', async () => {
    const list = await startList();
    const parts = {
      db: database.db,
      queue: { enqueue: async () => undefined } as unknown as JobQueue,
      clock: { now: () => now },
    };
    const events = await watchEvents(list.ownerId);

    for (const action of ['pause', 'resume', 'finish'] as const) {
      await emailLists.control[action](parts, list.place);
      expect([action, await events()]).toEqual([action, ['list_changed']]);
      await emailLists.control[action](parts, list.place);
      expect([`${action} again`, await events()]).toEqual([`${action} again`, []]);
    }
    const row = { rowNumber: 0, since: now, attempts: 1 };
    await database.db
      .transaction()
      .execute((tx) =>
        emailLists.results.deferRows(tx, list.place, 1, [{ host: 'mx.test', until: now, row }]),
      );
    expect(await events()).toEqual(['list_changed']);
    expect(events.ofList()).toEqual({ list_id: list.place.listId });

    const { listId } = list.place;
    await expect(emailLists.control.pause(parts, list.place)).rejects.toMatchObject({
      code: 'list_finishing',
      details: { listId },
    });
    await list.write(['VALID', 'VALID', 'VALID', 'VALID']);
    await expect(emailLists.control.pause(parts, list.place)).rejects.toMatchObject({
      code: 'list_complete',
      details: { listId },
    });
  });

  it('answers what the list costs, and nothing for one of the sandbox', async () => {
    const list = await startList({ emails: 3 });
    const sandboxList = await startList({ emails: 3, isSandbox: true });
    for (const { write } of [list, sandboxList]) await write(['VALID', 'UNKNOWN']);
    const running = {
      id: list.place.listId,
      name: 'A list',
      status: 'PENDING',
      progress: 66.6,
      creation_date: now.toISOString(),
      completion_date: null,
      file_name: 'a.csv',
      charged_credits: 1,
      run_state: 'running',
      waiting: [],
      preparation: null,
      source_list_id: null,
    };

    expect(emailLists.answers.answerOf(await list.read())).toEqual(running);
    expect(emailLists.answers.answerOf(await sandboxList.read())).toMatchObject({ charged_credits: 0 });
    await list.write(['INVALID'], { from: 2 });

    expect(emailLists.answers.answerOf(await list.read())).toEqual({
      ...running,
      status: 'COMPLETE',
      progress: 100,
      completion_date: now.toISOString(),
      charged_credits: 2,
      run_state: null,
    });
  });

  it('takes the credits of its results when the list is deleted before its end', async () => {
    const list = await startList();
    await list.write(['VALID', 'UNKNOWN']);

    await list.remove();

    expect(await list.wallet()).toEqual({ balance: 99, held: 0 });
    expect(await list.entries()).toEqual([[-1, 'List verification, stopped']]);
    expect(await list.metrics()).toEqual({ pending: 5, valid: 1, invalid: 0, catch_all: 0, unknown: 1 });
    await expect(list.write(['VALID'], { from: 2 })).rejects.toThrow(ListGone);
    await expect(list.write(['VALID'], { from: 2 })).rejects.toThrow('The list is gone.');
    expect(await list.results()).toHaveLength(2);
  });

  it('stays as it is when the completed list is deleted', async () => {
    const list = await startList();
    await list.write(['VALID', 'VALID', 'VALID', 'VALID']);

    await list.remove();

    expect(await list.entries()).toEqual([[-4, 'List verification']]);
    expect(await list.metrics()).toMatchObject({ pending: 5, valid: 4 });
  });

  it('404 for a list that is already deleted', async () => {
    const list = await startList();
    await list.remove();

    await expect(list.remove()).rejects.toMatchObject({
      code: 'list_not_found',
      details: { listId: list.place.listId },
    });
  });

  it('updates open pages and the activity log when a list is deleted', async () => {
    const list = await startList();
    const events = await watchEvents(list.ownerId);

    await list.remove();

    expect(await events()).toEqual(['list_deleted', 'refresh_billing']);
    const { rows } = await database.pool.query(
      "select contents->>'kind' as kind, list_name as about from activity_entries where owner_id = $1",
      [list.ownerId],
    );
    expect(rows).toEqual([{ kind: 'deletion.list', about: 'A list' }]);
  });

  it.each(['complete', 'deleted'])('takes no credits and no metrics from a %s sandbox list', async (end) => {
    const list = await startList({ emails: 2, isSandbox: true });

    await list.write(end === 'complete' ? ['VALID', 'VALID'] : ['VALID']);
    if (end === 'deleted') await list.remove();

    expect(await list.wallet()).toEqual({ balance: 100, held: 0 });
    expect(await list.entries()).toEqual([]);
    expect(await list.metrics()).toEqual({ pending: 5, valid: 0, invalid: 0, catch_all: 0, unknown: 0 });
  });

  it('takes results until the list is complete or deleted', async () => {
    const list = await startList({ emails: 1 });
    const deleted = await startList();
    const takesResults = ({ place }: typeof list) =>
      database.db.transaction().execute((tx) => emailLists.results.lockForResults(tx, place));
    expect(await takesResults(list)).toBe(true);

    await list.write(['VALID']);
    await deleted.remove();

    expect(await takesResults(list)).toBe(false);
    expect(await takesResults(deleted)).toBe(false);
  });

  it('locks the lists of a customer that still hold credits', async () => {
    const list = await startList({ emails: 1 });
    const idsOfHolding = async () =>
      (await database.db.transaction().execute((tx) => emailLists.results.lockHolding(tx, list.ownerId))).map(
        ({ id }) => id,
      );
    expect(await idsOfHolding()).toEqual([list.place.listId]);

    await list.write(['UNKNOWN']);

    expect(await idsOfHolding()).toEqual([]);
  });

  it('returns a completed list once to those who ask for new ones', async () => {
    const list = await startList({ emails: 1 });
    const running = await startList();
    await list.write(['VALID']);
    const take = () =>
      database.db
        .transaction()
        .execute((tx) => emailLists.results.takeEnded(tx, new Date(now.getTime() - 1), now));

    const taken = await take();

    expect(taken).toContainEqual(list.place);
    expect(taken).not.toContainEqual(running.place);
    expect(await take()).toEqual([]);
  });

  it('renames a list, tells open pages, and refuses what is not there', async () => {
    const list = await startList();
    const events = await watchEvents(list.ownerId);

    expect(await emailLists.control.rename(database.db, list.place, 'Spring')).toMatchObject({
      name: 'Spring',
    });

    expect(await events()).toEqual(['list_changed']);
    await list.remove();
    const missing = { code: 'list_not_found', details: { listId: list.place.listId } };
    await expect(emailLists.control.rename(database.db, list.place, 'Summer')).rejects.toMatchObject(missing);
  });

  it('answers the list of an upload, and asks for the file again once the list is deleted', async () => {
    const list = await startList();
    const madeOf = () => emailLists.answers.requireMadeOf(database.db, list.place, 'an-upload');
    expect(await madeOf()).toMatchObject({ id: list.place.listId });

    await list.remove();

    await expect(madeOf()).rejects.toMatchObject({
      code: 'upload_not_found',
      details: { uploadId: 'an-upload' },
    });
  });

  it('locks a list that is there, and only a complete one where that is asked for', async () => {
    const list = await startList({ emails: 1 });
    const locked = (how: 'lock' | 'lockComplete') =>
      database.db.transaction().execute(async (tx) => (await emailLists.results[how](tx, list.place)).status);
    expect(await locked('lock')).toBe('PENDING');
    await expect(locked('lockComplete')).rejects.toMatchObject({
      code: 'list_not_complete',
      details: { listId: list.place.listId },
    });

    await list.write(['VALID']);
    expect(await locked('lockComplete')).toBe('COMPLETE');

    await list.remove();
    for (const how of ['lock', 'lockComplete'] as const) {
      await expect(locked(how)).rejects.toMatchObject({ code: 'list_not_found' });
    }
  });

  describe('the many lists of a customer', () => {
    const { signal } = new AbortController();
    const parts = () => ({ db: database.db, clock: { now: () => now } });
    const before = new Date(now.getTime() + 1);

    /** A running list of four addresses, and more like it without credits of their own, created at a moment. */
    async function startMany(copies: number, createdAt = now) {
      const list = await startList();
      await database.pool.query(
        `insert into lists
         select (jsonb_populate_record(list, jsonb_build_object('id', gen_random_uuid(), 'status', 'COMPLETE',
           'created_at', $3::timestamptz))).*
         from lists list, generate_series(1, $2) where id = $1`,
        [list.place.listId, copies, createdAt],
      );
      return list;
    }

    it('are all found, a few at a time, without those of others', async () => {
      const { ownerId, place } = await startMany(120);
      await startList();

      const found = await Array.fromAsync(emailLists.answers.findAll(database.db, ownerId));

      expect(new Set(found.map(({ id }) => id)).size).toBe(121);
      expect(found).toContainEqual({ id: place.listId, name: 'A list' });
      expect(await emailLists.answers.findNames(database.db, ownerId, [place.listId, randomUUID()])).toEqual(
        new Map([[place.listId, 'A list']]),
      );
    });

    it('are counted and deleted with their rows up to a moment, and what still runs is settled', async () => {
      const { ownerId, write, wallet, entries } = await startMany(1, new Date(now.getTime() + 1));
      const other = await startList();
      await write(['VALID', 'UNKNOWN']);
      expect(await emailLists.answers.countOld(database.db, { ownerId, before })).toEqual({
        lists: 1,
        rows: 4,
      });

      await emailLists.control.deleteOld(parts(), { ownerId, before }, signal);

      expect(await emailLists.answers.countOld(database.db, { ownerId, before })).toEqual({
        lists: 0,
        rows: 0,
      });
      expect(await Array.fromAsync(emailLists.answers.findAll(database.db, ownerId))).toHaveLength(1);
      expect(await wallet()).toEqual({ balance: 99, held: 0 });
      expect(await entries()).toEqual([[-1, 'List verification, stopped']]);
      expect(await emailLists.answers.find(database.db, other.place)).toMatchObject({ status: 'PENDING' });
    });

    it('are deleted in several steps when they are many', async () => {
      const { ownerId } = await startMany(120);

      await emailLists.control.deleteOld(parts(), { ownerId, before }, signal);

      expect(await Array.fromAsync(emailLists.answers.findAll(database.db, ownerId))).toEqual([]);
    });

    it('stay when the sweep is asked to stop', async () => {
      const { ownerId } = await startMany(1);

      await expect(
        emailLists.control.deleteOld(parts(), { ownerId, before }, AbortSignal.abort()),
      ).rejects.toThrow('aborted');

      expect(await Array.fromAsync(emailLists.answers.findAll(database.db, ownerId))).toHaveLength(2);
    });
  });

  describe('a list whose pause was forgotten', () => {
    const { signal } = new AbortController();
    const later = { now: () => new Date(now.getTime() + 31 * 24 * 3_600_000) };
    async function startForgotten() {
      const list = await startList();
      const parts = { db: database.db, queue: {} as JobQueue };
      await emailLists.control.pause({ ...parts, clock: { now: () => now } }, list.place);
      return {
        ...list,
        sweep: (queue: Partial<JobQueue>, until = signal) =>
          emailLists.control.finishForgotten({ ...parts, queue: queue as JobQueue, clock: later }, until),
      };
    }

    it('is left alone when its customer deletes it at the same moment', async () => {
      const list = await startForgotten();
      const deletion = await database.db.startTransaction().execute();
      await emailLists.results.lock(deletion, list.place);

      const sweeping = list.sweep({ enqueue: async () => expect.fail('a deleted list is not finished') });
      await expect.poll(countWaiting).toBe(1);
      await sql`update lists set status = 'DELETED' where id = ${list.place.listId}`.execute(deletion);
      await deletion.commit().execute();

      await sweeping;
    });

    it('stays paused when the sweep is asked to stop', async () => {
      const list = await startForgotten();

      await expect(list.sweep({}, AbortSignal.abort())).rejects.toThrow('aborted');

      expect(await list.list()).toMatchObject({ status: 'PAUSED' });
      await list.remove();
    });

    it.each([new Error('The queue is closed.'), new AppError('service_unavailable')])(
      'stays paused, and the error is passed on, when its job cannot be enqueued: %s',
      async (error) => {
        const list = await startForgotten();
        const broken = async () => {
          throw error;
        };

        await expect(list.sweep({ enqueue: broken })).rejects.toThrow(error);

        expect(await list.list()).toMatchObject({ status: 'PAUSED' });
        await list.remove();
      },
    );

    const countWaiting = async () => {
      const { rows } = await database.pool.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rows.length;
    };
  });
});
