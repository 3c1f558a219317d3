import type { OutcomeSource } from '@assay/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { type Outcome, type OutcomeReport, outcomeOf, slack } from './outcome.ts';
import { findAlike, insertOutcomes, lockCounters } from './outcomes.store.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const finding = {
  class: 'hard',
  subject: 'mailbox',
  action: 'suppress',
  reason: 'no_such_mailbox',
  rule: 'no-such-mailbox-by-wording',
  words: '550 5.1.1 User unknown',
} as const;
const at = '2026-11-10T10:00:00Z';
const outcome = (source: OutcomeSource, changes: Partial<OutcomeReport> = {}): Outcome =>
  outcomeOf(
    { email: 'jane@exists.test', finding, at: new Date(at), ...changes },
    { source, sourceId: null },
  ) as Outcome;

it('findAlike reads few of the many events that a sender has reported of one address in one second', async () => {
  const token = await api.tokenFor();
  const { id: ownerId } = (await api.call('GET', '/users/me', { token })).json();
  const events = Array.from({ length: 150 }, (_, n) => `a${n}`);
  const outcomes = events.map((id) => ({ email: 'jane@exists.test', kind: 'hard', at, id }));
  await api.call('POST', '/outcomes', { token, body: { outcomes } });
  const countAlike = (wanted: readonly Outcome[]) =>
    api.database.db.transaction().execute(async (tx) => (await findAlike(tx, ownerId, wanted)).length);

  expect(await countAlike(['b1', 'b2'].map((eventId) => outcome('api', { eventId })))).toBe(0);
  expect(await countAlike([outcome('api', { eventId: 'a7' })])).toBe(1);
  expect(await countAlike([outcome('file')])).toBe(5);
  expect(
    await countAlike([outcome('file', { slackSeconds: 60, at: new Date('2026-11-10T10:00:30Z') })]),
  ).toBe(5);
  expect(await countAlike([outcome('file', { at: new Date('2026-11-10T10:00:01Z') })])).toBe(0);
});

it.each<[string, keyof typeof slack | 'none', keyof typeof slack | 'none']>([
  ['exact ones', 'none', 'none'],
  ['those of mails', 'mail', 'mail'],
  ['a day each, among exact ones', 'none', 'day'],
  ['exact ones, among a day each', 'day', 'none'],
])(
  'findAlike reads in proportion to many reports of one address in different seconds: %s',
  async (_, keptAs, askedAs) => {
    const token = await api.tokenFor();
    const { id: ownerId } = (await api.call('GET', '/users/me', { token })).json();
    const count = 2_000;
    const reports = (ids: string, as: typeof keptAs) =>
      Array.from({ length: count }, (_unused, n) =>
        outcome('sendgrid', {
          at: new Date(Date.parse(at) + n * 1_000),
          eventId: `${ids}${n}`,
          slackSeconds: as === 'none' ? 0 : slack[as],
        }),
      );
    const { db } = api.database;
    await db.transaction().execute(async (tx) => {
      const { lastNumber } = await lockCounters(tx, ownerId);
      await insertOutcomes(tx, { ownerId, lastNumber, outcomes: reports('a', keptAs), now: new Date(at) });
    });

    // As autovacuum does within a minute. If it did so last when there were few, PostgreSQL reads all of an account for each.
    await sql`analyze outcomes`.execute(db);

    const read = await db.transaction().execute(async (tx) => {
      await findAlike(tx, ownerId, reports('b', askedAs));
      const { rows } = await sql<{ count: string }>`
      select sum(seq_tup_read + idx_tup_fetch) as count from pg_stat_xact_user_tables where relname = 'outcomes'`.execute(
        tx,
      );
      return Number(rows[0]?.count);
    });

    // Each against each would be four million.
    expect(read).toBeLessThan(500_000);
  },
);
