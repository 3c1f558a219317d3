import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../../platform/errors/index.ts';
import { paidWork } from '../paid-work.ts';
import { lockPayer } from '../payments/payments.store.ts';
import type { PaymentsGateway } from '../payments/payments-gateway.ts';
import { syncAllCustomers } from '../payments/sync-all-customers.ts';
import { syncCustomer } from '../payments/sync-customer.ts';
import { openPaidShop, type PaidShop, type Subscriber } from '../payments/testing/paid-shop.ts';
import { stopTopUp, takeReachedCap, takeTopUpStop } from './top-up.store.ts';
import { topUpBalance, topUpBalances } from './top-up.ts';

let shop: PaidShop;
beforeEach(async () => {
  shop = await openPaidShop();
});
afterEach(async () => {
  expect(await shop.audit()).toEqual([]);
  await shop.close();
});

const { signal } = new AbortController();
const path = '/billing/me/automatic_top_up';
const wish = { is_on: true, below: 500, pack: '2K', monthly_cap_in_cents: 2_000 } as const;

const set = async (jane: Subscriber, order: object = wish) =>
  shop.api.call('PUT', path, { token: await jane.token(), body: order });
const settings = async (jane: Subscriber) =>
  (await shop.api.call('GET', path, { token: await jane.token() })).json();
/** What the workers do every minute; several at the same moment. */
const run = async (times = 1) => {
  await Promise.all(Array.from({ length: times }, () => topUpBalances(shop.parts, signal)));
  await shop.payments.webhooks.settled();
};
const balance = async (jane: Subscriber) => (await jane.wallet()).balance;
const chargesOf = async ({ customerId }: Subscriber) =>
  (await shop.stripe.charges.list({ customer: customerId, limit: 100 })).data.filter(({ paid }) => paid)
    .length;
const later = (hours: number) =>
  shop.payments.clock.advanceTo(new Date(shop.now().getTime() + hours * 3_600_000));
const openingPath = '/v1/payment_intents';
const chargingPath = /^\/v1\/payment_intents\/\w+\/confirm$/;
/** The next attempt at one step of a purchase goes wrong: the SDK tries three times by itself. */
const failOnce = (path: string | RegExp, failure: 'dropped_connection' | 'lost_answer' | 'server_error') =>
  shop.payments.failNext({ method: 'POST', path, with: failure, times: 3 });
/** A customer with a card whose balance of 1,000 is low. */
const signUpLow = async (card = 'pm_card_visa', order: object = wish) => {
  const jane = await shop.signUp({ card });
  expect((await set(jane, order)).statusCode).toBe(200);
  await jane.spend(600);
  return jane;
};

describe('the settings', () => {
  it('200: off by default; kept as set; 409 without a card, also not when it is only looked at', async () => {
    const jane = await shop.signUp();
    expect(await settings(jane)).toEqual({
      is_on: false,
      below: 1_000,
      pack: '10K',
      monthly_cap_in_cents: 10_000,
      spent_this_month_in_cents: 0,
      stopped_because: null,
      paused_until: null,
    });
    const refused = await set(jane);
    expect([refused.statusCode, refused.json().errors[0].code]).toEqual([409, 'card_missing']);
    expect((await set(jane, { ...wish, is_on: false })).statusCode).toBe(200);

    await jane.useCard('pm_card_visa');
    expect((await set(jane)).json()).toMatchObject(wish);
    const card = await shop.api.call('GET', '/billing/me/payment_method', { token: await jane.token() });
    expect(card.json()).toEqual({
      card: { brand: 'visa', last4: '4242', expiry_month: 12, expiry_year: 2027 },
    });
  });

  it('400 for a cap below the price of the pack, and for what is no setting', async () => {
    const jane = await shop.signUp({ card: 'pm_card_visa' });
    for (const order of [
      { ...wish, monthly_cap_in_cents: 699 },
      { ...wish, below: 0 },
      { ...wish, pack: 'FREE' },
      { ...wish, monthly_cap_in_cents: 10_000_001 },
      { is_on: true },
    ]) {
      expect([order, (await set(jane, order)).statusCode]).toEqual([order, 400]);
    }
  });
});

describe('an automatic top-up', () => {
  it('waits until a customer of a restored installation is compared with the provider, which finds later packs', async () => {
    const jane = await signUpLow();
    // Paid after the backup was taken: the rows know nothing of it.
    await shop.payments.webhooks.pause();
    await (await jane.orderPack('2K')).pay();
    await shop.api.database.pool.query('delete from pack_checkouts');
    expect(await syncAllCustomers({ db: shop.api.database.db, queue: shop.api.queue })).toBe(1);

    await run();
    // The job that a falling balance asks for.
    await topUpBalance(shop.parts, jane.ownerId);
    // An event compares the plan only.
    await syncCustomer(shop.parts, { ownerId: jane.ownerId, customerId: jane.customerId });
    await run();
    expect([await chargesOf(jane), await balance(jane)]).toEqual([1, 400]);
    await shop.catchUp();
    await shop.catchUp();
    await run();
    expect([await chargesOf(jane), await balance(jane)]).toEqual([1, 2_400]);
  });

  it('of which a restored installation knows nothing counts against the cap', async () => {
    const jane = await signUpLow('pm_card_visa', { ...wish, monthly_cap_in_cents: 700 });
    await run();
    await shop.api.database.pool.query('delete from top_up_orders');
    await shop.api.database.pool.query('delete from purchases where owner_id = $1', [jane.ownerId]);
    expect(await settings(jane)).toMatchObject({ spent_this_month_in_cents: 0 });

    expect(await syncAllCustomers({ db: shop.api.database.db, queue: shop.api.queue })).toBeGreaterThan(0);
    await shop.catchUp();

    expect(await settings(jane)).toMatchObject({ spent_this_month_in_cents: 700 });
  });

  it.each(['held', 'suspended'])('buys nothing for an account that is %s', async (standing) => {
    const jane = await signUpLow();
    await shop.api.database.pool.query('update accounts set standing = $1 where id = $2', [
      standing,
      jane.ownerId,
    ]);
    await run();
    expect([await chargesOf(jane), await balance(jane)]).toEqual([0, 400]);
  });

  it('buys one pack when the balance is low, and none when it is off or the balance is not', async () => {
    const jane = await signUpLow();
    const off = await signUpLow('pm_card_visa', { ...wish, is_on: false });
    const rich = await shop.signUp({ card: 'pm_card_visa' });
    await set(rich);
    await run();
    await run();

    expect([await balance(jane), await balance(off), await balance(rich)]).toEqual([2_400, 400, 1_000]);
    expect((await jane.history()).at(-1)).toMatchObject({
      category: 'PACK',
      source: 'AUTOMATIC_TOP_UP',
      description: '2K credit pack',
      amount: 2_000,
    });
    expect(await settings(jane)).toMatchObject({ is_on: true, spent_this_month_in_cents: 700 });
  });

  it('is one purchase at a time, however many processes run it', async () => {
    const jane = await signUpLow();

    await run(20);

    expect([await chargesOf(jane), await balance(jane)]).toEqual([1, 2_400]);
  });

  it.each([2_000, 1_400])(
    'stays within a monthly cap of %i cents, and goes on in the next month',
    async (cap) => {
      const jane = await signUpLow('pm_card_visa', { ...wish, monthly_cap_in_cents: cap });
      for (let purchase = 0; purchase < 4; purchase += 1) {
        await run();
        if ((await balance(jane)) > 0) await jane.spend(await balance(jane));
      }
      // Two packs of 700, not three.
      expect([await chargesOf(jane), await balance(jane)]).toEqual([2, 0]);

      await shop.payments.clock.advanceTo(new Date('2026-02-01T00:00:00Z'));
      await run();
      expect([await chargesOf(jane), await balance(jane)]).toEqual([3, 2_000]);
    },
  );

  it.each([
    ['pm_card_chargeCustomerFail', 'declined'],
    ['pm_card_authenticationRequired', 'requires_action'],
  ])('with %s it stops, says %s, and starts again only when the customer says so', async (card, because) => {
    const jane = await signUpLow(card);
    await run(5);
    await run();

    expect([await chargesOf(jane), await balance(jane)]).toEqual([0, 400]);
    expect(await settings(jane)).toMatchObject({ is_on: false, stopped_because: because });
    expect((await jane.wallet()).top_up_stopped_because).toBe(because);
    expect((await shop.stripe.charges.list({ customer: jane.customerId })).data.length).toBeLessThanOrEqual(
      1,
    );

    await jane.useCard('pm_card_visa');
    await run();
    expect(await chargesOf(jane)).toBe(0);
    expect((await set(jane)).json()).toMatchObject({ is_on: true, stopped_because: null });
    expect((await jane.wallet()).top_up_stopped_because).toBeNull();
    await run();
    expect([await chargesOf(jane), await balance(jane)]).toEqual([1, 2_400]);
  });

  it.each([
    ['dropped_connection', openingPath],
    ['lost_answer', openingPath],
    ['server_error', openingPath],
    ['dropped_connection', chargingPath],
    ['lost_answer', chargingPath],
  ] as const)(
    'with a %s of %s it tries the same purchase again, and pays once',
    async (failure, failingPath) => {
      const jane = await signUpLow();
      await shop.payments.webhooks.pause();
      failOnce(failingPath, failure);
      await run();
      expect(await balance(jane)).toBe(400);

      await run();
      await run();
      await shop.payments.webhooks.resume();

      expect([await chargesOf(jane), await balance(jane)]).toEqual([1, 2_400]);
    },
  );

  it('that was charged by a process that died is finished by the event, and the next process charges nothing', async () => {
    const jane = await signUpLow();
    failOnce(chargingPath, 'lost_answer');
    await run();
    expect([await chargesOf(jane), await balance(jane)]).toEqual([1, 2_400]);

    await run();
    expect(await chargesOf(jane)).toBe(1);
    expect(await settings(jane)).toMatchObject({ is_on: true, spent_this_month_in_cents: 700 });
  });

  it.each([openingPath, chargingPath])(
    'that is turned off during an outage of %s is not charged afterwards',
    async (failingPath) => {
      const jane = await signUpLow();
      failOnce(failingPath, 'dropped_connection');
      await run();
      await set(jane, { ...wish, is_on: false });
      await run();

      expect([await chargesOf(jane), await balance(jane)]).toEqual([0, 400]);
      expect(await settings(jane)).toMatchObject({ spent_this_month_in_cents: 0 });
      await set(jane);
      await run();
      expect(await chargesOf(jane)).toBe(1);
    },
  );

  it('that was paid unheard of counts against the cap when it is turned off and on again', async () => {
    const jane = await signUpLow('pm_card_visa', { ...wish, monthly_cap_in_cents: 1_300 });
    await shop.payments.webhooks.pause();
    failOnce(chargingPath, 'lost_answer');
    await run();
    expect([await chargesOf(jane), await balance(jane)]).toEqual([1, 400]);

    const asBefore = { ...wish, monthly_cap_in_cents: 1_300 };
    await set(jane, { ...asBefore, is_on: false });
    // The provider is still out of reach.
    shop.payments.failNext({ method: 'POST', path: /cancel$/, with: 'dropped_connection', times: 3 });
    await run();
    expect(await settings(jane)).toMatchObject({ spent_this_month_in_cents: 700 });
    await set(jane, asBefore);
    await run();
    await jane.spend(2_400);
    await run();

    expect([await chargesOf(jane), await balance(jane)]).toEqual([1, 0]);
    expect(await settings(jane)).toMatchObject({ is_on: true, spent_this_month_in_cents: 700 });
    await shop.payments.webhooks.resume();
  });

  it.each([
    ['another pack', { ...wish, pack: '10K', monthly_cap_in_cents: 3_000 }, 3_000],
    ['a lower threshold only', { ...wish, below: 450 }, 700],
  ])('that got no answer follows new settings: %s', async (_, changed, spent) => {
    const jane = await signUpLow();
    failOnce(chargingPath, 'dropped_connection');
    await run();
    await set(jane, changed);
    await run();
    await run();

    expect(await chargesOf(jane)).toBe(1);
    expect(await settings(jane)).toMatchObject({ is_on: true, spent_this_month_in_cents: spent });
  });

  it('that got no answer is not charged when the customer has bought credits meanwhile', async () => {
    const jane = await signUpLow();
    failOnce(openingPath, 'server_error');
    await run();
    await (await jane.orderPack('2K')).pay();
    await run();
    expect([await chargesOf(jane), await balance(jane)]).toEqual([1, 2_400]);
    expect(await settings(jane)).toMatchObject({ is_on: true, spent_this_month_in_cents: 0 });
  });

  it('that got no answer before the end of the month is not paid in the next, whose cap it would exceed', async () => {
    const jane = await signUpLow('pm_card_visa', { ...wish, monthly_cap_in_cents: 700 });
    failOnce(chargingPath, 'dropped_connection');
    await run();
    await shop.payments.clock.advanceTo(new Date('2026-02-01T00:00:00Z'));
    await run();
    await run();
    await jane.spend(2_400);
    await run();

    expect([await chargesOf(jane), await balance(jane)]).toEqual([1, 0]);
  });

  it('gives up after a day without an answer, and says so', async () => {
    const jane = await signUpLow();
    failOnce(openingPath, 'dropped_connection');
    await run();
    await later(21);
    await run();

    expect(await chargesOf(jane)).toBe(0);
    expect(await settings(jane)).toMatchObject({
      is_on: false,
      stopped_because: 'unreachable',
      spent_this_month_in_cents: 0,
    });
  });

  it('that was paid unheard of counts after a day without an answer, until the provider says so', async () => {
    // Not over the end of the month, which starts a new sum.
    await later(24);
    const jane = await signUpLow();
    await shop.payments.webhooks.pause();
    failOnce(chargingPath, 'lost_answer');
    await run();
    await later(21);
    shop.payments.failNext({ method: 'POST', path: /cancel$/, with: 'dropped_connection', times: 3 });
    await run();
    expect(await settings(jane)).toMatchObject({
      stopped_because: 'unreachable',
      spent_this_month_in_cents: 700,
    });

    await run();
    expect([await chargesOf(jane), await balance(jane)]).toEqual([1, 2_400]);
    await shop.payments.webhooks.resume();
  });

  it('that an earlier version charged in one call is found, and not charged again', async () => {
    const jane = await signUpLow();
    await shop.payments.webhooks.pause();
    failOnce(openingPath, 'lost_answer');
    await run();
    const [intent] = (await shop.stripe.paymentIntents.list({ customer: jane.customerId })).data;
    await shop.stripe.paymentIntents.confirm(intent?.id ?? '', { off_session: true });
    await set(jane, { ...wish, is_on: false });
    await run();

    expect([await chargesOf(jane), await balance(jane)]).toEqual([1, 2_400]);
    await shop.payments.webhooks.resume();
  });

  it('is not stopped by a decline that a slow process reports after the customer has paid otherwise', async () => {
    const jane = await signUpLow('pm_card_chargeCustomerFail');
    const { gateway } = shop.parts;
    const slow = {
      ...shop.parts,
      gateway: {
        ...gateway,
        chargePayment: async (paymentId: string, isStillWanted: () => Promise<boolean>) => {
          const outcome = await gateway.chargePayment(paymentId, isStillWanted);
          // Meanwhile another process ended the order, and the customer changed the card and turned it on again.
          await run();
          await jane.useCard('pm_card_visa');
          await set(jane);
          return outcome;
        },
      },
    };
    await topUpBalances(slow, signal);
    expect(await settings(jane)).toMatchObject({ is_on: true, stopped_because: null });
  });

  /** Customers with a low balance whom the provider does not know. */
  const insertLow = async (count: number) => {
    const { pool } = shop.api.database;
    await pool.query(`
      with new_users as (
        insert into users (id, first_name, last_name, email_address, created_at)
        select gen_random_uuid(), '', '', '', now() from generate_series(1, ${count}) returning id),
      opened as (insert into wallets (owner_id, opened_at) select id, now() from new_users)
      insert into subscriptions (owner_id, plan_code, anchored_at, next_renewal_at, free_credits_at, customer_reference)
      select id, 'FREE', now(), now() + interval '1 month', now(), 'cus_' || id from new_users`);
    await pool.query(`
      insert into automatic_top_ups (owner_id, is_on, below, pack_code, monthly_cap_cents)
      select owner_id, true, 500, '2K', 700 from subscriptions`);
  };
  /** The workers with another gateway. */
  const runWith = (changes: Partial<PaymentsGateway>) =>
    topUpBalances({ ...shop.parts, gateway: { ...shop.parts.gateway, ...changes } }, signal);

  it('whose payment another process cancels is no decline: it stays on and buys again', async () => {
    const jane = await signUpLow();
    const { gateway } = shop.parts;
    await runWith({
      chargePayment: async (paymentId, isStillWanted) => {
        // The customer turned it off for a moment, and another process ended the order.
        await set(jane, { ...wish, is_on: false });
        await run();
        await set(jane);
        return gateway.chargePayment(paymentId, isStillWanted);
      },
    });
    expect(await settings(jane)).toMatchObject({ is_on: true, stopped_because: null });

    // Or that process died before it could write this down.
    await runWith({
      chargePayment: async (paymentId, isStillWanted) => {
        await gateway.cancelPayment(paymentId);
        return gateway.chargePayment(paymentId, isStillWanted);
      },
    });
    expect(await settings(jane)).toMatchObject({ is_on: true, spent_this_month_in_cents: 0 });
    await run();
    expect([await chargesOf(jane), await balance(jane)]).toEqual([1, 2_400]);
  });

  it('asks a bank that declined a card once an hour, whatever is saved, whoever saves it, and however often', async () => {
    const declining = 'pm_card_chargeCustomerFail';
    const jane = await signUpLow(declining);
    const triesOf = async ({ customerId }: Subscriber) =>
      (await shop.stripe.charges.list({ customer: customerId, limit: 100 })).data.length;
    await run();
    for (let time = 0; time < 9; time += 1) {
      await jane.useCard(declining);
      const refused = await set(jane, { ...wish, below: 500 + time });
      expect([refused.statusCode, refused.json().errors[0]]).toMatchObject([
        409,
        { code: 'card_declined_recently', meta: { retry_after_seconds: 3_600 } },
      ]);
      await run();
    }
    expect(await triesOf(jane)).toBe(1);

    // Another customer, who turned it on with another card.
    const joe = await signUpLow();
    await joe.useCard(declining);
    await run();
    expect([await triesOf(joe), await settings(joe)]).toMatchObject([0, { stopped_because: 'declined' }]);

    expect((await set(jane, { ...wish, is_on: false })).statusCode).toBe(200);
    await later(1);
    expect((await set(jane)).statusCode).toBe(200);
    await run();
    expect(await triesOf(jane)).toBe(2);
    await later(1);
    await shop.catchUp();
    const { rows } = await shop.api.database.pool.query('select * from declined_cards');
    expect(rows).toEqual([]);
  });

  describe('that is not wanted any more', () => {
    const unwanted = {
      'turned off': (jane: Subscriber) => set(jane, { ...wish, is_on: false }),
      'set to another pack': (jane: Subscriber) =>
        set(jane, { ...wish, pack: '10K', monthly_cap_in_cents: 3_000 }),
      'deleted with its account': async (jane: Subscriber) =>
        shop.api.database.pool.query('delete from users where id = $1', [jane.ownerId]),
    };
    const steps = {
      'after its payment was opened': (change: () => Promise<unknown>): Partial<PaymentsGateway> => ({
        openPackPayment: async (order) => {
          const paymentId = await shop.parts.gateway.openPackPayment(order);
          await change();
          return paymentId;
        },
      }),
      'right before it is charged': (change: () => Promise<unknown>): Partial<PaymentsGateway> => ({
        chargePayment: (paymentId, isStillWanted) =>
          shop.parts.gateway.chargePayment(paymentId, async () => {
            await change();
            return isStillWanted();
          }),
      }),
    };
    const cases = Object.entries(unwanted).flatMap(([what, change]) =>
      Object.entries(steps).map(([when, step]) => ({ what, when, change, step })),
    );

    it.each(cases)('is cancelled and not charged: $what $when', async ({ change, step }) => {
      const jane = await signUpLow();

      await runWith(step(() => change(jane)));
      await shop.payments.webhooks.settled();

      expect((await shop.stripe.charges.list({ limit: 100 })).data).toEqual([]);
      const { data } = await shop.stripe.paymentIntents.list({ customer: jane.customerId });
      expect(data.map(({ status }) => status)).toEqual(['canceled']);
    });
  });

  it('says that it was declined, also when another process finds its payment cancelled first', async () => {
    const jane = await signUpLow('pm_card_chargeCustomerFail');
    const { gateway } = shop.parts;
    await runWith({
      cancelPayment: async (paymentId) => {
        const outcome = await gateway.cancelPayment(paymentId);
        await run();
        return outcome;
      },
    });
    expect(await settings(jane)).toMatchObject({ is_on: false, stopped_because: 'declined' });
    expect((await shop.stripe.charges.list({ customer: jane.customerId })).data).toHaveLength(1);
  });

  it('whose bank takes days says so once, and buys nothing else until the bank has decided', async () => {
    await later(24);
    const jane = await signUpLow();
    const runAtSlowBank = () =>
      runWith({ chargePayment: async () => 'processing', cancelPayment: async () => 'processing' });
    const told = () => shop.api.database.db.transaction().execute((tx) => takeTopUpStop(tx, jane.ownerId));
    await runAtSlowBank();
    await later(19);
    await runAtSlowBank();
    expect([await settings(jane), await told()]).toMatchObject([{ is_on: true }, undefined]);
    await later(2);
    await runAtSlowBank();
    expect(await settings(jane)).toMatchObject({ is_on: false, spent_this_month_in_cents: 700 });
    expect(await told()).toBe('unreachable');

    await set(jane);
    await runAtSlowBank();
    await runAtSlowBank();
    expect([await settings(jane), await told()]).toMatchObject([
      { is_on: true, stopped_because: null, spent_this_month_in_cents: 700 },
      undefined,
    ]);
    const payments = (await shop.stripe.paymentIntents.list({ customer: jane.customerId })).data;
    expect(payments).toHaveLength(1);

    await shop.stripe.paymentIntents.confirm(payments[0]?.id ?? '', { off_session: true });
    await shop.payments.webhooks.settled();
    await run();
    expect([await chargesOf(jane), await balance(jane)]).toEqual([1, 2_400]);
    expect(await settings(jane)).toMatchObject({ is_on: true, spent_this_month_in_cents: 700 });
  });

  it('whose payment hangs does not keep other customers waiting', async () => {
    const customers = [await signUpLow(), await signUpLow()];
    const balances = async () => (await Promise.all(customers.map(balance))).toSorted((a, b) => a - b);
    const { gateway } = shop.parts;
    const answer = Promise.withResolvers<void>();
    let isFirst = true;
    const running = runWith({
      chargePayment: async (paymentId, isStillWanted) => {
        const hangs = isFirst;
        isFirst = false;
        if (hangs) await answer.promise;
        return gateway.chargePayment(paymentId, isStillWanted);
      },
    });
    await vi.waitFor(async () => expect(await balances()).toEqual([400, 2_400]), 50_000);
    answer.resolve();
    await running;
    expect(await balances()).toEqual([2_400, 2_400]);
  });

  it('is not tried for all customers while the provider is down, and begins elsewhere the next time', async () => {
    await insertLow(20);
    const asked: string[] = [];
    const findCard = async (customerId: string) => {
      asked.push(customerId);
      throw new AppError('payments_unavailable');
    };
    await runWith({ findCard });
    expect(asked.length).toBeLessThan(12);
    for (let times = 0; times < 50 && new Set(asked).size < 20; times += 1) await runWith({ findCard });
    expect(new Set(asked).size).toBe(20);
  });

  it('waits for an event about the same customer, without a deadlock', async () => {
    const jane = await signUpLow();
    const warn = vi.spyOn(shop.parts.logger, 'warn');
    const { db } = shop.api.database;
    // As an event does: the account, then its settings.
    const event = await db.startTransaction().execute();
    await lockPayer(event, jane.ownerId);
    const buying = topUpBalances(shop.parts, signal);
    await vi.waitFor(async () => {
      const { rows } = await shop.api.database.pool.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      expect(rows).toHaveLength(1);
    }, 50_000);
    await stopTopUp(event, jane.ownerId, 'disputed');
    await event.commit().execute();
    await buying;

    expect(warn).not.toHaveBeenCalled();
    expect(await chargesOf(jane)).toBe(0);
  });

  it('reaches every customer once, on whatever page they are', async () => {
    await insertLow(120);
    const asked: string[] = [];
    await runWith({
      findCard: async (customerId) => {
        asked.push(customerId);
        return undefined;
      },
    });
    expect([asked.length, new Set(asked).size]).toEqual([120, 120]);
  });

  it('stops when a payment is disputed', async () => {
    const jane = await signUpLow('pm_card_createDispute');
    await run();
    await later(1);
    expect(await settings(jane)).toMatchObject({ is_on: false, stopped_because: 'disputed' });
    await run();
    expect(await chargesOf(jane)).toBe(1);
  });

  it('a disputed one is booked as a refund of an automatic top-up; after a won dispute nothing says that it stopped, and it stays off', async () => {
    const jane = await signUpLow('pm_card_createDispute');
    await run();
    await later(1);
    expect((await jane.history()).at(-1)).toMatchObject({ category: 'REFUND', source: 'AUTOMATIC_TOP_UP' });
    expect((await jane.wallet()).top_up_stopped_because).toBe('disputed');

    const [charge] = (await shop.stripe.charges.list({ customer: jane.customerId, limit: 1 })).data;
    const [dispute] = (await shop.stripe.disputes.list({ charge: charge?.id ?? '' })).data;
    await shop.stripe.disputes.update(dispute?.id ?? '', {
      evidence: { uncategorized_text: 'winning_evidence' },
    });
    await shop.payments.webhooks.settled();

    expect(await balance(jane)).toBe(2_400);
    expect((await jane.history()).at(-1)).toMatchObject({ category: 'REFUND', source: 'AUTOMATIC_TOP_UP' });
    expect(await jane.wallet()).toMatchObject({ frozen: 0, top_up_stopped_because: null });
    expect(await settings(jane)).toMatchObject({ is_on: false, stopped_because: null });
  });

  it('says once a month that its cap is used up, with the day on which it goes on; a higher cap ends that', async () => {
    const jane = await signUpLow('pm_card_visa', { ...wish, monthly_cap_in_cents: 700 });
    await run();
    expect(await settings(jane)).toMatchObject({ paused_until: null, spent_this_month_in_cents: 700 });

    await jane.spend(2_300);
    await run(3);
    const nextMonth = '2026-02-01T00:00:00.000Z';
    expect(await settings(jane)).toMatchObject({ is_on: true, paused_until: nextMonth });
    expect((await jane.wallet()).top_up_paused_until).toBe(nextMonth);
    const taken = await shop.api.database.db
      .transaction()
      .execute(async (tx) => [
        await takeReachedCap(tx, jane.ownerId),
        await takeReachedCap(tx, jane.ownerId),
      ]);
    expect(taken).toMatchObject([{ capCents: 700 }, undefined]);
    await run();

    await shop.payments.clock.advanceTo(new Date('2026-02-01T00:01:00Z'));
    expect(await settings(jane)).toMatchObject({ paused_until: null });
    await run();
    expect(await chargesOf(jane)).toBe(2);
    await jane.spend(2_000);
    await run();
    expect(await settings(jane)).toMatchObject({ paused_until: '2026-03-01T00:00:00.000Z' });

    await set(jane, { ...wish, monthly_cap_in_cents: 1_400 });
    await run();
    expect(await settings(jane)).toMatchObject({ paused_until: null });
    expect(await chargesOf(jane)).toBe(3);
  });

  describe('has an invoice', () => {
    const listed = async (jane: Subscriber) => {
      const token = await jane.token();
      return (await shop.api.call('GET', '/billing/me/invoices', { token })).json().results;
    };
    const issuedTo = async ({ customerId }: Subscriber) =>
      (await shop.stripe.invoices.list({ customer: customerId, limit: 100 })).data.filter(
        ({ total, status }) => total > 0 && status !== 'draft',
      );

    it('with a PDF, also at Stripe', async () => {
      const jane = await signUpLow();
      await run();

      const [pack] = await listed(jane);
      expect(pack).toMatchObject({ kind: 'pack', code: '2K', total_in_cents: 700, has_pdf: true });
      const { invoice_url, pdf_url } = (
        await shop.api.call('GET', `/billing/me/invoices/${pack.id}`, { token: await jane.token() })
      ).json();
      expect(await (await fetch(invoice_url)).text()).toContain('2,000 credits');
      expect((await fetch(pdf_url)).headers.get('content-type')).toBe('application/pdf');
      expect(await issuedTo(jane)).toMatchObject([{ status: 'paid', total: 700, amount_paid: 700 }]);
    });

    it('one, written later, when the process that charged it died, whichever answers get lost', async () => {
      const jane = await signUpLow();
      failOnce(chargingPath, 'lost_answer');
      await run();
      expect(await balance(jane)).toBe(2_400);
      await shop.maintain();
      expect(await listed(jane), 'the process may still be writing it').toMatchObject([{ has_pdf: false }]);

      failOnce('/v1/invoices', 'lost_answer');
      await shop.advanceTo(new Date(shop.now().getTime() + 11 * 60_000));
      expect(await listed(jane)).toMatchObject([{ has_pdf: false }]);
      for (const path of ['/v1/invoiceitems', /finalize$/]) {
        failOnce(path, 'lost_answer');
        await shop.maintain();
        expect(await listed(jane), String(path)).toMatchObject([{ has_pdf: false }]);
      }
      failOnce(/attach_payment$/, 'server_error');
      await shop.maintain();
      expect(await listed(jane)).toMatchObject([{ has_pdf: false }]);
      await shop.maintain();
      await shop.maintain();
      expect(await listed(jane)).toMatchObject([{ has_pdf: true }]);
      expect(await issuedTo(jane)).toMatchObject([{ status: 'paid', total: 700 }]);
      expect(await chargesOf(jane)).toBe(1);
    });

    it('or a receipt if the customer has a balance at Stripe, which an invoice would use up', async () => {
      const jane = await signUpLow();
      await shop.stripe.customers.update(jane.customerId, { balance: -300 });
      await run();
      await shop.maintain();

      const [pack] = await listed(jane);
      expect(pack).toMatchObject({ total_in_cents: 700, has_pdf: false });
      const page = await shop.api.call('GET', `/billing/me/invoices/${pack.id}`, {
        token: await jane.token(),
      });
      expect(page.json()).toMatchObject({ pdf_url: null });
      expect(await issuedTo(jane)).toEqual([]);
      expect(await shop.stripe.customers.retrieve(jane.customerId)).toMatchObject({ balance: -300 });
    });

    it('or a receipt if the payment was refunded before it was written: what was begun is discarded', async () => {
      const jane = await signUpLow();
      failOnce(/attach_payment$/, 'server_error');
      await run();
      expect(await issuedTo(jane)).toMatchObject([{ status: 'open' }]);
      const [charge] = (await shop.stripe.charges.list({ customer: jane.customerId, limit: 1 })).data;
      await shop.stripe.refunds.create({ charge: charge?.id ?? '' });
      await shop.advanceTo(new Date(shop.now().getTime() + 11 * 60_000));
      await shop.maintain();

      expect(await issuedTo(jane)).toMatchObject([{ status: 'void' }]);
    });

    it('or a receipt if Stripe refuses it: then nothing is owed, and we do not ask again', async () => {
      const jane = await signUpLow();
      shop.payments.failNext({ method: 'POST', path: /attach_payment$/, with: 'refused' });
      await run();
      await shop.maintain();

      expect(await listed(jane)).toMatchObject([{ has_pdf: false }]);
      expect(await issuedTo(jane)).toMatchObject([{ status: 'void' }]);
      expect(await balance(jane)).toBe(2_400);
    });
  });

  it('is never caused by sandbox work, which costs nothing', async () => {
    const jane = await shop.signUp({ card: 'pm_card_visa' });
    await set(jane, { ...wish, below: 1_000 });
    const work = paidWork({ kind: 'list', ownerId: jane.ownerId, id: crypto.randomUUID(), isSandbox: true });
    await shop.api.database.db.transaction().execute(async (tx) => {
      await work.hold(tx, 900, shop.now());
      await work.settle(tx, 900, shop.now());
    });
    await run();

    expect([await chargesOf(jane), await balance(jane)]).toEqual([0, 1_000]);
  });
});
