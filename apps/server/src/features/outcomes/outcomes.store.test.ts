import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { type Outcome, type OutcomeReport, type OutcomeSource, outcomeOf } from './outcome.ts';
import { findAlike } from './outcomes.store.ts';

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
  expect(await countAlike([outcome('file')])).toBe(100);
  expect(
    await countAlike([outcome('file', { slackSeconds: 60, at: new Date('2026-11-10T10:00:30Z') })]),
  ).toBe(100);
  expect(await countAlike([outcome('file', { at: new Date('2026-11-10T10:00:01Z') })])).toBe(0);
});
