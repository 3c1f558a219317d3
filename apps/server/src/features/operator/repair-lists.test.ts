import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { createLogger } from '../../platform/logging/index.ts';
import { createMetrics, type Metrics } from '../../platform/metrics/index.ts';
import { deadLetters } from '../../platform/queue/queue.ts';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { createListRepair } from './repair-lists.ts';

let api: TestApi;
let token: string;
let ownerId: string;
let metrics: Metrics;
let repair: () => Promise<void>;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  await api.database.pool.query('delete from queue.job');
  await api.database.pool.query('delete from lists');
  token = await api.tokenFor({});
  ownerId = (await api.call('GET', '/users/me', { token })).json().id;
  metrics = createMetrics();
  const { queue, database } = api;
  const logger = createLogger({ level: 'silent', process: 'test' });
  const repairLists = createListRepair({ db: database.db, clock: systemClock, logger, queue, metrics });
  repair = () => repairLists(new AbortController().signal);
});

const newList = async () =>
  (
    await api.call('POST', '/validations/lists', {
      token,
      body: { name: 'Spring', emails: ['jane@exists.test'] },
    })
  ).json().id as string;
const queuesOf = async (listId: string) => {
  const { rows } = await api.database.pool.query(
    `select name from queue.job where data ->> 'listId' = $1 and state <= 'active'`,
    [listId],
  );
  return rows.map(({ name }) => name);
};
const loseJobs = (listId: string) =>
  api.database.pool.query(`delete from queue.job where data ->> 'listId' = $1`, [listId]);
const countRepairs = async (kind: string) =>
  new RegExp(`assay_lists_repaired_total{kind="${kind}"} (\\d+)`).exec(await metrics.registry.metrics())?.[1];

it('restarts a running list whose jobs were lost, once, and counts it', async () => {
  const listId = await newList();
  await loseJobs(listId);

  await repair();
  await repair();

  expect(await queuesOf(listId)).toEqual(['validations.resume-list']);
  expect(await countRepairs('emails')).toBe('1');
});

it('restarts a list of people and one that is being finished', async () => {
  const people = randomUUID();
  await api.database.pool.query(
    `insert into lists (kind, owner_id, id, name, status, delimiter, total_people, created_at)
     values ('people', $1, $2, 'People', 'PENDING', ',', 1, now())`,
    [ownerId, people],
  );
  const finishing = await newList();
  await api.call('POST', `/validations/lists/${finishing}/finish`, { token });
  await loseJobs(finishing);

  await repair();

  expect(await queuesOf(people)).toEqual(['guessing.resume-list']);
  expect(await queuesOf(finishing)).toEqual(['validations.finish-list']);
  expect([await countRepairs('emails'), await countRepairs('people')]).toEqual(['1', '1']);
});

it('restarts the preparation of a list whose rows are not copied', async () => {
  // Long by what is repeated, so that the opening credits cover it.
  const emails = Array.from(
    { length: 15_000 },
    (_, row) => `person.with-a-long-address.${row % 500}@exists.test`,
  );
  const { id } = (
    await api.call('POST', '/validations/lists', { token, body: { name: 'Long', emails } })
  ).json();
  await loseJobs(id);

  await repair();
  await repair();

  expect(await queuesOf(id)).toEqual(['validations.prepare-list']);
  expect(await countRepairs('emails')).toBe('1');
});

it('leaves alone what waits in the queue, is paused, or needs a person', async () => {
  const waiting = await newList();
  const paused = await newList();
  await api.call('POST', `/validations/lists/${paused}/pause`, { token });
  await loseJobs(paused);
  const failed = await newList();
  await api.database.pool.query(
    `update queue.job set name = $2, source_name = name where data ->> 'listId' = $1`,
    [failed, deadLetters],
  );

  await repair();

  expect(await queuesOf(waiting)).toEqual(['validations.verify-short-list']);
  expect(await queuesOf(paused)).toEqual([]);
  expect(await queuesOf(failed)).toEqual([deadLetters]);
  expect(await countRepairs('emails')).toBe('0');
});
