import { randomUUID } from 'node:crypto';
import type { Finding, Verifier } from '@assay/verifier';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../platform/clock.ts';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import { auditLedger } from '../../billing/index.ts';
import { createSingleVerifier } from './verify-single.ts';

const path = '/validations/email_validation';
const patient = { timeout: 30_000 };
const addresses = ['ann', 'ben', 'cem', 'dan', 'eve'].map((name) => `${name}@exists.test`);
const valid = {
  kind: 'verdict',
  result: 'VALID',
  reason: 'mailbox_accepted',
  flags: {},
  evidence: [],
} as unknown as Finding<unknown>;

/**
 * From a statement on, all connections break and no statement gets through, as when the process is killed: before the statement is
 * sent, or after PostgreSQL has done it. Statements that only read are counted too.
 */
function killAt(place: number, moment: 'before' | 'after'): { readonly wasReached: () => boolean } {
  let count = 0;
  let isDead = false;
  const { query } = pg.Client.prototype;
  const die = (client: pg.Client) => {
    isDead = true;
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    return Promise.reject(new Error('The process was killed.'));
  };
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...input: unknown[]) {
    const run = () =>
      (query as (...input: unknown[]) => unknown).apply(this, input) as unknown as Promise<unknown>;
    const { application_name } = (this as unknown as { connectionParameters: Record<string, string> })
      .connectionParameters;
    if (application_name !== 'assay test') return run() as never;
    count += 1;
    if (isDead || (count === place && moment === 'before')) return die(this) as never;
    return (count === place ? run().then(() => die(this)) : run()) as never;
  });
  return { wasReached: () => isDead };
}

describe('a process that is killed at any statement', () => {
  let api: TestApi;
  /** Its connections are never cut. */
  let onlooker: pg.Pool;
  beforeAll(async () => {
    api = await startTestApi();
    onlooker = new pg.Pool({ connectionString: api.database.url, application_name: 'onlooker' });
  });
  afterAll(async () => {
    await onlooker.end();
    await api.close();
  });
  afterEach(() => vi.restoreAllMocks());

  async function newCustomer() {
    const token = await api.tokenFor();
    const { id } = (await api.call('GET', '/users/me', { token })).json<{ id: string }>();
    return { token, id };
  }
  /** Sends all calls at once, and returns their statuses. */
  const startAll = async (token: string, keys?: readonly string[]): Promise<number[]> => {
    const answers = await Promise.all(
      addresses.map((email_address, place) =>
        api.call('POST', path, {
          token,
          headers: keys ? { 'idempotency-key': keys[place] as string } : {},
          body: { email_address },
        }),
      ),
    );
    return answers.map(({ statusCode }) => statusCode);
  };
  const readState = async (ownerId: string) => {
    const { rows } = await onlooker.query(
      `select balance::int, held::int,
         (select count(*)::int from ledger_entries where owner_id = $1 and source = 'SINGLE') as entries,
         (select count(*)::int from single_validations where owner_id = $1) as checks,
         (select count(*)::int from single_validations where owner_id = $1 and status = 'COMPLETE') as complete,
         (select count(*)::int from queue.job where data ->> 'ownerId' = $1::text) as jobs,
         (select coalesce(sum(pending), 0)::int from validation_metrics where owner_id = $1) as pending,
         (select coalesce(sum(valid), 0)::int from validation_metrics where owner_id = $1) as valid
       from wallets where owner_id = $1`,
      [ownerId],
    );
    return rows[0];
  };
  const started = {
    balance: 1_000,
    held: 5,
    entries: 0,
    checks: 5,
    complete: 0,
    jobs: 5,
    pending: 5,
    valid: 0,
  };
  const nothing = {
    balance: 1_000,
    held: 0,
    entries: 0,
    checks: 0,
    complete: 0,
    jobs: 0,
    pending: 0,
    valid: 0,
  };
  const ended = { ...started, balance: 995, held: 0, entries: 5, complete: 5, pending: 0, valid: 5 };

  it.each(['before', 'after'] as const)(
    'starts all checks of a transaction or none, and repeated calls start each once: killed %s it',
    async (moment) => {
      const states = new Set<string>();
      for (let place = 1, isReached = true; isReached; place += 1) {
        const { token, id } = await newCustomer();
        const keys = addresses.map(() => randomUUID());
        const kill = killAt(place, moment);
        const statuses = await startAll(token, keys);
        isReached = kill.wasReached();
        vi.restoreAllMocks();

        if (isReached) expect(statuses).not.toEqual(Array(5).fill(201));
        const state = await readState(id);
        expect([nothing, started]).toContainEqual(state);
        states.add(JSON.stringify(state));
        // The pool may still have some of the broken connections.
        await expect.poll(() => startAll(token, keys), patient).toEqual(Array(5).fill(201));
        expect(await readState(id)).toEqual(started);
        expect(place).toBeLessThan(50);
      }
      // The last run had no kill. One that dies after the commit has started them.
      expect(states.size).toBe(2);
    },
    120_000,
  );

  it('answers calls without a key with their checks when only the answer to the commit is lost', async () => {
    const { token, id } = await newCustomer();
    const { query } = pg.Client.prototype;
    let starting: pg.Client | undefined;
    let isLost = false;
    vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: pg.Client,
      ...input: unknown[]
    ) {
      const text = JSON.stringify(input[0]);
      const answer = (query as (...input: unknown[]) => unknown).apply(this, input) as Promise<unknown>;
      if (text.includes('insert into single_validations')) starting ??= this;
      if (isLost || this !== starting || !/commit/i.test(text)) return answer as never;
      isLost = true;
      return answer.then(() => Promise.reject(new Error('The connection broke.'))) as never;
    });

    expect(await startAll(token)).toEqual(Array(5).fill(201));
    expect(isLost).toBe(true);
    expect(await readState(id)).toEqual(started);
  });

  it.each(['before', 'after'] as const)(
    'completes, counts and charges each check once when its job runs again: killed %s it',
    async (moment) => {
      const verifier = { verify: async () => valid } as Partial<Verifier> as Verifier;
      const work = { db: api.database.db, queue: api.queue, clock: systemClock, verifier, egress: 'test' };
      for (let place = 1, isReached = true; isReached; place += 1) {
        const { token, id: ownerId } = await newCustomer();
        await startAll(
          token,
          addresses.map(() => randomUUID()),
        );
        const { rows } = await onlooker.query('select id from single_validations where owner_id = $1', [
          ownerId,
        ]);
        const runJobs = () => {
          const verify = createSingleVerifier(work);
          const { signal } = new AbortController();
          return Promise.allSettled(rows.map(({ id }) => verify({ ownerId, validationId: id }, signal)));
        };
        const kill = killAt(place, moment);
        const runs = await runJobs();
        isReached = kill.wasReached();
        vi.restoreAllMocks();

        if (isReached) expect(runs.every(({ status }) => status === 'rejected')).toBe(true);
        expect([started, ended]).toContainEqual(await readState(ownerId));
        await expect
          .poll(async () => (await runJobs()).every(({ status }) => status === 'fulfilled'), patient)
          .toBe(true);
        expect(await readState(ownerId)).toEqual(ended);
        expect(place).toBeLessThan(50);
      }
    },
    120_000,
  );

  it('leaves a ledger that agrees', async () => {
    expect(await Array.fromAsync(auditLedger(api.database.db))).toEqual([]);
  });
});
