import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Tx } from '../../platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import './billing.tables.ts';
import {
  captureHold,
  captureHolds,
  copyClaimedCredits,
  type EntryText,
  grantCredits,
  type HoldReference,
  laterKey,
  noteWithoutCredits,
  openWallet,
  placeHold,
  placeHolds,
  releaseHold,
  returnCredits,
  takeBackCredits,
  topUpCredits,
} from './credit-ledger.store.ts';

const now = new Date('2026-03-01T12:00:00Z');
const gift: EntryText = { category: 'GRANT', source: 'SUPPORT', description: 'A gift' };
const bought: EntryText = { category: 'PACK', source: 'CHECKOUT', description: 'A pack' };
const refund: EntryText = { ...bought, category: 'REFUND' };
const work: EntryText = { category: 'VERIFICATION', source: 'LIST', description: 'A list of emails' };

describe('the credit ledger', () => {
  let database: TestDatabase;
  let ownerId: string;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    ownerId = randomUUID();
    await inTransaction((tx) => openWallet(tx, { ownerId, now }));
  });

  const inTransaction = <Result>(run: (tx: Tx) => Promise<Result>) => database.db.transaction().execute(run);
  const grant = (credits: number, key: `gift:${string}` = `gift:${randomUUID()}`) =>
    inTransaction((tx) => grantCredits(tx, { ownerId, key, credits, now, ...gift }));
  const buy = (credits: number) =>
    inTransaction((tx) =>
      grantCredits(tx, { ownerId, key: `pack:${randomUUID()}`, credits, now, ...bought }),
    );
  const hold = (reference: HoldReference, credits: number) =>
    inTransaction((tx) => placeHold(tx, { ownerId, reference, credits, now }));
  const capture = (reference: HoldReference, dueCredits: number) =>
    inTransaction((tx) => captureHold(tx, { ownerId, reference, dueCredits, now, ...work }));
  const holdSingles = (count: number) => {
    const references = Array.from({ length: count }, () => `single:${randomUUID()}` as const);
    return inTransaction((tx) => placeHolds(tx, { ownerId, references, creditsEach: 1, now }));
  };
  const release = (reference: HoldReference) =>
    inTransaction((tx) => releaseHold(tx, { ownerId, reference, now }));
  /** Locks the wallet until all calls wait for it or for each other, so that they run at the same moment. */
  const atTheSameMoment = async <Result>(count: number, run: () => Promise<Result>): Promise<Result[]> => {
    const other = await database.db.startTransaction().execute();
    await sql`select from wallets where owner_id = ${ownerId} for update`.execute(other);
    const results = Promise.all(Array.from({ length: count }, run));
    await vi.waitFor(
      async () => {
        const { rows } = await database.pool.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        expect(rows).toHaveLength(count);
      },
      { timeout: 50_000 },
    );
    await other.commit().execute();
    return results;
  };
  const readWallet = () =>
    database.db
      .selectFrom('wallets')
      .select(['balance', 'held'])
      .where('owner_id', '=', ownerId)
      .executeTakeFirstOrThrow();
  const readEntries = () =>
    database.db
      .selectFrom('ledger_entries')
      .select(['entry_number', 'amount', 'balance_after'])
      .where('owner_id', '=', ownerId)
      .orderBy('entry_number')
      .execute();

  describe('grantCredits', () => {
    it('adds credits and one entry', async () => {
      expect(await grant(1_000)).toEqual({ grantedCredits: 1_000 });

      expect(await readWallet()).toEqual({ balance: 1_000, held: 0 });
      const [entry] = await database.db
        .selectFrom('ledger_entries')
        .selectAll()
        .where('owner_id', '=', ownerId)
        .execute();
      expect(entry).toMatchObject({
        entry_number: 1,
        category: 'GRANT',
        source: 'SUPPORT',
        description: 'A gift',
        amount: 1_000,
        balance_after: 1_000,
        invoice_reference: null,
        created_at: now,
      });
    });

    it('grants once per key, also in concurrent calls', async () => {
      const outcomes = await atTheSameMoment(5, () => grant(100, 'gift:once'));

      expect(outcomes.reduce((sum, outcome) => sum + outcome.grantedCredits, 0)).toBe(100);
      expect(await readWallet()).toEqual({ balance: 100, held: 0 });
      expect(await readEntries()).toHaveLength(1);
    });

    it('refuses an amount that is not a positive integer, and a key of a settled hold', async () => {
      await expect(grant(0)).rejects.toThrow(/above 0/);
      await expect(grant(-5)).rejects.toThrow(/above 0/);
      await expect(grant(1.5)).rejects.toThrow(/whole number/);
      await expect(
        inTransaction((tx) => grantCredits(tx, { ownerId, key: 'capture:list:1', credits: 1, now, ...gift })),
      ).rejects.toThrow(/settled holds/);
    });

    it('refuses an owner without a wallet', async () => {
      await expect(
        inTransaction((tx) =>
          grantCredits(tx, { ownerId: randomUUID(), key: 'gift:1', credits: 1, now, ...gift }),
        ),
      ).rejects.toThrow(/has no wallet/);
    });
  });

  describe('topUpCredits', () => {
    const topUp = (key: `month:${string}`) =>
      inTransaction((tx) => topUpCredits(tx, { ownerId, key, upToCredits: 1_000, now, ...gift }));

    it('raises the balance to the given number', async () => {
      await grant(400);

      expect(await topUp('month:1')).toEqual({ grantedCredits: 600 });
      expect(await readWallet()).toEqual({ balance: 1_000, held: 0 });
    });

    it('never lowers the balance, and writes no entry when there is nothing to add', async () => {
      await grant(5_000);

      expect(await topUp('month:1')).toEqual({ grantedCredits: 0 });
      expect(await readWallet()).toEqual({ balance: 5_000, held: 0 });
      expect(await readEntries()).toHaveLength(1);
    });

    it('grants nothing to a wallet that has exactly the given number', async () => {
      await grant(1_000);

      expect(await topUp('month:1')).toEqual({ grantedCredits: 0 });
      expect(await readEntries()).toHaveLength(1);
    });

    it('ignores bought credits that are left', async () => {
      await grant(400);
      await buy(5_000);

      expect(await topUp('month:1')).toEqual({ grantedCredits: 600 });
      expect(await readWallet()).toEqual({ balance: 6_000, held: 0 });
    });

    it('counts credits on hold as part of the balance, so that a hold gains nothing', async () => {
      await grant(1_000);
      await hold('list:1', 900);

      expect(await topUp('month:1')).toEqual({ grantedCredits: 0 });
    });
  });

  describe('noteWithoutCredits', () => {
    const note = (key: `${string}:${string}`) =>
      inTransaction((tx) => noteWithoutCredits(tx, { ownerId, key, now, ...gift }));

    it('writes one entry of 0 per key', async () => {
      await grant(100);
      await note('note:1');
      await note('note:1');

      expect(await readWallet()).toEqual({ balance: 100, held: 0 });
      expect((await readEntries()).slice(1)).toEqual([{ entry_number: 2, amount: 0, balance_after: 100 }]);
    });

    it('writes one entry in concurrent calls', async () => {
      await atTheSameMoment(3, () => note('note:1'));

      expect(await readEntries()).toHaveLength(1);
    });

    it('refuses a key of a settled hold', async () => {
      await expect(note('capture:list:1')).rejects.toThrow(/settled holds/);
    });
  });

  describe('takeBackCredits', () => {
    const takeBack = (upToCredits: number, key: `refund:${string}` = `refund:${randomUUID()}`) =>
      inTransaction((tx) => takeBackCredits(tx, { ownerId, key, upToCredits, now, ...refund }));

    it('takes credits with one entry', async () => {
      await buy(1_000);

      expect(await takeBack(400)).toEqual({ takenCredits: 400, heldCredits: 0 });
      expect(await readWallet()).toEqual({ balance: 600, held: 0 });
      expect((await readEntries()).at(-1)).toEqual({ entry_number: 2, amount: -400, balance_after: 600 });
    });

    it('takes at most the credits that are neither spent nor on hold', async () => {
      await buy(1_000);
      await hold('list:1', 700);

      expect(await takeBack(400)).toEqual({ takenCredits: 300, heldCredits: 100 });
      expect(await readWallet()).toEqual({ balance: 700, held: 700 });
    });

    it('takes once per key, also when the first call could take nothing', async () => {
      expect(await takeBack(400, 'refund:1')).toMatchObject({ takenCredits: 0 });
      await buy(1_000);

      expect(await takeBack(400, 'refund:1')).toMatchObject({ takenCredits: 0 });
      expect(await readWallet()).toEqual({ balance: 1_000, held: 0 });
    });

    it('takes once in concurrent calls', async () => {
      await buy(1_000);

      const outcomes = await atTheSameMoment(5, () => takeBack(100, 'refund:once'));

      expect(outcomes.reduce((sum, outcome) => sum + outcome.takenCredits, 0)).toBe(100);
      expect(await readWallet()).toEqual({ balance: 900, held: 0 });
    });

    it('refuses a negative or fractional amount, and a key of a settled hold', async () => {
      await expect(takeBack(-1)).rejects.toThrow(/at least 0/);
      await expect(takeBack(1.5)).rejects.toThrow(/whole number/);
      await expect(
        inTransaction((tx) =>
          takeBackCredits(tx, { ownerId, key: 'capture:list:1', upToCredits: 1, now, ...refund }),
        ),
      ).rejects.toThrow(/settled holds/);
    });
  });

  it('takeBackCredits takes bought credits only', async () => {
    await buy(300);
    await grant(1_000);

    const taken = await inTransaction((tx) =>
      takeBackCredits(tx, { ownerId, key: 'refund:1', upToCredits: 400, now, ...refund }),
    );

    expect(taken).toMatchObject({ takenCredits: 300 });
    expect(await readWallet()).toEqual({ balance: 1_000, held: 0 });
  });

  describe('returnCredits', () => {
    const takeBack = (upToCredits: number) =>
      inTransaction((tx) => takeBackCredits(tx, { ownerId, key: 'refund:1', upToCredits, now, ...refund }));
    const giveBack = () =>
      inTransaction((tx) => returnCredits(tx, { ownerId, key: 'refund:1', now, ...refund }));

    it('gives back what was taken, once, also in concurrent calls', async () => {
      await buy(1_000);
      await hold('list:1', 700);
      await takeBack(400);

      const outcomes = await atTheSameMoment(5, giveBack);

      expect(outcomes.reduce((sum, outcome) => sum + outcome.grantedCredits, 0)).toBe(300);
      expect(await readWallet()).toEqual({ balance: 1_000, held: 700 });
    });

    it('gives back what was taken later under the same key too, and nothing of a key that only begins alike', async () => {
      await buy(1_000);
      await takeBack(100);
      const takeLater = (key: `refund:${string}`, upToCredits: number) =>
        inTransaction((tx) => takeBackCredits(tx, { ownerId, key, upToCredits, now, ...refund }));
      await takeLater(laterKey('refund:1', 'list:1'), 50);
      await takeLater(laterKey('refund:10', 'list:1'), 7);
      await takeLater('refund:1:other', 9);

      expect(await giveBack()).toEqual({ grantedCredits: 150 });
      expect(await readWallet()).toEqual({ balance: 984, held: 0 });
    });

    it('gives nothing back when nothing was taken, and blocks a later take', async () => {
      await buy(1_000);

      expect(await giveBack()).toEqual({ grantedCredits: 0 });
      expect(await takeBack(400)).toMatchObject({ takenCredits: 0 });
      expect(await readWallet()).toEqual({ balance: 1_000, held: 0 });
    });
  });

  describe('placeHold', () => {
    it('reserves credits without spending them', async () => {
      await grant(100);

      expect(await hold('list:1', 60)).toEqual({ placed: true });
      expect(await readWallet()).toEqual({ balance: 100, held: 60 });
      expect(await readEntries()).toHaveLength(1);
    });

    it('refuses more than the available credits, and returns those', async () => {
      await grant(100);
      await hold('list:1', 60);

      expect(await hold('list:2', 41)).toEqual({ placed: false, availableCredits: 40 });
      expect(await hold('list:3', 40)).toEqual({ placed: true });
      expect(await readWallet()).toEqual({ balance: 100, held: 100 });
    });

    it('lets exactly 100 of 1,000 concurrent holds through when there are credits for 100', async () => {
      await grant(100);

      const outcomes = await Promise.all(
        Array.from({ length: 1_000 }, (_, index) => hold(`single:${index}`, 1)),
      );

      expect(outcomes.filter((outcome) => outcome.placed)).toHaveLength(100);
      expect(await readWallet()).toEqual({ balance: 100, held: 100 });
    });

    it('returns the credits that are left when a concurrent hold was first', async () => {
      await grant(100);

      const outcomes = await atTheSameMoment(2, () => hold(`list:${randomUUID()}`, 60));

      expect(outcomes).toContainEqual({ placed: true });
      expect(outcomes).toContainEqual({ placed: false, availableCredits: 40 });
    });

    it('refuses at once when credits are short, also while another transaction locks the wallet', async () => {
      await grant(10);
      const other = await database.db.startTransaction().execute();
      try {
        await placeHold(other as unknown as Tx, { ownerId, reference: 'list:slow', credits: 1, now });

        const outcome = await inTransaction(async (tx) => {
          await sql`set local lock_timeout = 1`.execute(tx);
          return placeHold(tx, { ownerId, reference: 'list:dear', credits: 11, now });
        });

        expect(outcome).toEqual({ placed: false, availableCredits: 10 });
      } finally {
        await other.rollback().execute();
      }
    });

    it('refuses an owner without a wallet', async () => {
      const nobody = { ownerId: randomUUID(), reference: 'list:1', credits: 1, now } as const;

      await expect(inTransaction((tx) => placeHold(tx, nobody))).rejects.toThrow(/has no wallet/);
    });

    it('leaves nothing behind when its transaction fails', async () => {
      await grant(100);
      const crash = inTransaction(async (tx) => {
        await placeHold(tx, { ownerId, reference: 'list:1', credits: 60, now });
        throw new Error('the process dies here');
      });

      await expect(crash).rejects.toThrow('the process dies here');
      expect(await readWallet()).toEqual({ balance: 100, held: 0 });
      expect(await hold('list:1', 100)).toEqual({ placed: true });
    });

    it('throws for a second hold on the same reference', async () => {
      await grant(100);
      await hold('list:1', 10);

      await expect(hold('list:1', 10)).rejects.toThrow(/holds_pkey/);
      expect(await readWallet()).toEqual({ balance: 100, held: 10 });
    });
  });

  describe('placeHolds', () => {
    it('reserves credits for all of the works', async () => {
      await grant(10);

      expect(await holdSingles(10)).toEqual({ placed: true });
      expect(await readWallet()).toEqual({ balance: 10, held: 10 });
    });

    it('reserves nothing when the credits do not cover all of them', async () => {
      await grant(10);

      expect(await holdSingles(11)).toEqual({ placed: false, availableCredits: 10 });
      expect(await readWallet()).toEqual({ balance: 10, held: 0 });
      expect(await holdSingles(10)).toEqual({ placed: true });
    });

    it('lets exactly as many groups through at the same moment as there are credits for', async () => {
      await grant(25);

      const outcomes = await atTheSameMoment(4, () => holdSingles(10));

      expect(outcomes.filter((outcome) => outcome.placed)).toHaveLength(2);
      expect(await readWallet()).toEqual({ balance: 25, held: 20 });
    });
  });

  describe('captureHolds', () => {
    const captureAll = (...works: (readonly [HoldReference, number])[]) =>
      inTransaction((tx) =>
        captureHolds(tx, {
          ownerId,
          works: works.map(([reference, dueCredits]) => ({ reference, dueCredits })),
          now,
          ...work,
        }),
      );
    beforeEach(async () => {
      await grant(100);
      for (const name of ['1', '2', '3']) await hold(`single:${name}`, 10);
    });

    it('writes one entry for each hold, with a balance that adds up from row to row', async () => {
      await captureAll(['single:2', 10], ['single:1', 4], ['single:3', 0]);

      expect(await readWallet()).toEqual({ balance: 86, held: 0 });
      expect((await readEntries()).slice(1)).toEqual([
        { entry_number: 2, amount: -4, balance_after: 96 },
        { entry_number: 3, amount: -10, balance_after: 86 },
        { entry_number: 4, amount: 0, balance_after: 86 },
      ]);
    });

    it('changes nothing for those that were settled before, and answers in the order of the works', async () => {
      await capture('single:2', 7);

      expect(await captureAll(['single:1', 10], ['single:2', 10], ['single:3', 10])).toEqual([
        { status: 'captured', capturedCredits: 10, isFirst: true },
        { status: 'captured', capturedCredits: 7, isFirst: false },
        { status: 'captured', capturedCredits: 10, isFirst: true },
      ]);
      expect(await readWallet()).toEqual({ balance: 73, held: 0 });
      expect(await readEntries()).toHaveLength(4);
    });

    it('settles each hold once when groups that overlap come at the same moment', async () => {
      const groups = await atTheSameMoment(5, () => captureAll(['single:1', 10], ['single:2', 10]));

      expect(groups.flat().filter(({ isFirst }) => isFirst)).toHaveLength(2);
      expect(await readWallet()).toEqual({ balance: 80, held: 10 });
    });

    it('counts the bought credits that are left after all of them', async () => {
      await buy(5);
      const boughtOf = async () => {
        const { rows } = await database.pool.query('select bought::int from wallets where owner_id = $1', [
          ownerId,
        ]);
        return rows[0];
      };
      expect(await boughtOf()).toMatchObject({ bought: 5 });
      await hold('single:rest', 73);

      await captureAll(['single:rest', 73], ['single:1', 10], ['single:2', 10], ['single:3', 10]);

      expect(await readWallet()).toEqual({ balance: 2, held: 0 });
      expect(await boughtOf()).toMatchObject({ bought: 2 });
    });

    it('settles none when one of them has no hold', async () => {
      await expect(captureAll(['single:1', 10], ['single:none', 10])).rejects.toThrow(/has no hold/);
      expect(await readWallet()).toEqual({ balance: 100, held: 30 });
    });
  });

  describe('captureHold', () => {
    beforeEach(async () => {
      await grant(100);
      await hold('list:1', 60);
    });

    it('takes what is due, gives the rest back and writes one entry', async () => {
      expect(await capture('list:1', 45)).toEqual({ status: 'captured', capturedCredits: 45, isFirst: true });

      expect(await readWallet()).toEqual({ balance: 55, held: 0 });
      expect(await readEntries()).toEqual([
        { entry_number: 1, amount: 100, balance_after: 100 },
        { entry_number: 2, amount: -45, balance_after: 55 },
      ]);
    });

    it('settles once in concurrent calls', async () => {
      const settlements = await atTheSameMoment(5, () => capture('list:1', 45));

      expect(settlements.filter((settlement) => settlement.isFirst)).toHaveLength(1);
      expect(await readWallet()).toEqual({ balance: 55, held: 0 });
      expect(await readEntries()).toHaveLength(2);
    });

    it('keeps the first settlement when a later call has another amount', async () => {
      await capture('list:1', 45);

      expect(await capture('list:1', 60)).toEqual({
        status: 'captured',
        capturedCredits: 45,
        isFirst: false,
      });
      expect(await release('list:1')).toEqual({ status: 'captured', capturedCredits: 45, isFirst: false });
      expect(await readWallet()).toEqual({ balance: 55, held: 0 });
    });

    it('§1 Results of unknown type are not charged: writes an entry of 0 when nothing is due', async () => {
      await capture('list:1', 0);

      expect(await readWallet()).toEqual({ balance: 100, held: 0 });
      expect((await readEntries()).at(-1)).toEqual({ entry_number: 2, amount: 0, balance_after: 100 });
    });

    it('refuses to take more than was held', async () => {
      await expect(capture('list:1', 61)).rejects.toThrow(/check constraint/);
      expect(await readWallet()).toEqual({ balance: 100, held: 60 });
    });

    it('refuses a hold that does not exist', async () => {
      await expect(capture('list:2', 1)).rejects.toThrow(/no hold list:2/);
    });
  });

  describe('releaseHold', () => {
    it('gives all credits back, once, without an entry', async () => {
      await grant(100);
      await hold('list:1', 60);

      const settlements = await atTheSameMoment(5, () => release('list:1'));

      expect(settlements.filter((settlement) => settlement.isFirst)).toHaveLength(1);
      expect(await readWallet()).toEqual({ balance: 100, held: 0 });
      expect(await readEntries()).toHaveLength(1);
      expect(await capture('list:1', 60)).toEqual({ status: 'released', capturedCredits: 0, isFirst: false });
    });
  });

  describe('credits that disputed payments claim', () => {
    const dispute = (disputeId: string, claimed: number) =>
      database.pool.query(
        `insert into payment_disputes (owner_id, dispute_id, invoice_id, frozen, claimed, status, opened_at)
         values ($1, $2, 'in_1', 0, $3, 'open', $4)`,
        [ownerId, disputeId, claimed, now],
      );
    const copyClaims = () => inTransaction((tx) => copyClaimedCredits(tx, ownerId));
    const readClaimed = async () =>
      (await database.pool.query('select claimed from wallets where owner_id = $1', [ownerId])).rows[0]
        .claimed;

    it('are copied to the wallet as the sum of all disputes', async () => {
      await dispute('du_1', 30);
      await dispute('du_2', 12);
      await copyClaims();
      expect(await readClaimed()).toBe(42);

      await database.pool.query('update payment_disputes set claimed = 0 where owner_id = $1', [ownerId]);
      await copyClaims();
      expect(await readClaimed()).toBe(0);
    });

    it.each([
      ['captured', () => capture('list:1', 60), 40],
      ['released', () => release('list:1'), 100],
    ] as const)(
      'a %s hold tells what it gave back, and since when it was held',
      async (_, settle, credits) => {
        await buy(1_000);
        await hold('list:1', 100);
        await dispute('du_1', 30);
        await copyClaims();

        expect(await settle()).toMatchObject({ isFirst: true, claimed: { credits, placedAt: now } });
        // Only the call that gave something back tells it.
        expect((await settle()).claimed).toBeUndefined();
      },
    );

    it('without a claim a settled hold tells nothing', async () => {
      await grant(1_000);
      await hold('list:1', 100);
      await hold('list:2', 100);

      expect((await capture('list:1', 60)).claimed).toBeUndefined();
      expect((await release('list:2')).claimed).toBeUndefined();
    });
  });

  describe('the database itself', () => {
    beforeEach(() => grant(100));

    it.each([
      'update ledger_entries set amount = 1',
      'delete from ledger_entries',
      'truncate ledger_entries cascade',
    ])('refuses to change what was written: %s', async (statement) => {
      await expect(database.pool.query(statement)).rejects.toThrow(/never changed or removed/);
    });

    it.each([
      'update wallets set balance = balance - 101',
      'update wallets set held = held - 1',
      'update wallets set held = held + 101',
    ])('refuses a wallet below zero: %s', async (statement) => {
      await expect(database.pool.query(`${statement} where owner_id = $1`, [ownerId])).rejects.toThrow(
        /check constraint/,
      );
    });
  });
});
