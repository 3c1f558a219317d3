import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Tx } from '../../platform/database/database.ts';
import { type MovableClock, movableClock } from '../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { getWallet } from './billing.service.ts';
import { captureHold, grantCredits, placeHold } from './credit-ledger.store.ts';
import { claimFreeCredits } from './free-credits.ts';
import { renewFreePlans } from './free-renewal.ts';
import { auditLedger } from './ledger-audit.store.ts';
import { insertPurchase } from './payments/payments.store.ts';
import './payments/payments.tables.ts';
import { insertCustomer } from './testing/accounts.ts';

describe('the Free plan', () => {
  let database: TestDatabase;
  let clock: MovableClock;

  beforeEach(async () => {
    database = await createTestDatabase();
    clock = movableClock('2026-01-31T10:00:00Z');
  });
  afterEach(() => database.close());

  const inTransaction = <Result>(run: (tx: Tx) => Promise<Result>) => database.db.transaction().execute(run);
  const signUp = ({ hasFreeCredits = true } = {}) =>
    inTransaction(async (tx) => {
      const now = clock.now();
      const ownerId = await insertCustomer(tx, now);
      if (hasFreeCredits)
        await claimFreeCredits(tx, {
          ownerId,
          mailboxHashes: [ownerId],
          place: 'provider',
          perDomainMax: 0,
          now,
        });
      return ownerId;
    });
  const spend = (ownerId: string, credits: number) =>
    inTransaction(async (tx) => {
      const reference = `list:${randomUUID()}` as const;
      const now = clock.now();
      await placeHold(tx, { ownerId, reference, credits, now });
      await captureHold(tx, {
        ownerId,
        reference,
        dueCredits: credits,
        category: 'VERIFICATION',
        source: 'LIST',
        description: 'A list',
        now,
      });
    });
  const buy = (ownerId: string, credits: number) =>
    inTransaction(async (tx) => {
      const now = clock.now();
      const purchase = { ownerId, kind: 'pack', invoiceId: randomUUID(), planCode: '2K', credits } as const;
      await insertPurchase(tx, { ...purchase, paidCents: 700, totalCents: 700, paidAt: now });
      await grantCredits(tx, {
        ownerId,
        key: `pack:${purchase.invoiceId}`,
        credits,
        category: 'PACK',
        source: 'CHECKOUT',
        description: 'A pack',
        now,
      });
    });
  const renew = () => renewFreePlans({ db: database.db, clock });
  const walletOf = (ownerId: string) => getWallet({ db: database.db, clock, graceDays: 14 }, ownerId);
  const balanceOf = async (ownerId: string) => (await walletOf(ownerId)).balance;

  it('§1 starts with 1000 credits and a renewal date', async () => {
    expect(await walletOf(await signUp())).toEqual({
      balance: 1_000,
      held: 0,
      top_up_stopped_because: null,
      top_up_paused_until: null,
      free_credits_withheld: null,
      frozen: 0,
      low_balance_threshold: null,
      subscription: {
        status: 'active',
        pending_change: null,
        owed: null,
        next_renewal_date: '2026-02-28T10:00:00.000Z',
        plan: { code: 'FREE', monthly_credits: 1_000, monthly_cost_in_cents: 0 },
      },
    });
  });

  it('shows a balance without the credits that running work holds', async () => {
    const ownerId = await signUp();
    await inTransaction((tx) =>
      placeHold(tx, { ownerId, reference: 'list:1', credits: 300, now: clock.now() }),
    );

    expect(await balanceOf(ownerId)).toBe(700);
  });

  it('reads the wallet in one statement', async () => {
    const ownerId = await signUp();
    let statementCount = 0;
    const db = database.db.withPlugin({
      transformQuery: ({ node }) => {
        statementCount += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });

    await getWallet({ db, clock, graceDays: 14 }, ownerId);

    expect(statementCount).toBe(1);
  });

  it('shows a renewal in the future, also when the previous one is late', async () => {
    const ownerId = await signUp();
    clock.set('2026-03-01T00:00:00Z');

    expect((await walletOf(ownerId)).subscription.next_renewal_date).toBe('2026-03-31T10:00:00.000Z');
  });

  it('tops up to 1,000 on the day, and not before', async () => {
    const ownerId = await signUp();
    await spend(ownerId, 400);

    clock.set('2026-02-28T09:59:59Z');
    expect(await renew()).toEqual({ renewedCount: 0, grantedCredits: 0 });
    clock.set('2026-02-28T10:00:00Z');
    expect(await renew()).toEqual({ renewedCount: 1, grantedCredits: 400 });

    expect(await balanceOf(ownerId)).toBe(1_000);
  });

  it('tops up once, also when several workers run it repeatedly', async () => {
    const ownerId = await signUp();
    await spend(ownerId, 400);
    clock.set('2026-02-28T10:00:00Z');

    await Promise.all(Array.from({ length: 8 }, renew));
    await spend(ownerId, 100);
    await renew();

    expect(await balanceOf(ownerId)).toBe(900);
  });

  it('never lowers the balance', async () => {
    const ownerId = await signUp();
    clock.set('2026-02-28T10:00:00Z');
    await renew();

    expect(await balanceOf(ownerId)).toBe(1_000);
    const { rows } = await database.pool.query('select count(*) from ledger_entries');
    expect(rows).toEqual([{ count: 1 }]);
  });

  it.each([
    // What is spent first does not matter: as many bought credits as possible count as left.
    { spent: 0, granted: 0 },
    { spent: 400, granted: 400 },
    { spent: 1_000, granted: 1_000 },
    { spent: 2_500, granted: 1_000 },
    { spent: 3_000, granted: 1_000 },
  ])(
    'ignores bought credits that are left: after spending $spent of 1,000 free and 2,000 bought ones, it adds $granted',
    async ({ spent, granted }) => {
      const ownerId = await signUp();
      await buy(ownerId, 2_000);
      if (spent > 0) await spend(ownerId, spent);
      clock.set('2026-02-28T10:00:00Z');

      expect(await renew()).toEqual({ renewedCount: 1, grantedCredits: granted });
      expect(await balanceOf(ownerId)).toBe(3_000 - spent + granted);
    },
  );

  it('bought credits that were spent do not count as left again', async () => {
    const ownerId = await signUp();
    await buy(ownerId, 2_000);
    await spend(ownerId, 3_000);
    clock.set('2026-02-28T10:00:00Z');
    await renew();
    clock.set('2026-03-31T10:00:00Z');

    expect(await renew()).toEqual({ renewedCount: 1, grantedCredits: 0 });
    for await (const disagreement of auditLedger(database.db)) expect(disagreement).toBeUndefined();
  });

  it('catches up after months without a worker', async () => {
    const ownerId = await signUp();
    await spend(ownerId, 1_000);
    clock.set('2026-07-15T00:00:00Z');

    expect(await renew()).toEqual({ renewedCount: 1, grantedCredits: 1_000 });
    expect((await walletOf(ownerId)).subscription.next_renewal_date).toBe('2026-07-31T10:00:00.000Z');
  });

  it('renews a whole year, day by day, with twelve top-ups and clean books', async () => {
    const ownerId = await signUp();
    await spend(ownerId, 1_000);
    let grantedCredits = 0;
    for (let day = 0; day < 365; day += 1) {
      clock.advance({ days: 1 });
      const run = await renew();
      grantedCredits += run.grantedCredits;
      if (run.renewedCount > 0) await spend(ownerId, 1_000);
    }

    expect(grantedCredits).toBe(12_000);
    for await (const disagreement of auditLedger(database.db)) expect(disagreement).toBeUndefined();
  });

  it('grants nothing to a second account of the same person', async () => {
    const ownerId = await signUp({ hasFreeCredits: false });
    clock.set('2026-02-28T10:00:00Z');

    expect(await renew()).toEqual({ renewedCount: 1, grantedCredits: 0 });
    expect(await balanceOf(ownerId)).toBe(0);
  });

  it('makes the customer’s open tabs reload the wallet', async () => {
    const ownerId = await signUp();
    const listener = await database.pool.connect();
    const heard: unknown[] = [];
    listener.on('notification', ({ payload = '' }) => heard.push(JSON.parse(payload)));
    await listener.query('listen assay_events');

    clock.set('2026-02-28T10:00:00Z');
    await renew();
    await spend(ownerId, 10);
    clock.set('2026-03-31T10:00:00Z');
    await renew();
    // Notifications arrive with the answer to the next statement.
    await listener.query('select 1');
    listener.release(true);

    expect(heard).toEqual([
      { user_id: ownerId, event: { event_type: 'refresh_billing', event_metadata: {} } },
      { user_id: ownerId, event: { event_type: 'refresh_billing', event_metadata: {} } },
    ]);
  });

  it('stops between two customers when it is aborted', async () => {
    await signUp();
    clock.set('2026-02-28T10:00:00Z');

    expect(await renewFreePlans({ db: database.db, clock }, AbortSignal.abort())).toEqual({
      renewedCount: 0,
      grantedCredits: 0,
    });
  });
});
