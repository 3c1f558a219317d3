import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import './billing.tables.ts';
import { captureHold, grantCredits, openWallet, placeHold } from './credit-ledger.ts';
import { auditLedger, type Disagreement } from './ledger-audit.ts';

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
  /** What only somebody at the database's own prompt can do. */
  const tamper = async (...statements: string[]) => {
    await database.pool.query('alter table ledger_entries disable trigger user');
    for (const statement of statements) await database.pool.query(statement);
  };

  it('finds nothing in books that agree', async () => {
    expect(await audit()).toEqual([]);
  });

  it('catches a balance that was changed by hand', async () => {
    await tamper('update wallets set balance = balance + 7');

    expect(await audit()).toEqual([
      { ownerId, finding: 'balance', subject: null, expected: 960, actual: 967 },
    ]);
  });

  it('catches credits held for nothing', async () => {
    await tamper('update wallets set held = held + 3');

    expect(await audit()).toEqual([{ ownerId, finding: 'held', subject: null, expected: 25, actual: 28 }]);
  });

  it('catches an amount that was rewritten', async () => {
    await tamper('update ledger_entries set amount = -39 where entry_number = 2');

    expect(await audit()).toEqual([
      { ownerId, finding: 'balance', subject: null, expected: 961, actual: 960 },
      { ownerId, finding: 'balance_after', subject: '2', expected: 961, actual: 960 },
      { ownerId, finding: 'capture_amount', subject: 'list:done', expected: -40, actual: -39 },
    ]);
  });

  it('catches an entry that was removed', async () => {
    await tamper('delete from ledger_entries where entry_number = 1');

    expect((await audit()).map(({ finding, subject }) => [finding, subject])).toEqual([
      ['balance', null],
      ['balance_after', '2'],
      ['entry_count', null],
      ['entry_number', '2'],
    ]);
  });

  it('catches a settled hold whose entry is missing', async () => {
    await tamper(
      'delete from ledger_entries where entry_number = 2',
      'update wallets set balance = 1000, entry_count = 1',
    );

    expect(await audit()).toEqual([
      { ownerId, finding: 'capture_without_entry', subject: 'list:done', expected: -40, actual: null },
    ]);
  });

  it('catches an entry for a hold that was never captured', async () => {
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

  it('catches entries and holds whose wallet is gone', async () => {
    await tamper(
      'alter table ledger_entries drop constraint ledger_entries_owner_id_fkey',
      'alter table holds drop constraint holds_owner_id_fkey',
      'delete from wallets',
    );

    expect(await audit()).toEqual([
      { ownerId, finding: 'wallet_missing', subject: null, expected: null, actual: null },
    ]);
  });

  it('names every disagreement, more of them than are fetched at a time', async () => {
    await database.pool.query(
      `insert into wallets (owner_id, balance, opened_at)
       select gen_random_uuid(), 5, now() from generate_series(1, 2500)`,
    );

    expect(await audit()).toHaveLength(2_500);
  });

  it('gives its connection back when the reader has seen enough', async () => {
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
