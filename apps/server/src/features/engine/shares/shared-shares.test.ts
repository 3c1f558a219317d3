import { newShareState, type ShareReport } from '@assay/verifier';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { createSharedShares } from './shared-shares.ts';
import { sweepShares } from './shares.store.ts';

const limit = { share: 0.1, recipients: 100 };
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  // New ones would begin with less.
  await database.pool.query(
    `insert into egress_plans (egress, weeks) values ('default', 0), ('elsewhere', 0)`,
  );
});
afterAll(() => database.close());
beforeEach(() => database.pool.query('truncate share_states'));

const newWorker = (egress = 'default') => {
  const ledger = createSharedShares(database.db, egress);
  return (change: Partial<ShareReport> = {}, provider = 'big.example') =>
    ledger.exchange(provider, limit, {
      asked: 0,
      unknown: 0,
      blocked: 0,
      askedOf: {},
      unknownOf: {},
      kept: 0,
      wanted: 0,
      ...change,
    });
};

describe('what a provider may be asked', () => {
  it('is common to all workers of an egress address', async () => {
    const [one, two] = [newWorker(), newWorker()];
    expect((await one({ wanted: 50 })).slots).toBe(10);
    expect((await two({ wanted: 50 })).slots).toBe(0);
    await one({ asked: 12, unknown: 7, unknownOf: { 'a customer': 7 } });
    expect(await two({ wanted: 50 })).toMatchObject({ slots: 3 });
  });

  it('is separate for each egress address and each provider', async () => {
    const one = newWorker();
    await one({ asked: 20, unknown: 10 });
    expect((await one({ wanted: 50 })).slots).toBe(0);
    expect((await newWorker('elsewhere')({ wanted: 50 })).slots).toBe(10);
    expect((await one({ wanted: 50 }, 'small.example')).slots).toBe(10);
  });

  it('is never more than the limit, however many workers ask at once', async () => {
    const workers = Array.from({ length: 16 }, () => newWorker());
    const granted = await Promise.all(
      workers.flatMap((worker) => [worker({ wanted: 3 }), worker({ wanted: 3 }, 'small.example')]),
    );
    expect(granted.reduce((sum, { slots }) => sum + slots, 0)).toBeLessThanOrEqual(20);
    expect(granted.reduce((sum, { slots }) => sum + slots, 0)).toBeGreaterThan(10);
  });

  it('goes with one transaction for the providers of a turn', async () => {
    const ledger = newWorker();
    const names = Array.from({ length: 50 }, (_, index) => `provider${index}.test`);
    await Promise.all(names.map((name) => ledger({ asked: 1, wanted: 1 }, name)));
    const { rows } = await database.pool.query(
      'select count(*)::int as rows, count(distinct xmin::text)::int as transactions from share_states',
    );
    expect(rows).toEqual([{ rows: 50, transactions: 1 }]);
  });

  it('is forgotten hours later, and not before', async () => {
    await newWorker()({ asked: 1 });
    await sweepShares(database.db);
    expect((await database.pool.query('select state from share_states')).rows[0].state).not.toEqual(
      newShareState(),
    );
    await database.pool.query(`update share_states set changed_at = now() - interval '5 hours'`);
    await sweepShares(database.db);
    expect((await database.pool.query('select from share_states')).rowCount).toBe(0);
  });
});
