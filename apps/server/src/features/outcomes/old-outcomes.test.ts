import { OUTCOMES } from '@assay/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { createCheckFinder } from '../verification/index.ts';
import { outcomesHandlers } from './outcomes.handlers.ts';
import { matchOutcomesJob } from './outcomes.jobs.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

it('the job that matches outcomes keeps the newest 10 million of each customer', async () => {
  const { db, pool } = api.database;
  const [token, other] = [await api.tokenFor(), await api.tokenFor()];
  const idOf = async (of: string): Promise<string> =>
    (await api.call('GET', '/users/me', { token: of })).json().id;
  const [ownerId, otherId] = [await idOf(token), await idOf(other)];
  const report = async (of: string, ...names: string[]) => {
    const at = '2026-11-10T10:00:00Z';
    const outcomes = names.map((name) => ({ email: `${name}@exists.test`, kind: 'hard', at }));
    expect((await api.call('POST', '/outcomes', { token: of, body: { outcomes } })).json().recorded).toBe(
      names.length,
    );
  };
  await report(token, 'a', 'b', 'c');
  await report(other, 'a', 'b', 'c');
  // As if they had reported as many as are kept.
  await pool.query('update outcome_counters set last_number = $2, matched_number = $2 where owner_id = $1', [
    ownerId,
    OUTCOMES.keptMax,
  ]);
  await report(token, 'd', 'e');

  const handlers = outcomesHandlers({ db, queue: api.queue, checks: createCheckFinder(db) });
  const handler = handlers.find(({ job }) => job.name === matchOutcomesJob.name);
  for (const id of [ownerId, otherId])
    await handler?.run({ ownerId: id }, { signal: new AbortController().signal } as never);

  const { rows } = await pool.query(
    'select array_agg(email_address order by number) as emails from outcomes where owner_id = any($1) group by owner_id = $2 order by owner_id = $2',
    [[ownerId, otherId], ownerId],
  );
  expect(rows.map(({ emails }) => emails)).toEqual([
    ['a', 'b', 'c'].map((name) => `${name}@exists.test`),
    ['c', 'd', 'e'].map((name) => `${name}@exists.test`),
  ]);
});
