import { randomUUID } from 'node:crypto';
import { PLAN_TIERS } from '@assay/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import './index.ts';
import { countRedemption, insertCoupons, insertRedemption } from './coupons/coupons.store.ts';
import {
  captureHold,
  grantCredits,
  laterKey,
  openWallet,
  placeHold,
  returnCredits,
  takeBackCredits,
} from './credit-ledger.store.ts';
import { auditLedger, type Disagreement } from './ledger-audit.store.ts';
import { applyReversals, grantPurchase, reversalKeyPrefix } from './payments/purchases.ts';

const now = new Date('2026-03-01T12:00:00Z');

describe('auditLedger', () => {
  let database: TestDatabase;
  let ownerId: string;

  // A customer with 1,000 credits, of which a list took 40 and another holds 25.
  beforeEach(async () => {
    database = await createTestDatabase();
    ownerId = randomUUID();
    await database.db.transaction().execute(async (tx) => {
      const text = { category: 'VERIFICATION', source: 'LIST', description: 'A list' } as const;
      await openWallet(tx, { ownerId, now });
      await grantCredits(tx, { ownerId, key: 'gift:1', credits: 1_000, now, ...text });
      await placeHold(tx, { ownerId, reference: 'list:done', credits: 50, now });
      await captureHold(tx, { ownerId, reference: 'list:done', dueCredits: 40, now, ...text });
      await placeHold(tx, { ownerId, reference: 'list:runs', credits: 25, now });
    });
  });
  afterEach(() => database.close());

  const audit = async () => {
    const found: Disagreement[] = [];
    for await (const disagreement of auditLedger(database.db)) found.push(disagreement);
    return found.sort((one, other) => one.finding.localeCompare(other.finding));
  };
  /** Changes that only a superuser at the database prompt can make. */
  const tamper = async (...statements: string[]) => {
    await database.pool.query('alter table ledger_entries disable trigger user');
    for (const statement of statements) await database.pool.query(statement);
  };

  it('finds nothing when all numbers agree', async () => {
    expect(await audit()).toEqual([]);
  });

  it('finds a balance that was changed by hand', async () => {
    await tamper('update wallets set balance = balance + 7');

    expect(await audit()).toEqual([
      { ownerId, finding: 'balance', subject: null, expected: 960, actual: 967 },
    ]);
  });

  it('finds held credits without a hold', async () => {
    await tamper('update wallets set held = held + 3');

    expect(await audit()).toEqual([{ ownerId, finding: 'held', subject: null, expected: 25, actual: 28 }]);
  });

  it('finds an amount that was changed', async () => {
    await tamper('update ledger_entries set amount = -39 where entry_number = 2');

    expect(await audit()).toEqual([
      { ownerId, finding: 'balance', subject: null, expected: 961, actual: 960 },
      { ownerId, finding: 'balance_after', subject: '2', expected: 961, actual: 960 },
      { ownerId, finding: 'capture_amount', subject: 'list:done', expected: -40, actual: -39 },
    ]);
  });

  it('finds a removed entry', async () => {
    await tamper('delete from ledger_entries where entry_number = 1');

    expect((await audit()).map(({ finding, subject }) => [finding, subject])).toEqual([
      ['balance', null],
      ['balance_after', '2'],
      ['entry_count', null],
      ['entry_number', '2'],
    ]);
  });

  it('finds a settled hold without its entry', async () => {
    await tamper(
      'delete from ledger_entries where entry_number = 2',
      'update wallets set balance = 1000, entry_count = 1',
    );

    expect(await audit()).toEqual([
      { ownerId, finding: 'capture_without_entry', subject: 'list:done', expected: -40, actual: null },
    ]);
  });

  it('finds an entry for a hold that was never captured', async () => {
    await tamper("update holds set status = 'released', captured = null where reference = 'list:done'");

    expect(await audit()).toEqual([
      {
        ownerId,
        finding: 'entry_without_capture',
        subject: 'capture:list:done',
        expected: null,
        actual: -40,
      },
    ]);
  });

  describe('of purchases and coupons', () => {
    beforeEach(async () => {
      const coupon = { code: 'WELCOME', credits: 30, redemptionsMax: 5, expiresAt: null };
      await insertCoupons(database.db, [coupon], now);
      await database.db.transaction().execute(async (tx) => {
        await insertRedemption(tx, { ownerId, code: 'WELCOME', credits: 30, now });
        await countRedemption(tx, 'WELCOME');
        const words = { category: 'COUPON', source: 'COUPON', description: 'A coupon' } as const;
        await grantCredits(tx, { ownerId, key: 'coupon:WELCOME', credits: 30, now, ...words });
        await grantPurchase(tx, { ownerId, invoice: paidInvoice, now });
        const charge = {
          id: 'ch_1',
          amountCents: 700,
          paymentId: null,
          invoiceId: 'in_1',
          reversals: [
            { id: 're_1', kind: 'refund', amountCents: 350, isUndone: false, isDecided: true },
          ] as const,
        };
        await applyReversals(tx, { ownerId, charge, now });
      });
    });
    const paidInvoice = {
      id: 'in_1',
      customerId: 'cus_1',
      isPaid: true,
      dueCents: 0,
      issuedAt: now,
      totalCents: 700,
      paidCents: 700,
      paidAt: now,
      months: [{ plan: PLAN_TIERS[1], quantity: 1, costCents: 700, begin: now, end: now }],
    };

    it('finds nothing when all numbers agree', async () => {
      expect(await audit()).toEqual([]);
    });

    it('finds a paid invoice without its entry, and an entry without its invoice', async () => {
      await tamper("update purchases set invoice_id = 'in_2'");

      expect(await audit()).toEqual([
        {
          ownerId,
          finding: 'entry_without_purchase',
          subject: 'invoice:in_1',
          expected: null,
          actual: 2_000,
        },
        { ownerId, finding: 'purchase_without_entry', subject: 'in_2', expected: 2_000, actual: null },
        { ownerId, finding: 'refunds_above_purchase', subject: 'in_1', expected: 0, actual: 1_000 },
      ]);
    });

    it('finds different amounts', async () => {
      await tamper('update purchases set credits = 2001', 'update coupon_redemptions set credits = 31');

      expect(await audit()).toEqual([
        { ownerId, finding: 'coupon_amount', subject: 'WELCOME', expected: 31, actual: 30 },
        { ownerId, finding: 'purchase_amount', subject: 'in_1', expected: 2_001, actual: 2_000 },
      ]);
    });

    it('finds frozen credits without an entry, and claims without a dispute', async () => {
      await tamper(
        `insert into payment_disputes (owner_id, dispute_id, invoice_id, frozen, claimed, status, opened_at)
         values ('${ownerId}', 'du_1', 'in_1', 7, 0, 'open', now())`,
        'update wallets set claimed = 3',
      );

      expect(await audit()).toEqual([
        { ownerId, finding: 'claimed', subject: null, expected: 0, actual: 3 },
        { ownerId, finding: 'frozen', subject: 'du_1', expected: 0, actual: 7 },
      ]);
    });

    it('counts what a dispute took at once and later, and not what went back', async () => {
      const text = {
        category: 'REFUND',
        source: 'SUBSCRIPTION',
        description: 'A dispute',
        invoiceReference: 'in_1',
      } as const;
      const key = `${reversalKeyPrefix}du_1` as const;
      await database.db.transaction().execute(async (tx) => {
        await takeBackCredits(tx, { ownerId, key, upToCredits: 5, now, ...text });
        const later = laterKey(key, 'list:runs');
        await takeBackCredits(tx, { ownerId, key: later, upToCredits: 2, now, ...text });
        // Of a dispute whose id begins alike.
        await takeBackCredits(tx, { ownerId, key: `${key}0`, upToCredits: 3, now, ...text });
        await returnCredits(tx, { ownerId, key, now, ...text });
      });
      await tamper(
        `insert into payment_disputes (owner_id, dispute_id, invoice_id, frozen, claimed, status, opened_at)
         values ('${ownerId}', 'du_1', 'in_1', 7, 0, 'open', now())`,
      );
      expect(await audit()).toEqual([]);

      await tamper("update payment_disputes set frozen = 8 where dispute_id = 'du_1'");
      expect(await audit()).toEqual([
        { ownerId, finding: 'frozen', subject: 'du_1', expected: 7, actual: 8 },
      ]);
    });

    it('finds a wrong redemption count of a coupon', async () => {
      await tamper('update coupons set redemption_count = 0');

      expect(await audit()).toEqual([
        { ownerId: null, finding: 'coupon_count', subject: 'WELCOME', expected: 1, actual: 0 },
      ]);
    });
  });

  it('finds entries and holds without a wallet', async () => {
    await tamper(
      'alter table ledger_entries drop constraint ledger_entries_owner_id_fkey',
      'alter table holds drop constraint holds_owner_id_fkey',
      'delete from wallets',
    );

    expect(await audit()).toEqual([
      { ownerId, finding: 'wallet_missing', subject: null, expected: null, actual: null },
    ]);
  });

  it('yields every disagreement, also more than one fetch returns', async () => {
    await database.pool.query(
      `insert into wallets (owner_id, balance, opened_at)
       select gen_random_uuid(), 5, now() from generate_series(1, 2500)`,
    );

    expect(await audit()).toHaveLength(2_500);
  });

  it('returns its connection when the reader stops early', async () => {
    await tamper('update wallets set balance = balance + 7');

    for (let round = 0; round < 20; round += 1) {
      for await (const disagreement of auditLedger(database.db)) {
        expect(disagreement.finding).toBe('balance');
        break;
      }
    }
    expect(database.pool.totalCount - database.pool.idleCount).toBe(0);
  });
});
