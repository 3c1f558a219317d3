import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { EVENTS_CHANNEL } from '../../../platform/events/publish.ts';
import { movableClock } from '../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { setFreeAllowance } from '../free-credits.store.ts';
import { insertCustomer } from '../testing/accounts.ts';
import { findPayer, findPayerOfCustomer, setCustomer } from './payments.store.ts';
import type {
  PaymentsGateway,
  RemoteInvoice,
  RemotePayment,
  RemoteSubscription,
  ReversedCharge,
} from './payments-gateway.ts';
import { type SyncOrder, syncCustomer } from './sync-customer.ts';
import { day, invoiceFor, remote, tier } from './testing/remote-state.ts';

/** What the provider answers. */
interface Provider {
  isCustomer: boolean;
  subscriptions: RemoteSubscription[];
  invoices: RemoteInvoice[];
  payments: RemotePayment[];
  charge: ReversedCharge;
  /** Runs while a sync waits for the subscriptions. */
  meanwhile?: () => Promise<void>;
}

describe('syncCustomer', () => {
  const clock = movableClock('2026-03-10T12:00:00Z');
  let database: TestDatabase;
  let ownerId: string;
  let customerId: string;
  let provider: Provider;
  let ended: string[];

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    clock.set('2026-03-10T12:00:00Z');
    await database.pool.query('truncate purchases, payment_events');
    // All tests use the same ids at the provider, which are unique among accounts.
    await database.pool.query('update subscriptions set subscription_reference = null');
    ownerId = await database.db.transaction().execute((tx) => insertCustomer(tx, clock.now()));
    customerId = `cus_${ownerId}`;
    await setCustomer(database.db, { ownerId, customerReference: customerId });
    ended = [];
    const charge = { id: 'ch_1', amountCents: 700, paymentId: null, invoiceId: null, reversals: [] };
    provider = { isCustomer: true, subscriptions: [], invoices: [], payments: [], charge };
  });

  const gateway: Partial<PaymentsGateway> = {
    isCustomer: async () => provider.isCustomer,
    findSubscriptions: async () => {
      const { subscriptions, meanwhile } = provider;
      await meanwhile?.();
      return subscriptions;
    },
    findInvoice: async (id) => {
      const found = provider.invoices.find((invoice) => invoice.id === id);
      if (!found) throw new Error(`no invoice ${id}`);
      return found;
    },
    findPaidInvoices: async ({ since }) =>
      provider.invoices.filter(({ paidAt }) => paidAt !== null && paidAt >= since),
    findPayment: async (id) => provider.payments.find((payment) => payment.id === id),
    findPayments: async () => [],
    findReversedCharge: async () => provider.charge,
    findReversedChargeIds: async () => [],
    endSubscription: async (id) => void ended.push(id),
  };
  const sync = (order: Partial<SyncOrder> = {}, changes: Partial<PaymentsGateway> = {}) => {
    const parts = { db: database.db, clock, gateway: { ...gateway, ...changes } as PaymentsGateway };
    return syncCustomer(parts, { ownerId, customerId, ...order });
  };
  const account = async () => {
    const found = await findPayer(database.db, ownerId);
    if (!found) throw new Error('the account is gone');
    return found;
  };
  const entries = async () => {
    const rows = await database.db
      .selectFrom('ledger_entries')
      .select(['category', 'amount', 'invoice_reference'])
      .where('owner_id', '=', ownerId)
      .orderBy('entry_number')
      .execute();
    return rows.map(({ category, amount, invoice_reference }) => [category, amount, invoice_reference]);
  };
  /** How often open pages were told to reload the wallet since the last call. */
  async function watchRefreshes(): Promise<() => Promise<number>> {
    const listener = await database.pool.connect();
    onTestFinished(() => listener.release(true));
    let count = 0;
    listener.on('notification', ({ payload = '' }) => {
      if (JSON.parse(payload).user_id === ownerId) count += 1;
    });
    await listener.query(`listen ${EVENTS_CHANNEL}`);
    return async () => {
      // Notifications arrive with the answer to the next statement.
      await listener.query('select 1');
      const counted = count;
      count = 0;
      return counted;
    };
  }

  it('sets the plan of a paid subscription and grants its invoice', async () => {
    provider.subscriptions = [remote('10K')];

    await sync();

    expect(await account()).toMatchObject({
      planCode: '10K',
      anchoredAt: day('03-08'),
      nextRenewalAt: day('04-08'),
      subscriptionReference: 'sub_1',
    });
    expect(await entries()).toEqual([['PURCHASE', 10_000, 'in_1']]);
  });

  it('makes open pages reload the wallet once per change', async () => {
    const refreshes = await watchRefreshes();
    provider.subscriptions = [remote('10K')];

    await sync();
    expect(await refreshes()).toBe(1);
    await sync();
    expect(await refreshes()).toBe(0);
  });

  it.each([
    ['renewal', { periodEnd: day('05-08') }],
    ['late payment', { state: 'overdue' }],
    ['cancellation', { pendingChange: { kind: 'cancellation', plan: tier('FREE'), at: day('04-08') } }],
    ['smaller plan', { plan: tier('2K') }],
  ] as const)('makes open pages reload the wallet after a %s', async (_, change) => {
    const present = { latestInvoice: null };
    provider.subscriptions = [remote('10K')];
    await sync();
    const refreshes = await watchRefreshes();

    provider.subscriptions = [remote('10K', { ...present, ...change })];
    await sync();

    expect(await refreshes()).toBe(1);
  });

  it.each([
    { kind: 'plan_change', plan: tier('FREE'), at: day('04-08') },
    { kind: 'cancellation', plan: tier('2K'), at: day('04-08') },
    { kind: 'cancellation', plan: tier('FREE'), at: day('05-08') },
  ] as const)('makes open pages reload the wallet when a cancellation becomes %o', async (pendingChange) => {
    const before = { kind: 'cancellation', plan: tier('FREE'), at: day('04-08') } as const;
    provider.subscriptions = [remote('10K', { pendingChange: before })];
    await sync();
    const refreshes = await watchRefreshes();

    provider.subscriptions = [remote('10K', { pendingChange })];
    await sync();

    expect(await refreshes()).toBe(1);
  });

  it('does not reload the wallet again while a payment stays late', async () => {
    provider.subscriptions = [remote('10K')];
    await sync();
    provider.subscriptions = [remote('10K', { state: 'overdue' })];
    await sync();
    const refreshes = await watchRefreshes();

    clock.advance({ days: 1 });
    await sync();

    expect(await refreshes()).toBe(0);
  });

  it('does not replace the state of a sync that started later', async () => {
    provider.subscriptions = [remote('2K')];
    provider.meanwhile = async () => {
      provider = { ...provider, subscriptions: [remote('10K')] };
      delete provider.meanwhile;
      await sync();
    };

    await sync();

    expect((await account()).planCode).toBe('10K');
  });

  it('keeps the customer when an older sync did not find them', async () => {
    provider.isCustomer = false;
    const isCustomer = async () => {
      await sync();
      return false;
    };

    await sync({ checksCustomer: true }, { isCustomer });

    expect((await account()).customerReference).toBe(customerId);
  });

  it('applies an event once', async () => {
    const event = { id: 'evt_1', type: 'invoice.paid' };
    await sync({ event });
    provider.subscriptions = [remote('10K')];

    await sync({ event });
    expect((await account()).planCode).toBe('FREE');
    await sync({ event: { ...event, id: 'evt_2' } });
    expect((await account()).planCode).toBe('10K');
  });

  it('does nothing for a deleted account', async () => {
    provider.subscriptions = [remote('10K')];
    await database.pool.query('delete from users where id = $1', [ownerId]);

    await sync();

    expect(await findPayer(database.db, ownerId)).toBeUndefined();
    expect(await entries()).toEqual([]);
  });

  it('unlinks a customer who is gone at the provider, whose plan is Free', async () => {
    provider.subscriptions = [remote('10K')];
    await sync();
    provider.isCustomer = false;

    await sync({ checksCustomer: true });

    expect(await account()).toMatchObject({ planCode: 'FREE', customerReference: null });
  });

  it('looks for the customer only when asked to', async () => {
    provider.isCustomer = false;

    await sync();

    expect((await account()).customerReference).toBe(customerId);
  });

  it('ends all subscriptions but one, and records nothing when that fails', async () => {
    provider.subscriptions = [remote('10K'), remote('FREE', { id: 'sub_2', latestInvoice: null })];
    const unreachable = async () => {
      throw new Error('unreachable');
    };

    await expect(sync({}, { endSubscription: unreachable })).rejects.toThrow('unreachable');
    expect((await account()).planCode).toBe('FREE');
    await sync();

    expect(ended).toEqual(['sub_2']);
    expect((await account()).planCode).toBe('10K');
  });

  it('grants the invoice of an event', async () => {
    provider.invoices = [invoiceFor('2K', { id: 'in_event' })];

    await sync({ invoiceId: 'in_event' });

    expect(await entries()).toEqual([['PURCHASE', 2_000, 'in_event']]);
  });

  it('grants missed invoices since a date, in the order of their payment', async () => {
    provider.invoices = [
      invoiceFor('10K', { id: 'in_third', paidAt: day('03-09') }),
      invoiceFor('10K', { id: 'in_old', paidAt: day('01-01') }),
      invoiceFor('2K', { id: 'in_second', paidAt: day('03-02') }),
      invoiceFor('50K', { id: 'in_first', paidAt: day('03-01') }),
    ];

    await sync({ catchUp: { paidSince: day('02-01'), chargedSince: day('01-01') } });

    expect((await entries()).map(([, , invoice]) => invoice)).toEqual(['in_first', 'in_second', 'in_third']);
  });

  it('takes back the credits of charges that were reversed without our learning of it', async () => {
    provider.invoices = [invoiceFor('2K')];
    await sync({ invoiceId: 'in_1' });
    const reversals = [
      { id: 're_1', kind: 'refund', amountCents: 350, isUndone: false, isDecided: true },
    ] as const;
    provider.charge = { id: 'ch_1', amountCents: 700, paymentId: null, invoiceId: 'in_1', reversals };
    const asked: unknown[] = [];
    const findReversedChargeIds: PaymentsGateway['findReversedChargeIds'] = async (order) => {
      asked.push(order);
      return ['ch_1'];
    };

    await sync(
      { catchUp: { paidSince: day('02-01'), chargedSince: day('01-01') } },
      { findReversedChargeIds },
    );

    expect(asked).toEqual([{ customerId, since: day('01-01') }]);
    expect(await entries()).toEqual([
      ['PURCHASE', 2_000, 'in_1'],
      ['REFUND', -1_000, 'in_1'],
    ]);
  });

  it('keeps the mark for a sync until it has fetched what lost events would have told', async () => {
    await database.pool.query('update subscriptions set needs_sync = true where owner_id = $1', [ownerId]);

    await sync();
    await sync({ event: { id: 'evt_1', type: 'invoice.paid' } });
    expect((await account()).needsSync).toBe(true);
    await sync({ catchUp: { paidSince: day('02-01'), chargedSince: day('01-01') } });

    expect((await account()).needsSync).toBe(false);
  });

  describe('of a customer who was replaced', () => {
    const present = 'cus_present';
    beforeEach(async () => {
      await database.pool.query('delete from former_customers');
      provider.isCustomer = false;
      await sync({ checksCustomer: true });
      provider.isCustomer = true;
      await setCustomer(database.db, { ownerId, customerReference: `${present}_${ownerId}` });
      provider.subscriptions = [remote('10K')];
      await sync({ customerId: `${present}_${ownerId}` });
    });

    it('takes back the credits of a reversed charge, and leaves plan and customer alone', async () => {
      const unasked = async () => {
        throw new Error('must not be asked');
      };
      const reversals = [
        { id: 're_1', kind: 'refund', amountCents: 1_500, isUndone: false, isDecided: true },
      ] as const;
      provider.invoices = [invoiceFor('10K')];
      provider.charge = { id: 'ch_1', amountCents: 3_000, paymentId: null, invoiceId: 'in_1', reversals };

      expect((await findPayerOfCustomer(database.db, customerId))?.ownerId).toBe(ownerId);
      await sync(
        { chargeId: 'ch_1', checksCustomer: true },
        { isCustomer: unasked, findSubscriptions: unasked },
      );

      expect(await account()).toMatchObject({
        planCode: '10K',
        customerReference: `${present}_${ownerId}`,
      });
      expect(await entries()).toEqual([
        ['PURCHASE', 10_000, 'in_1'],
        ['REFUND', -5_000, 'in_1'],
      ]);
    });

    it('leaves the plan alone when the customer is replaced while the provider is asked', async () => {
      provider.meanwhile = async () => {
        delete provider.meanwhile;
        await database.pool.query('update subscriptions set customer_reference = $2 where owner_id = $1', [
          ownerId,
          `cus_newest_${ownerId}`,
        ]);
      };
      provider.subscriptions = [];

      await sync({ customerId: `${present}_${ownerId}` });

      expect((await account()).planCode).toBe('10K');
    });

    it('grants a pack that the former customer paid', async () => {
      const price = { paidCents: 700, priceCents: 700 };
      const paid = { isPaid: true, ...price, paidAt: day('03-09'), pack: tier('2K'), orderId: null };
      provider.payments = [{ id: 'pi_1', customerId, ...paid }];

      await sync({ paymentId: 'pi_1', customerId: `${present}_${ownerId}` });

      expect((await entries()).at(-1)).toEqual(['PACK', 2_000, 'pi_1']);
    });
  });

  it('grants the invoice of a reversed charge before it takes the credits back', async () => {
    const refreshes = await watchRefreshes();
    provider.invoices = [invoiceFor('2K')];
    const reversals = [
      { id: 're_1', kind: 'refund', amountCents: 350, isUndone: false, isDecided: true },
    ] as const;
    provider.charge = { id: 'ch_1', amountCents: 700, paymentId: null, invoiceId: 'in_1', reversals };

    await sync({ chargeId: 'ch_1' });

    expect(await entries()).toEqual([
      ['PURCHASE', 2_000, 'in_1'],
      ['REFUND', -1_000, 'in_1'],
    ]);
    expect(await refreshes()).toBe(1);
  });

  it('makes open pages reload the wallet after a refund', async () => {
    provider.invoices = [invoiceFor('2K')];
    await sync({ invoiceId: 'in_1' });
    const refreshes = await watchRefreshes();
    const reversals = [
      { id: 're_1', kind: 'refund', amountCents: 350, isUndone: false, isDecided: true },
    ] as const;
    provider.charge = { id: 'ch_1', amountCents: 700, paymentId: null, invoiceId: 'in_1', reversals };

    await sync({ chargeId: 'ch_1' });

    expect(await refreshes()).toBe(1);
  });

  describe('with a payment of a pack', () => {
    const packPayment = (changes: Partial<RemotePayment> = {}): RemotePayment => ({
      id: 'pi_1',
      customerId,
      isPaid: true,
      paidCents: 700,
      priceCents: 700,
      paidAt: day('03-09'),
      pack: tier('2K'),
      orderId: null,
      ...changes,
    });

    it('grants its credits once, and makes open pages reload the wallet', async () => {
      const refreshes = await watchRefreshes();
      provider.payments = [packPayment()];

      await sync({ paymentId: 'pi_1' });
      expect(await refreshes()).toBe(1);
      await sync({ paymentId: 'pi_1' });

      expect(await refreshes()).toBe(0);
      expect(await entries()).toEqual([['PACK', 2_000, 'pi_1']]);
    });

    it('grants nothing for a payment of another customer, and nothing for one that does not exist', async () => {
      provider.payments = [packPayment({ customerId: 'cus_other' })];

      await sync({ paymentId: 'pi_1' });
      await sync({ paymentId: 'pi_2' });

      expect(await entries()).toEqual([]);
    });

    it('grants the pack of a reversed charge before it takes the credits back', async () => {
      provider.payments = [packPayment()];
      const reversals = [
        { id: 're_1', kind: 'refund', amountCents: 350, isUndone: false, isDecided: true },
      ] as const;
      provider.charge = { id: 'ch_1', amountCents: 700, paymentId: 'pi_1', invoiceId: null, reversals };

      await sync({ chargeId: 'ch_1' });

      expect(await entries()).toEqual([
        ['PACK', 2_000, 'pi_1'],
        ['REFUND', -1_000, 'pi_1'],
      ]);
    });
  });

  it('records a change of the plan in the activity log, once and not for an older sync', async () => {
    const recorded = async () =>
      (
        await database.pool.query(
          "select contents->>'kind' as kind, contents->>'about' as about from activity_entries where owner_id = $1 order by number",
          [ownerId],
        )
      ).rows;
    provider.subscriptions = [remote('2K')];
    provider.meanwhile = async () => {
      provider = { ...provider, subscriptions: [remote('10K')] };
      delete provider.meanwhile;
      await sync();
    };

    await sync();
    await sync();

    expect(await recorded()).toEqual([{ kind: 'plan.changed', about: 'FREE to 10K' }]);
  });

  describe('when a paid plan ends', () => {
    /** Ends the plan at a moment, for a customer who got their last free credits on 10 March at noon. */
    async function endPlanAt(moment: string): Promise<void> {
      provider.subscriptions = [remote('10K')];
      await sync();
      clock.set(moment);
      provider.subscriptions = [remote('10K', { state: 'ended', endedAt: clock.now() })];
      await sync();
    }
    const allow = () => database.db.transaction().execute((tx) => setFreeAllowance(tx, ownerId));
    const freeCredits = async () => (await entries()).filter(([category]) => category === 'GRANT');

    it('grants no free credits within a month of the last ones', async () => {
      await allow();
      await endPlanAt('2026-04-10T11:59:59Z');

      expect(await account()).toMatchObject({
        planCode: 'FREE',
        freeCreditsAt: new Date('2026-03-10T12:00Z'),
      });
      expect(await freeCredits()).toEqual([]);
    });

    it('tops up the free credits a month after the last ones', async () => {
      await allow();
      await database.pool.query("update subscriptions set plan_code = '2K' where owner_id = $1", [ownerId]);
      clock.set('2026-04-10T12:00:00Z');

      await sync();

      expect(await account()).toMatchObject({ planCode: 'FREE', freeCreditsAt: clock.now() });
      expect(await freeCredits()).toEqual([['GRANT', 1_000, null]]);
    });

    it('grants no free credits to an account without them', async () => {
      await endPlanAt('2026-04-10T12:00:00Z');

      expect(await freeCredits()).toEqual([]);
      expect((await account()).freeCreditsAt).toEqual(new Date('2026-03-10T12:00Z'));
    });
  });
});
