import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Tx } from '../../../platform/database/database.ts';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import { captureHold, grantCredits, placeHold, releaseHold } from '../credit-ledger.store.ts';
import { signUpWithCredits } from '../testing/accounts.ts';
import { findBalanceNews, takeLowBalance } from './balance-alerts.store.ts';

let api: TestApi;
let token: string;
let ownerId: string;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  ({ token, userId: ownerId } = await signUpWithCredits(api, 1_000));
});

let now = new Date();
const minutesLater = (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60_000);
};
const path = '/billing/me/alerts';
const put = (thresholds: unknown) => api.call('PUT', path, { token, body: { thresholds } });
const take = () => api.database.db.transaction().execute((tx) => takeLowBalance(tx, { ownerId, now }));
const isCrossing = async () =>
  (await findBalanceNews(api.database.db, { now, limit: 1_000 })).includes(ownerId);
let count = 0;
const inTx = <Result>(run: (tx: Tx) => Promise<Result>) => api.database.db.transaction().execute(run);
async function spend(credits: number): Promise<void> {
  const reference = `list:${count++}` as const;
  const text = { category: 'VERIFICATION', source: 'LIST', description: 'A list' } as const;
  await inTx(async (tx) => {
    await placeHold(tx, { ownerId, reference, credits, now });
    await captureHold(tx, { ownerId, reference, dueCredits: credits, now, ...text });
  });
}
const grant = (credits: number) =>
  inTx((tx) =>
    grantCredits(tx, {
      ownerId,
      key: `gift:${count++}`,
      credits,
      category: 'GRANT',
      source: 'SUPPORT',
      description: 'A gift',
      now,
    }),
  );

describe('the thresholds of a customer', () => {
  it('200: kept without doubles, the highest first, and replaced by the next ones', async () => {
    expect((await api.call('GET', path, { token })).json()).toEqual({ thresholds: [] });
    expect((await put([10, 500, 10])).json()).toEqual({ thresholds: [500, 10] });
    expect((await put([20])).json()).toEqual({ thresholds: [20] });
    expect((await api.call('GET', path, { token })).json()).toEqual({ thresholds: [20] });
    expect((await put([])).json()).toEqual({ thresholds: [] });
  });

  it('200: those of one call when several calls replace them at the same moment', async () => {
    const wanted = Array.from({ length: 8 }, (_, call) => [5, 4, 3, 2, 1].map((place) => call * 10 + place));

    await Promise.all(wanted.map(put));

    expect(wanted).toContainEqual((await api.call('GET', path, { token })).json().thresholds);
  });

  it.each([[[0]], [[-5]], [[1.5]], [['7']], [[1, 2, 3, 4, 5, 6]], [[200_000_000]], [null]])(
    '400 for %j',
    async (thresholds) => {
      expect((await put(thresholds)).statusCode).toBe(400);
    },
  );

  it('the wallet shows the lowest threshold that the balance is below', async () => {
    const shown = async () => (await api.call('GET', '/billing/me', { token })).json().low_balance_threshold;
    await put([2_000, 500]);
    expect(await shown()).toBe(2_000);
    await spend(501);
    expect(await shown()).toBe(500);
    await put([400]);
    expect(await shown()).toBeNull();
  });
});

describe('an alert', () => {
  it('comes once per crossing, and again after the balance was above', async () => {
    await put([500]);
    await spend(500);
    expect([await isCrossing(), await take()]).toEqual([false, undefined]);

    await spend(1);
    expect(await isCrossing()).toBe(true);
    expect(await take()).toEqual({ threshold: 500, balance: 499 });
    await spend(1);
    expect([await isCrossing(), await take()]).toEqual([false, undefined]);

    await grant(2);
    expect([await isCrossing(), await take(), await isCrossing()]).toEqual([true, undefined, false]);
    minutesLater(10);
    await spend(1);
    expect(await take()).toEqual({ threshold: 500, balance: 499 });
  });

  it('comes once in ten minutes when the balance goes up and down around the threshold', async () => {
    await put([1_000]);
    const alerts = [];
    for (let minute = 0; minute < 12; minute += 1) {
      await inTx((tx) => placeHold(tx, { ownerId, reference: `single:${minute}`, credits: 1, now }));
      alerts.push(await take());
      await inTx((tx) => releaseHold(tx, { ownerId, reference: `single:${minute}`, now }));
      alerts.push(await take());
      minutesLater(1);
    }

    expect(alerts.filter((alert) => alert !== undefined)).toHaveLength(2);
  });

  it('is delayed, not dropped, when the balance falls again within ten minutes and stays low', async () => {
    await put([500]);
    await spend(501);
    expect(await take()).toEqual({ threshold: 500, balance: 499 });
    minutesLater(2);
    await grant(100);
    expect(await take()).toBeUndefined();
    minutesLater(2);
    await spend(200);
    expect([await isCrossing(), await take(), await isCrossing()]).toEqual([false, undefined, false]);

    minutesLater(6);
    expect(await isCrossing()).toBe(true);
    expect(await take()).toEqual({ threshold: 500, balance: 399 });
    expect([await isCrossing(), await take()]).toEqual([false, undefined]);
  });

  it('comes although the last one is from a clock that was a day ahead', async () => {
    await put([500]);
    await spend(900);
    minutesLater(1_440);
    expect(await take()).toEqual({ threshold: 500, balance: 100 });
    minutesLater(-1_440);
    await grant(900);
    await take();
    await spend(900);

    expect(await isCrossing()).toBe(true);
    expect(await take()).toEqual({ threshold: 500, balance: 100 });
  });

  it('goes to one of many processes that look at the same moment', async () => {
    await put([500]);
    await spend(900);

    const taken = await Promise.all(Array.from({ length: 20 }, take));

    expect(taken.filter((one) => one !== undefined)).toEqual([{ threshold: 500, balance: 100 }]);
  });

  it('is one for a fall through several thresholds, about the lowest', async () => {
    await put([800, 500, 50]);
    await spend(900);

    expect(await take()).toEqual({ threshold: 500, balance: 100 });
    await spend(60);
    expect(await take()).toEqual({ threshold: 50, balance: 40 });
  });

  it('counts credits on hold as gone, and none for a threshold that was set below the balance already', async () => {
    await put([500]);
    await inTx((tx) => placeHold(tx, { ownerId, reference: 'list:held', credits: 700, now }));
    expect(await take()).toEqual({ threshold: 500, balance: 300 });
    await inTx((tx) => releaseHold(tx, { ownerId, reference: 'list:held', now }));
    await take();

    await put([5_000]);
    expect(await take()).toBeUndefined();
  });

  it('comes again if the process that took it dies before its transaction ends', async () => {
    await put([500]);
    await spend(900);
    const dying = await api.database.db.startTransaction().execute();
    expect(await takeLowBalance(dying, { ownerId, now })).toEqual({ threshold: 500, balance: 100 });
    await dying.rollback().execute();

    expect(await take()).toEqual({ threshold: 500, balance: 100 });
  });
});
