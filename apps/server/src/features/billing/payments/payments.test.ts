import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { syncCustomer } from './sync-customer.ts';
import { openPaidShop, type PaidShop } from './testing/paid-shop.ts';

describe('a paid plan', () => {
  let shop: PaidShop;

  beforeEach(async () => {
    shop = await openPaidShop();
  });
  afterEach(async () => {
    expect(await shop.audit()).toEqual([]);
    await shop.close();
  });

  const planOf = (code: string, next: string) => ({ plan: { code }, next_renewal_date: next });

  it('a job creates customer and Free subscription after the sign-up', async () => {
    shop.payments.failNext({ with: 'server_error', times: 1_000 });
    const token = await shop.api.tokenFor();
    expect((await shop.api.call('GET', '/billing/me', { token })).statusCode).toBe(200);
    const { rows } = await shop.api.database.pool.query('select customer_reference from subscriptions');
    expect(rows).toEqual([{ customer_reference: null }]);
  });

  it('the setup of a customer happens once, also after lost answers', async () => {
    shop.payments.failNext({ method: 'POST', path: '/v1/customers', with: 'lost_answer' });
    shop.payments.failNext({ method: 'POST', path: '/v1/subscriptions', with: 'lost_answer' });
    const jane = await shop.signUp();
    await shop.maintain();

    expect((await shop.stripe.customers.list()).data).toHaveLength(1);
    const { data } = await shop.stripe.subscriptions.list({ customer: jane.customerId });
    expect(data).toHaveLength(1);
    expect((await jane.account()).subscriptionReference).toBe(data[0]?.id);
    expect(await jane.wallet()).toMatchObject({ balance: 1_000, subscription: { plan: { code: 'FREE' } } });
  });

  it('an upgrade grants its credits at once, keeps the old ones and starts a new month', async () => {
    const jane = await shop.signUp({ card: 'pm_card_visa' });
    await shop.advanceTo('2026-02-10T08:00:00Z');

    await jane.upgradeTo('10K');

    expect(await jane.wallet()).toMatchObject({
      balance: 11_000,
      subscription: planOf('10K', '2026-03-10T08:00:00.000Z'),
    });
    expect((await jane.history()).at(-1)).toMatchObject({
      category: 'PURCHASE',
      source: 'SUBSCRIPTION',
      description: '10K plan, 10 Feb 2026 to 10 Mar 2026',
      amount: 10_000,
      invoice_id: expect.stringMatching(/^in_/),
    });
    await shop.advanceTo('2026-02-20T09:00:00Z');
    await jane.upgradeTo('50K');
    expect(await jane.wallet()).toMatchObject({
      balance: 61_000,
      subscription: planOf('50K', '2026-03-20T09:00:00.000Z'),
    });
    const activity = await shop.api.call('GET', '/users/me/activity?area=plan', {
      token: await jane.token(),
    });
    expect(activity.json().results).toMatchObject([
      { kind: 'plan.changed', about: '10K to 50K', by: 'assay' },
      { kind: 'plan.changed', about: 'FREE to 10K', by: 'assay' },
    ]);
  });

  it('a paid renewal adds the month’s credits to the balance', async () => {
    const jane = await shop.signUp({ card: 'pm_card_visa' });
    await jane.upgradeTo('2K');
    await jane.spend(2_500);

    await shop.payments.clock.advanceTo(new Date('2026-02-28T10:30:00Z'));
    expect(await jane.wallet()).toMatchObject({
      balance: 500,
      subscription: planOf('2K', '2026-03-31T10:00:00.000Z'),
    });
    await shop.payments.clock.advanceTo(new Date('2026-02-28T11:00:00Z'));
    expect((await jane.wallet()).balance).toBe(2_500);
  });

  it('a downgrade takes effect at the month’s end, with the smaller plan’s credits', async () => {
    const jane = await shop.signUp({ card: 'pm_card_visa' });
    await jane.upgradeTo('50K');

    await jane.downgradeTo('10K');
    expect((await jane.wallet()).subscription.plan.code).toBe('50K');

    await shop.advanceTo('2026-03-01T00:00:00Z');
    expect(await jane.wallet()).toMatchObject({
      balance: 61_000,
      subscription: planOf('10K', '2026-03-31T10:00:00.000Z'),
    });
  });

  it('a cancellation takes effect at the month’s end; Free begins there and tops up by its own schedule', async () => {
    const jane = await shop.signUp({ card: 'pm_card_visa' });
    await jane.upgradeTo('2K');
    await jane.cancelAtMonthsEnd();
    await jane.spend(3_000);
    expect((await jane.wallet()).subscription.plan.code).toBe('2K');

    await shop.advanceTo('2026-03-01T00:00:00Z');

    expect(await jane.wallet()).toMatchObject({
      balance: 1_000,
      subscription: planOf('FREE', '2026-03-28T10:00:00.000Z'),
    });
    const { data } = await shop.stripe.subscriptions.list({ customer: jane.customerId });
    expect(data.map(({ id }) => id)).toEqual([(await jane.account()).subscriptionReference]);
    await jane.spend(400);
    await shop.advanceTo('2026-03-28T11:00:00Z');
    expect((await jane.wallet()).balance).toBe(1_000);
  });

  it('a downgrade to Free keeps all credits and grants none', async () => {
    const jane = await shop.signUp({ card: 'pm_card_visa' });
    await jane.upgradeTo('2K');
    await jane.downgradeTo('FREE');

    await shop.advanceTo('2026-04-15T00:00:00Z');

    expect(await jane.wallet()).toMatchObject({ balance: 3_000, subscription: { plan: { code: 'FREE' } } });
  });

  it('a declined upgrade changes nothing', async () => {
    const jane = await shop.signUp({ card: 'pm_card_chargeCustomerFail' });

    await expect(jane.upgradeTo('10K')).rejects.toMatchObject({ code: 'card_declined' });
    await shop.maintain();

    expect(await jane.wallet()).toMatchObject({ balance: 1_000, subscription: { plan: { code: 'FREE' } } });
  });

  it('a more expensive plan does not start before its invoice is paid', async () => {
    const jane = await shop.signUp({ card: 'pm_card_chargeCustomerFail' });
    const { subscriptionReference } = await jane.account();
    const subscription = await shop.stripe.subscriptions.retrieve(subscriptionReference ?? '');
    await shop.stripe.subscriptions.update(subscription.id, {
      items: [{ id: subscription.items.data[0]?.id ?? '', price: await shop.priceOf('10K') }],
      proration_behavior: 'none',
      payment_behavior: 'allow_incomplete',
    });
    await shop.payments.webhooks.settled();
    expect((await shop.stripe.subscriptions.retrieve(subscription.id)).status).toBe('past_due');
    expect(await jane.wallet()).toMatchObject({ balance: 1_000, subscription: { plan: { code: 'FREE' } } });

    await jane.useCard('pm_card_visa');
    await shop.advanceTo('2026-02-04T00:00:00Z');
    expect(await jane.wallet()).toMatchObject({ balance: 11_000, subscription: { plan: { code: '10K' } } });
  });

  it('a failed payment changes nothing for the grace days, then the plan is Free', async () => {
    const jane = await shop.signUp({ card: 'pm_card_visa' });
    await jane.upgradeTo('2K');
    await jane.useCard('pm_card_chargeCustomerFail');

    await shop.advanceTo('2026-03-14T10:00:00Z');
    expect(await jane.wallet()).toMatchObject({ balance: 3_000, subscription: { plan: { code: '2K' } } });
    await shop.advanceTo('2026-03-14T12:00:00Z');

    expect(await jane.wallet()).toMatchObject({ balance: 3_000, subscription: { plan: { code: 'FREE' } } });
    await shop.advanceTo('2026-06-01T00:00:00Z');
    expect((await jane.wallet()).balance).toBe(3_000);
  });

  it('a failed payment that is paid within the grace days grants its month', async () => {
    const jane = await shop.signUp({ card: 'pm_card_visa' });
    await jane.upgradeTo('2K');
    await jane.useCard('pm_card_chargeCustomerFail');
    await shop.advanceTo('2026-03-01T00:00:00Z');
    expect((await jane.account()).pastDueSince).not.toBeNull();
    await jane.useCard('pm_card_visa');

    await shop.advanceTo('2026-03-20T00:00:00Z');

    expect(await jane.wallet()).toMatchObject({
      balance: 5_000,
      subscription: planOf('2K', '2026-03-31T10:00:00.000Z'),
    });
    expect((await jane.account()).pastDueSince).toBeNull();
  });

  it('an invoice of 0 grants nothing', async () => {
    const jane = await shop.signUp();
    await jane.spend(1_000);

    // One month of Stripe's subscription to the Free price, without our renewal job.
    await shop.payments.clock.advanceTo(new Date('2026-03-05T00:00:00Z'));

    expect((await jane.history()).map(({ amount }) => amount)).toEqual([1_000, -1_000]);
  });

  it('a subscription deleted at Stripe becomes Free with a new subscription', async () => {
    const jane = await shop.signUp({ card: 'pm_card_visa' });
    await jane.upgradeTo('10K');
    const { subscriptionReference: before } = await jane.account();

    await shop.stripe.subscriptions.cancel(before ?? '');
    await shop.payments.webhooks.settled();
    expect(await jane.wallet()).toMatchObject({ balance: 11_000, subscription: { plan: { code: 'FREE' } } });
    await shop.maintain();
    const { subscriptionReference: after } = await jane.account();

    expect(after).not.toBeNull();
    expect(after).not.toBe(before);
    await jane.upgradeTo('2K');
    expect(await jane.wallet()).toMatchObject({ balance: 13_000, subscription: { plan: { code: '2K' } } });
  });

  it('a return to Free within a month grants no second month of free credits', async () => {
    const jane = await shop.signUp({ card: 'pm_card_visa' });
    await jane.upgradeTo('2K');
    await jane.spend(3_000);
    await shop.advanceTo('2026-02-05T00:00:00Z');

    await shop.stripe.subscriptions.cancel((await jane.account()).subscriptionReference ?? '');
    await shop.payments.webhooks.settled();
    expect(await jane.wallet()).toMatchObject({ balance: 0, subscription: { plan: { code: 'FREE' } } });

    await shop.advanceTo('2026-03-05T12:00:00Z');
    expect((await jane.wallet()).balance).toBe(1_000);
  });

  it('an older state never replaces a newer one', async () => {
    const jane = await shop.signUp({ card: 'pm_card_visa' });
    await jane.upgradeTo('10K');
    const { gateway } = shop.parts;
    const asked = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const slow = {
      ...gateway,
      findSubscriptions: async (customerId: string) => {
        const seen = await gateway.findSubscriptions(customerId);
        asked.resolve();
        await goOn.promise;
        return seen;
      },
    };
    const late = syncCustomer({ ...shop.parts, gateway: slow }, jane);
    await asked.promise;
    await shop.stripe.subscriptions.cancel((await jane.account()).subscriptionReference ?? '');
    await shop.payments.webhooks.settled();

    goOn.resolve();
    await late;

    expect((await jane.wallet()).subscription.plan.code).toBe('FREE');
  });

  it('a customer deleted at Stripe becomes Free and is set up again', async () => {
    const jane = await shop.signUp({ card: 'pm_card_visa' });
    await jane.upgradeTo('10K');

    await shop.stripe.customers.del(jane.customerId);
    await shop.payments.webhooks.settled();
    expect((await jane.wallet()).subscription.plan.code).toBe('FREE');
    await shop.maintain();
    await shop.maintain();

    const account = await jane.account();
    expect(account.customerReference).not.toBe(jane.customerId);
    expect(account.subscriptionReference).not.toBeNull();
  });

  it('deleting an account deletes its customer at Stripe', async () => {
    const jane = await shop.signUp();
    await shop.api.database.pool.query('delete from users where id = $1', [jane.ownerId]);

    await shop.maintain();

    expect(await shop.stripe.customers.retrieve(jane.customerId)).toMatchObject({ deleted: true });
    await shop.maintain();
  });

  it('a pack that is paid after the account was deleted adds nothing, and the log tells the operator', async () => {
    const jane = await shop.signUp();
    const order = await jane.orderPack('2K');
    await shop.api.database.pool.query('delete from users where id = $1', [jane.ownerId]);

    expect(await order.pay()).toBeLessThan(400);

    const { rows } = await shop.api.database.pool.query('select 1 from purchases where owner_id = $1', [
      jane.ownerId,
    ]);
    expect(rows).toEqual([]);
    expect(JSON.stringify(shop.api.logLines)).toContain('refund it');
  });

  it('the job sends a changed address to Stripe and repeats it after a failure', async () => {
    const jane = await shop.signUp();
    const email = () =>
      shop.stripe.customers
        .retrieve(jane.customerId)
        .then((customer) => 'email' in customer && customer.email);
    const changed = 'jane.new@exists.test';
    await jane.changeAddress(changed);
    shop.payments.failNext({ with: 'server_error', times: 3 });
    await shop.maintain();
    expect(await email()).not.toBe(changed);

    await shop.maintain();
    expect(await email()).toBe(changed);
  });

  it('the hourly job finds renewals whose events were lost', async () => {
    const jane = await shop.signUp({ card: 'pm_card_visa' });
    await jane.upgradeTo('2K');
    await shop.payments.webhooks.pause();
    await shop.payments.clock.advanceTo(new Date('2026-03-01T00:00:00Z'));
    expect((await jane.wallet()).balance).toBe(3_000);

    await shop.catchUp();
    expect((await jane.wallet()).balance).toBe(5_000);
    await shop.payments.webhooks.resume();
    expect((await jane.wallet()).balance).toBe(5_000);
  });
});
