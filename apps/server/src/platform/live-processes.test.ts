import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { announceProcess, findProcesses } from './live-processes.ts';
import { createLogger } from './logging/index.ts';

const logger = createLogger({ level: 'silent', process: 'test' });
const version = { version: '1.2.3', commit: 'abc' };

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.close());

const announce = (kind: 'api' | 'worker' | 'identity') =>
  announceProcess({ db: database.db, logger, kind, version });

it('shows a process from its start to its end', async () => {
  const worker = await announce('worker');
  expect(await findProcesses(database.db)).toMatchObject([{ kind: 'worker', ...version, isLive: true }]);

  await worker.close();

  expect(await findProcesses(database.db)).toEqual([]);
});

it('shows an identity provider that started before the table was made', async () => {
  await database.pool.query('alter table live_processes rename to not_yet');
  const identity = await announce('identity');
  await database.pool.query('alter table not_yet rename to live_processes');

  await expect.poll(() => findProcesses(database.db)).toMatchObject([{ kind: 'identity', isLive: true }]);
  await identity.close();
});

it('misses a process that died, and forgets it after a day', async () => {
  const died = await announce('api');
  const age = (seconds: number) =>
    database.pool.query(`update live_processes set seen_at = now() - make_interval(secs => $1)`, [seconds]);
  await age(21);
  expect(await findProcesses(database.db)).toMatchObject([{ kind: 'api', isLive: false }]);

  await age(86_401);
  const other = await announce('worker');

  expect(await findProcesses(database.db)).toMatchObject([{ kind: 'worker' }]);
  await died.close();
  await other.close();
});
