import type { OutcomeSource } from '@assay/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tx } from '../../platform/database/database.ts';
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

const kinds: readonly (keyof typeof slack | 'none')[][] = [
  ['none', 'none'],
  ['mail', 'mail'],
  ['none', 'day'],
  ['day', 'none'],
];
const statistics = ['of a table that was never analysed', 'of three reports', 'of today'] as const;

describe.each(statistics)('findAlike, with statistics %s', (state) => {
  it.each(kinds)(
    'reads in proportion to many reports of one address in different seconds, kept with the slack %s, asked with %s',
    async (keptAs = 'none', askedAs = 'none') => {
      const own = await startTestApi();
      const { db } = own.database;
      const token = await own.tokenFor();
      const { id: ownerId } = (await own.call('GET', '/users/me', { token })).json();
      await sql`alter table outcomes set (autovacuum_enabled = off)`.execute(db);
      const reports = (count: number, ids: string, as: typeof keptAs) =>
        Array.from({ length: count }, (_, n) =>
          outcome('sendgrid', {
            at: new Date(Date.parse(at) + n * 1_000),
            eventId: `${ids}${n}`,
            slackSeconds: as === 'none' ? 0 : slack[as],
          }),
        );
      const keep = (outcomes: readonly Outcome[]) =>
        db.transaction().execute(async (tx) => {
          const { lastNumber } = await lockCounters(tx, ownerId);
          await insertOutcomes(tx, { ownerId, lastNumber, outcomes, now: new Date(at) });
        });
      const find = (tx: Tx, outcomes: readonly Outcome[]) => findAlike(tx, ownerId, outcomes);

      await keep(Array.from({ length: 3 }, () => reports(1, 'first', keptAs)).flat());
      if (state === 'of three reports') await sql`analyze outcomes`.execute(db);
      // The connection plans the statement once, while the table is small.
      for (let times = 0; times < 15; times++)
        await db.transaction().execute((tx) => find(tx, reports(1, 'b', askedAs)));
      await keep(reports(2_000, 'a', keptAs));
      if (state === 'of today') await sql`analyze outcomes`.execute(db);

      const read = await db.transaction().execute(async (tx) => {
        await find(tx, reports(2_000, 'b', askedAs));
        const { rows } = await sql<{ count: string }>`
          select sum(seq_tup_read + idx_tup_fetch) as count from pg_stat_xact_user_tables where relname = 'outcomes'`.execute(
          tx,
        );
        return Number(rows[0]?.count);
      });
      await own.close();

      // Each against each would be four million.
      expect(read).toBeLessThan(500_000);
      expect(read).toBeGreaterThan(0);
    },
  );
});
