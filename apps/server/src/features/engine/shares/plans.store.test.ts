import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { beginPlan, changePlan, findPlans } from './plans.store.ts';
import { createSharedShares } from './shared-shares.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.pool.query('truncate egress_plans, share_states'));

const age = (days: number) =>
  database.pool.query(`update egress_plans set started_at = started_at - $1 * interval '1 day'`, [days]);
const slotsAt = async (provider: string, egress = 'new') => {
  const report = { asked: 0, unknown: 0, blocked: 0, askedOf: {}, unknownOf: {}, kept: 0, wanted: 1_000 };
  const ledger = createSharedShares(database.db, egress);
  return (await ledger.exchange(provider, { share: 0.4, recipients: 1_000 }, report)).slots;
};

describe('a new egress address', () => {
  it('begins with an eighth of the limits, which doubles each week', async () => {
    const slots: number[] = [];
    for (let week = 0; week < 5; week++) {
      await database.pool.query('truncate share_states');
      slots.push(await slotsAt('example.com'));
      await age(7);
    }
    expect(slots).toEqual([50, 100, 200, 400, 400]);
  });

  it('may ask the hosts of tests as much as it likes', async () => {
    expect(await slotsAt('big.test')).toBe(1_000);
  });

  it('has a plan that can be seen and changed', async () => {
    await beginPlan(database.db, 'new');
    await age(8);
    expect(await findPlans(database.db)).toMatchObject([{ egress: 'new', weeks: 3, step: 2 }]);
    expect(await changePlan(database.db, 'new', 0)).toMatchObject({ weeks: 0, step: 0 });
    expect(await slotsAt('example.com')).toBe(400);
    expect(await changePlan(database.db, 'unheard-of', 1)).toBeUndefined();
  });
});
