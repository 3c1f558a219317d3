import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../platform/database/database.ts';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { movableClock } from '../../testing/clock.ts';
import { captureHold, placeHold } from './credit-ledger.store.ts';
import { getSpending } from './spending.store.ts';

describe('GET /billing/me/spending', () => {
  const clock = movableClock('2026-01-31T10:00:00Z');
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({ clock });
  });
  afterAll(() => api.close());

  const spend = (ownerId: string, credits: number) =>
    api.database.db.transaction().execute(async (tx) => {
      const reference = `single:${randomUUID()}` as const;
      const now = clock.now();
      const words = { category: 'VERIFICATION', source: 'SINGLE', description: 'A check' } as const;
      await placeHold(tx, { ownerId, reference, credits, now });
      await captureHold(tx, { ownerId, reference, dueCredits: credits, now, ...words });
    });

  it('200 with thirty days in UTC, the rate of the last seven and when the balance is used up', async () => {
    const sub = randomUUID();
    const token = () => api.tokenFor({ sub, email: 'jane@spends.test' });
    const { id } = (await api.call('GET', '/users/me', { token: await token() })).json();
    await spend(id, 100);
    clock.set('2026-02-20T23:59:59Z');
    await spend(id, 40);
    clock.set('2026-02-21T00:00:00Z');
    await spend(id, 30);
    const found = (await api.call('GET', '/billing/me/spending', { token: await token() })).json();

    expect(found.days).toHaveLength(30);
    expect(found.days[0]).toEqual({ date: '2026-01-23', credits: 0 });
    expect(found.days.at(-1)).toEqual({ date: '2026-02-21', credits: 30 });
    expect(found.days.filter(({ credits }: { credits: number }) => credits > 0)).toEqual([
      { date: '2026-01-31', credits: 100 },
      { date: '2026-02-20', credits: 40 },
      { date: '2026-02-21', credits: 30 },
    ]);
    // 70 credits in 7 days, 830 left: 83 days.
    expect([found.credits_per_day, found.lasts_until]).toEqual([10, '2026-05-15T00:00:00.000Z']);

    const quiet = await api.tokenFor();
    expect((await api.call('GET', '/billing/me/spending', { token: quiet })).json()).toMatchObject({
      credits_per_day: 0,
      lasts_until: null,
    });
  });

  it('200 with the same days when the database has a time zone whose clocks have just changed', async () => {
    clock.set('2026-11-05T12:00:00Z');
    const token = await api.tokenFor();
    const { id } = (await api.call('GET', '/users/me', { token })).json();
    clock.set('2026-11-10T12:00:00Z');
    await spend(id, 10);
    const inBerlin = openDatabase({
      url: `${api.database.url}?options=-c%20timezone%3DEurope/Berlin`,
      poolSize: 1,
      applicationName: 'assay test',
      onIdleError: () => undefined,
    });

    const { days } = await getSpending({ db: inBerlin.db, clock }, id);

    await inBerlin.close();
    expect(days).toHaveLength(30);
    expect(days[0]).toEqual({ date: '2026-10-12', credits: 0 });
    expect(days[13]).toEqual({ date: '2026-10-25', credits: 0 });
    expect(days.at(-1)).toEqual({ date: '2026-11-10', credits: 10 });
  });
});
