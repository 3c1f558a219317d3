import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { matchOutcomesJob } from './outcomes.jobs.ts';
import { resumeMatching } from './resume-matching.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const query = async (text: string, values: unknown[]) => (await api.database.pool.query(text, values)).rows;
const jobsOf = (ownerId: string) =>
  query(`select state from queue.job where name = $1 and data ->> 'ownerId' = $2 order by created_on`, [
    matchOutcomesJob.name,
    ownerId,
  ]);

async function reportOne(): Promise<string> {
  const token = await api.tokenFor();
  const outcomes = [{ email: 'jane@exists.test', kind: 'complaint', at: '2026-11-10T10:00:00Z' }];
  expect((await api.call('POST', '/outcomes', { token, body: { outcomes } })).statusCode).toBe(200);
  return (await api.call('GET', '/users/me', { token })).json().id;
}
const resume = () => resumeMatching({ db: api.database.db, queue: api.queue });

it('enqueues a lost or failed job again, once', async () => {
  const [lost, failed] = [await reportOne(), await reportOne()];
  await query(`delete from queue.job where data ->> 'ownerId' = $1`, [lost]);
  await query(`update queue.job set state = 'failed' where data ->> 'ownerId' = $1`, [failed]);

  await resume();
  await resume();

  expect(await jobsOf(lost)).toEqual([{ state: 'created' }]);
  expect(await jobsOf(failed)).toEqual([{ state: 'failed' }, { state: 'created' }]);
});

it('enqueues none where one waits or runs, or where all outcomes are matched', async () => {
  const [waiting, running, matched] = [await reportOne(), await reportOne(), await reportOne()];
  await query(`update queue.job set state = 'active' where data ->> 'ownerId' = $1`, [running]);
  await query(`delete from queue.job where data ->> 'ownerId' = $1`, [matched]);
  await query('update outcome_counters set matched_number = last_number where owner_id = $1', [matched]);

  await resume();

  expect(await jobsOf(waiting)).toEqual([{ state: 'created' }]);
  expect(await jobsOf(running)).toEqual([{ state: 'active' }]);
  expect(await jobsOf(matched)).toEqual([]);
});
