import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import { movableClock } from '../../../testing/clock.ts';
import { insertCoupons, setDisabled } from './coupons.store.ts';

describe('POST /billing/coupons/{coupon_id}/redemption', () => {
  const clock = movableClock('2026-03-01T12:00:00Z');
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi({ clock, env: { RATE_LIMIT_PER_ADDRESS: '100000' } });
  });
  afterAll(() => api.close());

  const createCoupon = async ({
    code = `TEST-${randomUUID().slice(0, 8)}`.toUpperCase(),
    credits = 500,
    redemptionsMax = null as number | null,
    expiresAt = null as Date | null,
  } = {}) => {
    await insertCoupons(api.database.db, [{ code, credits, redemptionsMax, expiresAt }], clock.now());
    return code;
  };
  const redeem = (token: string, code: string) =>
    api.call('POST', `/billing/coupons/${encodeURIComponent(code)}/redemption`, { token });
  const balanceOf = async (token: string) => (await api.call('GET', '/billing/me', { token })).json().balance;
  /** Attempts are also limited by network address, and all tests call from the same address. */
  const nextWindow = () => clock.advance({ minutes: 10 });

  it('§3 Coupon redemption: 200 with the credits, which are in the balance and in the history', async () => {
    const code = await createCoupon({ credits: 750 });
    const token = await api.tokenFor();

    const answer = await redeem(token, code);

    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ coupon: { amount_of_credits: 750 } });
    expect(await balanceOf(token)).toBe(1_750);
    const history = (await api.call('GET', '/billing/me/transactions', { token })).json();
    expect(history.results[0]).toMatchObject({
      category: 'COUPON',
      source: 'COUPON',
      description: `Coupon ${code}`,
      amount: 750,
      balance_after: 1_750,
      invoice_id: null,
    });
  });

  it('200 for the code in lower case and with spaces around it', async () => {
    const code = await createCoupon();

    expect((await redeem(await api.tokenFor(), `  ${code.toLowerCase()} `)).statusCode).toBe(200);
  });

  it('§4 409 already_used the second time, also when the coupon is used up', async () => {
    const code = await createCoupon({ redemptionsMax: 1 });
    const token = await api.tokenFor();
    await redeem(token, code);

    const again = await redeem(token, code.toLowerCase());

    expect(again.statusCode).toBe(409);
    expect(again.json().errors[0]).toMatchObject({
      code: 'coupon_already_used',
      meta: { outcome: 'already_used' },
    });
    expect(await balanceOf(token)).toBe(1_500);
    nextWindow();
  });

  it.each(['NO-SUCH-COUPON', 'abc', "'; drop table coupons; --", '%', ' '])(
    '§4 404 not_found for %j',
    async (code) => {
      const answer = await redeem(await api.tokenFor(), code);

      expect(answer.statusCode).toBe(404);
      expect(answer.json().errors[0]).toMatchObject({
        code: 'coupon_not_found',
        meta: { outcome: 'not_found' },
      });
    },
  );

  it('§4 410 invalid from the moment of expiry on', async () => {
    nextWindow();
    const expiresAt = new Date(clock.now().getTime() + 1_000);
    const code = await createCoupon({ expiresAt });
    expect((await redeem(await api.tokenFor(), code)).statusCode).toBe(200);
    clock.set(expiresAt);

    const answer = await redeem(await api.tokenFor(), code);

    expect(answer.statusCode).toBe(410);
    expect(answer.json().errors[0]).toMatchObject({ code: 'coupon_invalid', meta: { outcome: 'invalid' } });
  });

  it('§4 410 invalid when other customers have used it up, and when it is disabled', async () => {
    const exhausted = await createCoupon({ redemptionsMax: 1 });
    await redeem(await api.tokenFor(), exhausted);
    const disabled = await createCoupon();
    await setDisabled(api.database.db, { code: disabled, now: clock.now() });
    const token = await api.tokenFor();

    expect((await redeem(token, exhausted)).statusCode).toBe(410);
    expect((await redeem(token, disabled)).statusCode).toBe(410);
    expect(await balanceOf(token)).toBe(1_000);
  });

  it('each refusal says what happened and what to do', async () => {
    nextWindow();
    const token = await api.tokenFor();
    const used = await createCoupon();
    await redeem(token, used);
    const full = await createCoupon({ redemptionsMax: 1 });
    await redeem(await api.tokenFor(), full);
    const expired = await createCoupon({ expiresAt: clock.now() });
    const withdrawn = await createCoupon();
    await setDisabled(api.database.db, { code: withdrawn, now: clock.now() });
    const told = async (code: string) => (await redeem(token, code)).json().errors[0].message;

    expect([
      await told('NO-SUCH-COUPON'),
      await told(used),
      await told(full),
      await told(expired),
      await told(withdrawn),
    ]).toEqual([
      'There is no coupon with this code. Check that you typed all of it.',
      'You have already redeemed this coupon. Each coupon can be redeemed once.',
      'This coupon was redeemed as often as it can be. Ask for another one where you got it.',
      'This coupon has expired. Ask for another one where you got it.',
      'This coupon was withdrawn. Ask for another one where you got it.',
    ]);
    nextWindow();
  });

  it('§6 401 when signed out', async () => {
    expect((await api.call('POST', '/billing/coupons/ABCDE/redemption')).statusCode).toBe(401);
  });

  it('429 when one customer guesses, until the window ends, while other customers can redeem', async () => {
    nextWindow();
    const code = await createCoupon();
    const token = await api.tokenFor();
    for (let guess = 0; guess < 10; guess += 1) await redeem(token, `GUESS-${guess}`);

    const refused = await redeem(token, code);

    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('600');
    expect((await redeem(await api.tokenFor(), code)).statusCode).toBe(200);
    nextWindow();
    expect((await redeem(token, code)).statusCode).toBe(200);
  });

  it('429 when many accounts guess from many addresses of one IPv6 network', async () => {
    nextWindow();
    const statuses: number[] = [];
    for (let account = 0; account < 7; account += 1) {
      const authorization = `Bearer ${await api.tokenFor()}`;
      for (let guess = 0; guess < 9; guess += 1) {
        const answer = await api.app.inject({
          method: 'POST',
          url: `/api/billing/coupons/GUESS-${guess}/redemption`,
          headers: { authorization },
          remoteAddress: `2001:db8::${account}${guess}`,
        });
        statuses.push(answer.statusCode);
      }
    }

    expect(statuses.filter((status) => status === 404)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(3);
    nextWindow();
  });
});
