import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Tx } from '../../../platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { captureHold, placeHold } from '../credit-ledger.store.ts';
import { auditLedger } from '../ledger-audit.store.ts';
import { insertCustomer } from '../testing/accounts.ts';
import type { PaidMonth, Reversal } from './payments-gateway.ts';
import { applyReversals, grantPurchase, readPurchase } from './purchases.ts';
import { day, invoiceFor, tier } from './testing/remote-state.ts';

const now = day('03-10');
const month = (changes: Partial<PaidMonth> = {}): PaidMonth => ({
  plan: tier('2K'),
  quantity: 1,
  costCents: 700,
  begin: day('03-08'),
  end: day('04-08'),
  ...changes,
});

describe('readPurchase', () => {
  it('is the month of a paid invoice', () => {
    expect(readPurchase(invoiceFor('10K'))).toEqual({
      planCode: '10K',
      credits: 10_000,
      description: '10K plan, 8 Mar 2026 to 8 Apr 2026',
    });
  });

  it('is the sum of several months, by their quantities', () => {
    const months = [month({ quantity: 2, costCents: 1_400 }), month({ plan: tier('10K'), costCents: 3_000 })];

    expect(readPurchase(invoiceFor('2K', { totalCents: 4_400, months }))).toMatchObject({
      planCode: '2K',
      credits: 14_000,
    });
  });

  it('leaves out a month that was paid below its price', () => {
    const months = [month({ costCents: 699 }), month({ quantity: 2, costCents: 1_399 }), month()];

    expect(readPurchase(invoiceFor('2K', { months }))).toMatchObject({ credits: 2_000 });
  });

  it.each([
    ['that is not paid', { isPaid: false }],
    ['of 0', { totalCents: 0 }],
    ['without a full month', { months: [] }],
    ['with months below their price only', { months: [month({ costCents: 699 })] }],
    ['with free months only', { months: [month({ plan: tier('FREE'), costCents: 0 })] }],
  ])('is nothing for an invoice %s', (_, changes) => {
    expect(readPurchase(invoiceFor('2K', changes))).toBeUndefined();
  });
});

describe('purchases in the ledger', () => {
  let database: TestDatabase;
  let ownerId: string;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    ownerId = await inTransaction((tx) => insertCustomer(tx, now));
    await database.pool.query('truncate purchases');
  });

  const inTransaction = <Result>(run: (tx: Tx) => Promise<Result>) => database.db.transaction().execute(run);
  const buy = (invoice = invoiceFor('2K')) =>
    inTransaction((tx) => grantPurchase(tx, { ownerId, invoice, now }));
  const reverse = async (reversals: Partial<Reversal>[], invoiceId: string | null = 'in_1') => {
    const { hasChanged } = await inTransaction((tx) =>
      applyReversals(tx, {
        ownerId,
        charge: {
          id: 'ch_1',
          amountCents: 700,
          paymentId: null,
          invoiceId,
          reversals: reversals.map((reversal) => ({
            id: 're_1',
            kind: 'refund',
            amountCents: 700,
            isUndone: false,
            isDecided: true,
            ...reversal,
          })),
        },
        now,
      }),
    );
    return hasChanged;
  };
  const spend = (credits: number) =>
    inTransaction(async (tx) => {
      await placeHold(tx, { ownerId, reference: 'list:1', credits, now });
      const text = { category: 'VERIFICATION', source: 'LIST', description: 'A list' } as const;
      await captureHold(tx, { ownerId, reference: 'list:1', dueCredits: credits, now, ...text });
    });
  const entries = () =>
    database.db
      .selectFrom('ledger_entries')
      .select(['category', 'source', 'description', 'amount', 'invoice_reference', 'key'])
      .where('owner_id', '=', ownerId)
      .orderBy('entry_number')
      .execute();
  const amounts = async () => (await entries()).map(({ amount }) => amount);

  it('an invoice grants its credits once, with its entry', async () => {
    expect(await buy()).toBe(true);
    expect(await buy()).toBe(false);

    expect(await entries()).toEqual([
      {
        category: 'PURCHASE',
        source: 'SUBSCRIPTION',
        description: '2K plan, 8 Mar 2026 to 8 Apr 2026',
        amount: 2_000,
        invoice_reference: 'in_1',
        key: 'invoice:in_1',
      },
    ]);
  });

  it.each([
    [day('03-08'), day('03-08')],
    [null, now],
  ])('an invoice paid at %s is recorded with its amount and date', async (paidAt, recorded) => {
    await buy(invoiceFor('2K', { paidAt }));

    const { rows } = await database.pool.query(
      'select plan_code, credits, paid_cents, paid_at from purchases',
    );
    expect(rows).toEqual([{ plan_code: '2K', credits: 2_000, paid_cents: 700, paid_at: recorded }]);
  });

  it.each([500, 0])(
    'an invoice that a balance paid in part shows the %i cents that were paid',
    async (paidCents) => {
      expect(await buy(invoiceFor('2K', { paidCents }))).toBe(true);

      const { rows } = await database.pool.query('select credits, paid_cents from purchases');
      expect(rows).toEqual([{ credits: 2_000, paid_cents: paidCents }]);
    },
  );

  it('an unpaid invoice grants nothing', async () => {
    expect(await buy(invoiceFor('2K', { isPaid: false }))).toBe(false);
    expect(await entries()).toEqual([]);
  });

  it('partial refunds take their shares, rounded down, with their entries', async () => {
    await buy();

    const isChanged = await reverse([{ amountCents: 100 }, { id: 're_2', amountCents: 600 }]);

    expect(isChanged).toBe(true);
    expect((await entries()).slice(1)).toEqual([
      {
        category: 'REFUND',
        source: 'SUBSCRIPTION',
        description: 'Refund of the 2K plan',
        amount: -285,
        invoice_reference: 'in_1',
        key: 'refund:re_1',
      },
      expect.objectContaining({ key: 'refund:re_2', amount: -1_714 }),
    ]);
  });

  it('a repeated refund changes nothing', async () => {
    await buy();
    await reverse([{}]);

    expect(await reverse([{}])).toBe(false);
    expect(await amounts()).toEqual([2_000, -2_000]);
  });

  it('a refund of spent credits takes none, and only its invoice changes, once', async () => {
    await buy();
    await spend(2_000);

    expect([await reverse([{}]), await reverse([{}])]).toEqual([true, false]);
    expect(await amounts()).toEqual([2_000, -2_000, 0]);
  });

  it('a change by the first of two reversals counts', async () => {
    await buy();

    expect(await reverse([{}, { id: 're_2' }])).toBe(true);
  });

  it.each([
    ['refund', 'Refund of the 2K plan', 'Refund of the 2K plan did not go through'],
    ['dispute', 'Disputed payment of the 2K plan', 'Disputed payment of the 2K plan was confirmed'],
  ] as const)('an undone %s gives its credits back', async (kind, taken, returned) => {
    await buy();
    await reverse([{ kind }]);

    expect(await reverse([{ kind, isUndone: true }])).toBe(true);

    const rows = (await entries()).slice(1).map(({ description, amount }) => [description, amount]);
    expect(rows).toEqual([
      [taken, -2_000],
      [returned, 2_000],
    ]);
  });

  describe('a dispute and the automatic top-up', () => {
    const turnOn = () =>
      database.pool.query(
        `insert into automatic_top_ups (owner_id, is_on, below, pack_code, monthly_cap_cents)
          values ($1, true, 500, '2K', 700)
          on conflict (owner_id) do update set is_on = true, stopped_because = null`,
        [ownerId],
      );
    const stopped = async () => {
      const { rows } = await database.pool.query(
        'select stopped_because from automatic_top_ups where owner_id = $1',
        [ownerId],
      );
      return rows[0].stopped_because;
    };
    beforeEach(async () => {
      await turnOn();
    });

    it.each([
      ['opened', false, 'in_1'],
      ['lost before we heard of it', true, 'in_1'],
      ['opened for no purchase', false, null],
      ['lost for no purchase', true, 'in_unknown'],
    ])('a dispute that is %s stops it, once', async (_, isDecided, invoiceId) => {
      await buy();

      expect(await reverse([{ kind: 'dispute', isDecided }], invoiceId)).toBe(true);
      expect(await stopped()).toBe('disputed');
      await turnOn();
      expect(await reverse([{ kind: 'dispute', isDecided }], invoiceId)).toBe(false);
      await reverse([{ kind: 'dispute', isDecided: true }], invoiceId);

      expect(await stopped()).toBeNull();
    });

    it('one that is won before we hear of it does not, nor does a refund', async () => {
      await buy();

      await reverse([{ kind: 'dispute', isUndone: true }], null);
      await reverse([{ id: 're_2', kind: 'refund' }]);

      expect(await stopped()).toBeNull();
    });
  });

  it('a dispute whose purchase becomes known later takes its credits, and the books agree', async () => {
    await reverse([{ kind: 'dispute', isDecided: false }]);
    await buy();

    expect(await reverse([{ kind: 'dispute', isDecided: false }])).toBe(true);
    expect(await amounts()).toEqual([2_000, -2_000]);
    const { rows } = await database.pool.query(
      'select invoice_id, frozen, status from payment_disputes where owner_id = $1',
      [ownerId],
    );
    expect(rows).toEqual([{ invoice_id: 'in_1', frozen: 2_000, status: 'open' }]);
    for await (const disagreement of auditLedger(database.db)) {
      expect(disagreement.ownerId).not.toBe(ownerId);
    }
    expect(await reverse([{ kind: 'dispute', isUndone: true }])).toBe(true);
    expect(await amounts()).toEqual([2_000, -2_000, 2_000]);
  });

  it.each([null, 'in_unknown'])('a reversal for invoice %s changes nothing', async (invoiceId) => {
    await buy();

    expect(await reverse([{}], invoiceId)).toBe(false);
    expect(await amounts()).toEqual([2_000]);
  });
});
