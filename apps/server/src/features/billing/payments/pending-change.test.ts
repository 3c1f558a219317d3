import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPaidShop, type PaidShop, type Subscriber } from './testing/paid-shop.ts';

describe('a scheduled change of plan', () => {
  let shop: PaidShop;

  beforeAll(async () => {
    shop = await openPaidShop({ now: new Date('2026-03-05T10:00:00Z') });
  });
  afterAll(async () => {
    expect(await shop.audit()).toEqual([]);
    await shop.close();
  });

  const onPlan50K = async () => {
    const jane = await shop.signUp({ card: 'pm_card_visa' });
    await jane.upgradeTo('50K');
    return jane;
  };
  const subscriptionOf = async (who: Subscriber) => {
    const answer = await shop.api.call('GET', '/billing/me', { token: await who.token() });
    return answer.json().subscription;
  };
  const keep = async (who: Subscriber) => {
    const answer = await shop.api.call('DELETE', '/billing/me/subscriptions/pending_change', {
      token: await who.token(),
    });
    await shop.payments.webhooks.settled();
    return answer;
  };
  const plan10K = { code: '10K', monthly_credits: 10_000, monthly_cost_in_cents: 3_000 };
  const planFree = { code: 'FREE', monthly_credits: 1_000, monthly_cost_in_cents: 0 };
  const cancelInPortal = async (who: Subscriber) => {
    // The portal cancels by a date and the API by a flag.
    const { subscriptionReference } = await who.account();
    await shop.stripe.subscriptions.update(subscriptionReference ?? '', { cancel_at: 'min_period_end' });
    await shop.payments.webhooks.settled();
  };

  it('a smaller plan: kind, plan and date, until it has happened', async () => {
    const jane = await onPlan50K();
    expect(await subscriptionOf(jane)).toMatchObject({ status: 'active', pending_change: null });
    const renewal = (await subscriptionOf(jane)).next_renewal_date;

    await jane.downgradeTo('10K');

    expect(await subscriptionOf(jane)).toMatchObject({
      status: 'active',
      plan: { code: '50K' },
      next_renewal_date: renewal,
      pending_change: { kind: 'plan_change', plan: plan10K, date: renewal },
    });
    await shop.advanceTo(new Date(Date.parse(renewal) + 7_200_000));
    expect(await subscriptionOf(jane)).toMatchObject({ plan: { code: '10K' }, pending_change: null });
  });

  it.each([
    ['in the portal, as a date', cancelInPortal],
    ['through the API, as a flag', (who: Subscriber) => who.cancelAtMonthsEnd()],
  ])('a cancellation %s: Free from the end of the month on', async (_, cancel) => {
    const jane = await onPlan50K();
    const renewal = (await subscriptionOf(jane)).next_renewal_date;

    await cancel(jane);

    expect(await subscriptionOf(jane)).toMatchObject({
      plan: { code: '50K' },
      pending_change: { kind: 'cancellation', plan: planFree, date: renewal },
    });
  });

  it('is the same for events in any order, and makes open tabs refresh', async () => {
    const jane = await onPlan50K();
    const listener = await shop.api.database.pool.connect();
    const heard: string[] = [];
    listener.on('notification', ({ payload = '' }) => heard.push(JSON.parse(payload).user_id));
    await listener.query('listen assay_events');
    await shop.payments.webhooks.pause();
    await jane.downgradeTo('10K');
    await shop.payments.webhooks.resume({ arrange: (events) => [...events.toReversed(), ...events] });
    await listener.query('select 1');
    listener.release(true);

    expect(await subscriptionOf(jane)).toMatchObject({ pending_change: { plan: { code: '10K' } } });
    expect(heard).toEqual([jane.ownerId]);
  });

  it('a cancelled Free plan has none', async () => {
    const jane = await shop.signUp({ card: 'pm_card_visa' });
    await cancelInPortal(jane);

    expect(await subscriptionOf(jane)).toMatchObject({ plan: { code: 'FREE' }, pending_change: null });
  });

  it('the hourly job finds changes that were scheduled before this feature existed', async () => {
    const jane = await onPlan50K();
    await jane.downgradeTo('10K');
    await shop.api.database.pool.query(
      `update subscriptions set needs_sync = true, pending_kind = null, pending_plan_code = null, pending_at = null
       where owner_id = $1`,
      [jane.ownerId],
    );
    expect((await subscriptionOf(jane)).pending_change).toBeNull();

    await shop.catchUp();

    expect((await subscriptionOf(jane)).pending_change).toMatchObject({ plan: { code: '10K' } });
    const { rows } = await shop.api.database.pool.query('select 1 from subscriptions where needs_sync');
    expect(rows).toEqual([]);
  });

  it('a failed payment: past_due until it is paid', async () => {
    const jane = await onPlan50K();
    await jane.useCard('pm_card_chargeCustomerFail');
    const renewal = (await subscriptionOf(jane)).next_renewal_date;
    await shop.advanceTo(new Date(Date.parse(renewal) + 7_200_000));

    expect(await subscriptionOf(jane)).toMatchObject({ status: 'past_due', plan: { code: '50K' } });

    await jane.useCard('pm_card_visa');
    const [open] = (await shop.stripe.invoices.list({ customer: jane.customerId, status: 'open' })).data;
    await shop.stripe.invoices.pay(open?.id ?? '');
    await shop.payments.webhooks.settled();
    expect(await subscriptionOf(jane)).toMatchObject({ status: 'active', plan: { code: '50K' } });
  });

  describe('DELETE /billing/me/subscriptions/pending_change', () => {
    it.each([
      ['a smaller plan', (who: Subscriber) => who.downgradeTo('10K')],
      ['a cancellation in the portal', cancelInPortal],
      ['a cancellation through the API', (who: Subscriber) => who.cancelAtMonthsEnd()],
    ])('204 undoes %s, and the plan renews', async (_, change) => {
      const jane = await onPlan50K();
      await change(jane);
      const { next_renewal_date: renewal } = await subscriptionOf(jane);

      expect((await keep(jane)).statusCode).toBe(204);

      expect(await subscriptionOf(jane)).toMatchObject({ plan: { code: '50K' }, pending_change: null });
      await shop.advanceTo(new Date(Date.parse(renewal) + 7_200_000));
      expect(await subscriptionOf(jane)).toMatchObject({ plan: { code: '50K' }, pending_change: null });
      expect((await jane.history()).at(-1)).toMatchObject({ category: 'PURCHASE', amount: 50_000 });
    });

    it('204 and the kept plan at once, also when the provider’s event is late', async () => {
      const jane = await onPlan50K();
      await jane.downgradeTo('10K');
      await shop.payments.webhooks.pause();

      expect((await keep(jane)).statusCode).toBe(204);
      expect((await subscriptionOf(jane)).pending_change).toBeNull();
      await shop.payments.webhooks.resume();
      expect((await subscriptionOf(jane)).pending_change).toBeNull();
    });

    it('204 and the kept plan when the change is already undone and its event is missing', async () => {
      const jane = await onPlan50K();
      await jane.cancelAtMonthsEnd();
      await shop.payments.webhooks.pause();
      const { subscriptionReference } = await jane.account();
      await shop.stripe.subscriptions.update(subscriptionReference ?? '', { cancel_at_period_end: false });
      expect((await subscriptionOf(jane)).pending_change).not.toBeNull();

      expect((await keep(jane)).statusCode).toBe(204);
      expect((await subscriptionOf(jane)).pending_change).toBeNull();
      await shop.payments.webhooks.resume();
    });

    it('204 when nothing is pending, also for two calls at once', async () => {
      const jane = await onPlan50K();
      expect((await keep(jane)).statusCode).toBe(204);
      await jane.cancelAtMonthsEnd();

      const answers = await Promise.all([keep(jane), keep(jane)]);

      expect(answers.map(({ statusCode }) => statusCode)).toEqual([204, 204]);
      expect((await subscriptionOf(jane)).pending_change).toBeNull();
    });

    it('409 after the change has taken effect, also before its event arrives, and then the new plan', async () => {
      const jane = await onPlan50K();
      await jane.cancelAtMonthsEnd();
      await shop.payments.webhooks.pause();
      const { next_renewal_date: renewal } = await subscriptionOf(jane);
      await shop.payments.clock.advanceTo(new Date(Date.parse(renewal) + 60_000));

      const answer = await keep(jane);

      expect(answer.statusCode).toBe(409);
      expect(answer.json().errors[0].code).toBe('plan_change_took_effect');
      expect(await subscriptionOf(jane)).toMatchObject({ plan: { code: 'FREE' }, pending_change: null });
      await shop.payments.webhooks.resume();
    });

    it('503 while Stripe cannot be reached', async () => {
      const jane = await onPlan50K();
      shop.payments.failNext({ with: 'dropped_connection', times: 3 });

      expect((await keep(jane)).statusCode).toBe(503);
    });

    it('§6 401 when signed out', async () => {
      const answer = await shop.api.call('DELETE', '/billing/me/subscriptions/pending_change');
      expect(answer.statusCode).toBe(401);
    });
  });
});
