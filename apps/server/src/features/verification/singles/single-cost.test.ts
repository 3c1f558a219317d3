import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import { type CountedStatements, countStatements } from '../../../testing/count-statements.ts';
import { startTestWorker, type TestWorker } from '../../../testing/worker.ts';
import { auditLedger } from '../../billing/index.ts';

const path = '/validations/email_validation';

describe('the cost of a single check', () => {
  let api: TestApi;
  let worker: TestWorker;
  let counted: CountedStatements | undefined;
  beforeAll(async () => {
    const many = '1000000';
    api = await startTestApi({ env: { RATE_LIMIT_PER_CUSTOMER: many, RATE_LIMIT_PER_ADDRESS: many } });
    // On a slow machine, checks would last long enough to be marked as in progress.
    worker = await startTestWorker(api, { schedule: () => () => undefined });
  });
  afterEach(() => counted?.stop());
  afterAll(async () => {
    await worker.close();
    await api.close();
  });

  async function newCaller() {
    const token = await api.tokenFor();
    const key = (await api.call('POST', '/users/api-keys', { token })).json();
    return { token, headers: { 'x-api-key': key.api_token as string } };
  }
  type Caller = Awaited<ReturnType<typeof newCaller>>;

  const byKey = async ({ headers }: Caller, email_address: string) => {
    const answer = await api.call('POST', `${path}?wait=30`, { headers, body: { email_address } });
    expect(answer.statusCode).toBe(200);
  };
  /** As the web app does, with a key for repetitions. */
  const byPerson = async ({ token }: Caller, email_address: string) => {
    const headers = { 'idempotency-key': randomUUID() };
    const answer = await api.call('POST', `${path}?wait=30`, { token, headers, body: { email_address } });
    expect(answer.statusCode).toBe(200);
  };

  async function check(
    caller: Caller,
    { count, atOnce, verify }: { count: number; atOnce: number; verify: typeof byKey },
  ): Promise<void> {
    let next = 0;
    const checkOneByOne = async () => {
      while (next < count) {
        next += 1;
        await verify(caller, `user${next}@exists.test`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, checkOneByOne));
    await expect
      .poll(async () => (await api.database.pool.query('select from job_runs')).rows.length, {
        timeout: 60_000,
      })
      .toBe(0);
  }

  /** Sessions report what they have updated when they end. */
  async function readUpdates(): Promise<number> {
    const { pool } = api.database;
    await pool.query(
      'select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    const { rows } = await pool.query(
      `select pg_stat_clear_snapshot(), coalesce(sum(n_tup_upd), 0)::int as updates from pg_stat_user_tables
       where (schemaname, relname) in (('queue', 'job_common'), ('public', 'single_validations'), ('public', 'holds'),
         ('public', 'wallets'), ('public', 'validation_metrics'), ('public', 'job_runs'), ('public', 'webhooks'))`,
    );
    await untilEventsArrive();
    return rows[0].updates;
  }
  /** A call does not wait while the API has no connection for events. */
  async function untilEventsArrive(): Promise<void> {
    const { headers } = await newCaller();
    const body = { email_address: 'jane@exists.test' };
    await expect
      .poll(async () => (await api.call('POST', `${path}?wait=30`, { headers, body })).statusCode, {
        timeout: 60_000,
      })
      .toBe(200);
  }

  it.each([
    ['by API key', byKey],
    ['by a person, with an Idempotency-Key', byPerson],
  ])(
    'is at most 3 transactions, 10 statements and 4 updated rows with 16 under way, %s',
    async (_, verify) => {
      // As many as a new customer has credits for.
      const count = 1_000;
      const caller = await newCaller();
      const updatesBefore = await readUpdates();
      counted = countStatements();

      await check(caller, { count, atOnce: 16, verify });

      const heartbeats = counted.heartbeats();
      const { transactions, statements } = counted.cost;
      const updates = (await readUpdates()) - updatesBefore - heartbeats;
      expect(transactions / count).toBeLessThanOrEqual(3);
      expect(statements / count).toBeLessThanOrEqual(10);
      expect(updates / count).toBeLessThanOrEqual(4);
      expect((await api.call('GET', '/billing/me', { token: caller.token })).json().balance).toBe(0);
    },
    600_000,
  );

  it('is at most 8 transactions alone', async () => {
    const count = 20;
    const caller = await newCaller();
    await check(caller, { count: 1, atOnce: 1, verify: byKey });
    counted = countStatements();

    await check(caller, { count: count - 1, atOnce: 1, verify: byKey });

    const transactions = counted.cost.transactions / (count - 1);
    expect(transactions).toBeLessThanOrEqual(8);
    // Look-up of the key, start, taking and reading the check, its end, and the answer. The end of its job may share one with the next.
    expect(transactions).toBeGreaterThanOrEqual(6);
  }, 120_000);

  it('leaves a ledger that agrees', async () => {
    expect(await Array.fromAsync(auditLedger(api.database.db))).toEqual([]);
  });
});
