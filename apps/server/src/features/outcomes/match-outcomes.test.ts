import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { createFolderStore } from '../../platform/files/folder-store.ts';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { createCheckFinder } from '../verification/index.ts';
import { createPartitions, newListId } from '../verification/rows/large-lists.store.ts';
import { sweepValidations } from '../verification/sweep.ts';
import { type CheckFinder, matchOutcomes } from './match-outcomes.ts';
import { keepNewestOutcomes } from './old-outcomes.store.ts';
import { type OutcomeReport, slack } from './outcome.ts';
import { findOutcomesOf, findOutcomesOfSingles } from './outcomes-of-checks.store.ts';
import { recordOutcomes } from './record-outcomes.ts';

const hard = {
  class: 'hard',
  subject: 'mailbox',
  action: 'suppress',
  reason: 'no_such_mailbox',
  rule: 'a-rule',
  words: '550 5.1.1 User unknown',
} as const;
const event = new Date('2026-11-10T12:00:00Z');
const before = (days: number) => new Date(event.getTime() - days * 86_400_000);
const { signal } = new AbortController();

describe('matchOutcomes', () => {
  let api: TestApi;
  let token: string;
  let ownerId: string;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    token = await api.tokenFor();
    ownerId = (await api.call('GET', '/users/me', { token })).json().id;
  });
  const query = async (text: string, values: unknown[] = []) =>
    (await api.database.pool.query(text, values)).rows;

  /** A list with an address in each row and a result for each of them. */
  async function checkedList(
    emails: readonly string[],
    checkedAt: Date,
    { id = randomUUID() as string, isSandbox = false } = {},
  ) {
    await query(
      `insert into lists (kind, owner_id, id, name, status, delimiter, total_emails, created_at, completed_at, is_sandbox)
       values ('emails', $1, $2, 'list', 'COMPLETE', ',', $3, $4, $4, $5)`,
      [ownerId, id, emails.length, checkedAt, isSandbox],
    );
    await api.database.db.transaction().execute((tx) => createPartitions(tx, id));
    await query(
      `insert into list_rows (owner_id, list_id, row_number, cells, email_address)
       select $1, $2, place, email, email from unnest($3::text[]) with ordinality as row (email, place)`,
      [ownerId, id, emails],
    );
    await query(
      `insert into list_results (owner_id, list_id, row_number, verdict, reason, checked_at)
       select $1, $2, place, 'VALID', 'mailbox_accepted', $4 from unnest($3::text[]) with ordinality as row (email, place)`,
      [ownerId, id, emails, checkedAt],
    );
    return id;
  }
  async function checkedSingle(email: string, checkedAt: Date) {
    const id = randomUUID();
    await query(
      `insert into single_validations (owner_id, id, email_address, status, verdict, reason, detail, created_at, completed_at)
       values ($1, $2, $3, 'COMPLETE', 'VALID', 'mailbox_accepted', '{}', $4, $4)`,
      [ownerId, id, email, checkedAt],
    );
    return id;
  }
  const report = async (email: string, changes: Partial<OutcomeReport> = {}) => {
    const parts = { ...api.database, queue: api.queue, clock: systemClock, reactions: [] };
    await recordOutcomes(parts, ownerId, { source: 'api', sourceId: null }, [
      { email, finding: hard, at: event, ...changes },
    ]);
  };
  const match = () =>
    matchOutcomes({ db: api.database.db, checks: createCheckFinder(api.database.db) }, ownerId, signal);
  const matches = async () =>
    (
      await query(
        'select check_id, row_number from outcome_matches where owner_id = $1 order by outcome_number',
        [ownerId],
      )
    ).map(({ check_id, row_number }) => [check_id, row_number]);

  it('finds the newest check before the event, of a list, a large list or a single', async () => {
    const old = await checkedList(['other@exists.test', 'jane@exists.test'], before(30));
    const large = await checkedList(['max@exists.test', 'jane@exists.test'], before(20), {
      id: newListId(100_000),
    });
    await checkedList(
      ['jane@exists.test', 'max@exists.test', 'other@exists.test'],
      new Date(event.getTime() + 1_000),
    );
    const single = await checkedSingle('Max@Exists.test', before(10));
    await report('JANE@exists.test');
    await report('max@exists.test');
    await report('other@exists.test');
    await report('nobody@exists.test');

    await match();

    expect(await matches()).toEqual([
      [large, 2],
      [single, 0],
      [old, 1],
    ]);
  });

  it('finds any spelling of a domain', async () => {
    const list = await checkedList(['a@münchen.example', 'b@xn--mnchen-3ya.example'], before(1));
    const single = await checkedSingle('c@münchen.example', before(1));
    await report('a@XN--mnchen-3ya.example');
    await report('b@münchen.example');
    await report('c@xn--mnchen-3ya.example');

    await match();

    expect(await matches()).toEqual([
      [list, 1],
      [list, 2],
      [single, 0],
    ]);
  });

  it('finds no check that is older than 180 days, of the sandbox, or of another customer', async () => {
    await checkedList(['old@exists.test'], before(180.1));
    await checkedList(['sandbox@exists.test'], before(1), { isSandbox: true });
    const mine = ownerId;
    ownerId = (await api.call('GET', '/users/me', { token: await api.tokenFor() })).json().id;
    await checkedList(['foreign@exists.test'], before(1));
    ownerId = mine;
    const inTime = await checkedList(['new@exists.test'], before(179.9));
    for (const name of ['old', 'sandbox', 'foreign', 'new']) await report(`${name}@exists.test`);

    await match();

    expect(await matches()).toEqual([[inTime, 1]]);
  });

  it('finds only checks of the list that the report names', async () => {
    const named = await checkedList(['jane@exists.test'], before(9));
    await checkedList(['jane@exists.test'], before(1));
    await checkedSingle('jane@exists.test', before(1));
    await report('jane@exists.test', { listId: named });
    await match();
    expect(await matches()).toEqual([[named, 1]]);
  });

  it('finds a check of the same day for a report with the day only, and none after a mail', async () => {
    const evening = new Date('2026-11-10T20:00:00Z');
    const list = await checkedList(['day@exists.test'], evening);
    await checkedList(['mail@exists.test'], new Date(event.getTime() + 5_000));
    await report('day@exists.test', { slackSeconds: slack.day });
    await report('mail@exists.test', { slackSeconds: slack.mail });
    await match();
    expect(await matches()).toEqual([[list, 1]]);
  });

  it('goes on where it was: matches nothing twice, and new outcomes with new lists', async () => {
    const first = await checkedList(['jane@exists.test'], before(2));
    await report('jane@exists.test');
    await Promise.all([match(), match(), match()]);
    expect(await matches()).toEqual([[first, 1]]);
    const second = await checkedList(['max@exists.test'], before(1));
    await report('max@exists.test');
    await match();
    await match();
    expect(await matches()).toEqual([
      [first, 1],
      [second, 1],
    ]);
  });

  it('finds rows of many lists by their run, which is made once', async () => {
    const emails = Array.from({ length: 60_000 }, (_, index) => `person-${index}@exists.test`);
    const lists = [
      await checkedList(emails.slice(0, 30_000), before(3)),
      await checkedList(emails.slice(30_000), before(2)),
    ];
    await report('person-7@exists.test');
    await match();
    const runs = await query('select list_ids, row_count, pack_count from address_runs where owner_id = $1', [
      ownerId,
    ]);
    expect(runs).toEqual([{ list_ids: lists, row_count: 60_000, pack_count: expect.any(Number) }]);
    await query('update list_rows set email_address = null where owner_id = $1 and row_number > 59999', [
      ownerId,
    ]);

    await report('Person-59999@exists.test');
    await match();
    for (let index = 0; index < 1_000; index++) emails[index] = `person-${index * 50}@exists.test`;
    const parts = { ...api.database, queue: api.queue, clock: systemClock, reactions: [] };
    await recordOutcomes(
      parts,
      ownerId,
      { source: 'api', sourceId: null },
      emails.slice(0, 1_000).map((email) => ({ email, finding: hard, at: event, eventId: 'many' })),
    );
    await match();

    const found = await matches();
    expect(found.slice(0, 2)).toEqual([
      [lists[0], 8],
      [lists[1], 30_000],
    ]);
    expect(found).toHaveLength(1_002);
    expect(await query('select 1 from address_runs where owner_id = $1', [ownerId])).toHaveLength(1);
  }, 60_000);

  it('forgets the check when its list or single is deleted; the outcome stays', async () => {
    const list = await checkedList(['jane@exists.test'], before(2));
    const single = await checkedSingle('max@exists.test', before(2));
    await report('jane@exists.test');
    await report('max@exists.test');
    await match();
    await query(
      'insert into address_runs (owner_id, id, list_ids, row_count, pack_count) values ($1, $2, $3, 1, 1)',
      [ownerId, randomUUID(), [list]],
    );

    await api.call('DELETE', `/validations/lists/${list}`, { token });
    await api.call('DELETE', `/validations/email_validation/${single}`, { token });
    await sweepValidations(
      { ...api.database, clock: systemClock, files: createFolderStore(api.filesFolder) },
      signal,
    );

    expect(await matches()).toEqual([]);
    expect(await query('select 1 from address_runs where owner_id = $1', [ownerId])).toEqual([]);
    expect(await query('select 1 from outcomes where owner_id = $1', [ownerId])).toHaveLength(2);
  });

  it('forgets the match of an outcome that another one replaces, and matches that', async () => {
    const list = await checkedList(['jane@exists.test'], before(2));
    await report('jane@exists.test', { slackSeconds: slack.minute });
    await match();
    await report('jane@exists.test');
    expect(await matches()).toEqual([]);
    await match();
    expect(await matches()).toEqual([[list, 1]]);
  });

  it('forgets the matches of outcomes that are too old, however many', async () => {
    const emails = Array.from({ length: 300 }, (_, n) => `person-${n}@exists.test`);
    const list = await checkedList(emails, before(2));
    for (const email of emails.slice(0, 3)) await report(email);
    const parts = { ...api.database, queue: api.queue, clock: systemClock, reactions: [] };
    await recordOutcomes(
      parts,
      ownerId,
      { source: 'file', sourceId: null },
      emails.slice(3).map((email) => ({ email, finding: hard, at: event })),
    );
    await match();
    expect(await matches()).toHaveLength(300);
    await keepNewestOutcomes(api.database.db, { ownerId, keptMax: 1 }, signal);
    expect(await matches()).toEqual([[list, 300]]);
  });

  it('writes no match for an outcome that was deleted since it was read', async () => {
    const list = await checkedList(['jane@exists.test', 'max@exists.test'], before(2));
    await report('jane@exists.test');
    await report('max@exists.test');
    const finder = createCheckFinder(api.database.db);
    const checks: CheckFinder = {
      async *find(...asked) {
        yield* finder.find(...asked);
        await query('delete from outcomes where owner_id = $1 and number = 1', [ownerId]);
      },
    };
    await matchOutcomes({ db: api.database.db, checks }, ownerId, signal);
    expect(await matches()).toEqual([[list, 2]]);
  });

  it('leaves no match when the account is deleted while matches are written', async () => {
    const list = await checkedList(['jane@exists.test'], before(2));
    await report('jane@exists.test');
    const writing = await api.database.pool.connect();
    await writing.query('begin');
    await writing.query('update outcome_counters set matched_number = 1 where owner_id = $1', [ownerId]);
    const deleting = await api.database.pool.connect();
    const { rows } = await deleting.query('select pg_backend_pid() as pid');
    const deleted = deleting.query('delete from accounts where id = $1', [ownerId]);
    await expect
      .poll(async () => (await query('select pg_blocking_pids($1) as pids', [rows[0].pid]))[0].pids)
      .not.toEqual([]);
    await writing.query('insert into outcome_matches values ($1, $2, 1, 1)', [ownerId, list]);
    await writing.query('commit');
    await deleted;
    writing.release();
    deleting.release();

    expect(await query('select 1 from outcomes where owner_id = $1', [ownerId])).toEqual([]);
    expect(await matches()).toEqual([]);
  });

  it('answers the outcomes of a check, the latest first; what proves nothing comes last', async () => {
    const list = await checkedList(['jane@exists.test'], before(2));
    const single = await checkedSingle('max@exists.test', before(2));
    const delivered = { ...hard, class: 'delivered', reason: 'delivered' } as const;
    const notSent = { ...hard, class: 'not_sent', reason: 'suppressed_by_sender' } as const;
    const at = (seconds: number) => new Date(event.getTime() + seconds * 1_000);
    for (const email of ['jane@exists.test', 'max@exists.test']) {
      await report(email, { finding: notSent, at: at(9) });
      await report(email, { at: at(5) });
      await report(email, { finding: delivered, at: at(1) });
      await report(email, { finding: delivered, at: at(5) });
    }
    await match();

    const kinds = ['hard', 'delivered', 'delivered', 'not_sent'];
    const ofList = await findOutcomesOf(api.database.db, ownerId, list, [1]);
    expect(ofList.get(1)?.map(({ kind }) => kind)).toEqual(kinds);
    const ofSingles = await findOutcomesOfSingles(api.database.db, ownerId, [single]);
    expect(ofSingles.get(single)?.map(({ kind }) => kind)).toEqual(kinds);
  });
});
