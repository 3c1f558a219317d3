import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tx } from '../../platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import './billing.tables.ts';
import {
  captureHold,
  captureHolds,
  type EntryText,
  grantCredits,
  openWallet,
  placeHold,
  placeHolds,
  releaseHold,
  takeBackCredits,
  topUpCredits,
} from './credit-ledger.store.ts';
import { auditLedger } from './ledger-audit.store.ts';

const now = new Date('2026-03-01T12:00:00Z');
const text: EntryText = { category: 'ADJUSTMENT', source: 'SUPPORT', description: 'A step of a test' };

// Few references and few keys, so that steps collide: a repeated grant, a second settlement, a hold never placed.
const credits = fc.integer({ min: 1, max: 60 });
const work = fc.integer({ min: 0, max: 5 });
const works = fc.uniqueArray(work, { minLength: 1, maxLength: 4 });
const step = fc.oneof(
  fc.record({ kind: fc.constant('grant' as const), key: fc.integer({ min: 0, max: 5 }), credits }),
  fc.record({ kind: fc.constant('topUp' as const), key: fc.integer({ min: 0, max: 5 }), credits }),
  fc.record({ kind: fc.constant('buy' as const), key: fc.integer({ min: 0, max: 5 }), credits }),
  fc.record({ kind: fc.constant('takeBack' as const), key: fc.integer({ min: 0, max: 5 }), credits }),
  fc.record({ kind: fc.constant('hold' as const), work, credits }),
  fc.record({ kind: fc.constant('capture' as const), work, share: fc.integer({ min: 0, max: 100 }) }),
  fc.record({ kind: fc.constant('holdAll' as const), works, credits }),
  fc.record({ kind: fc.constant('captureAll' as const), works, share: fc.integer({ min: 0, max: 100 }) }),
  fc.record({ kind: fc.constant('release' as const), work }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** A simple model of the ledger. */
class Model {
  balance = 0;
  /** As many bought credits as can be left. */
  bought = 0;
  entryCount = 0;
  readonly keys = new Set<string>();
  readonly holds = new Map<number, { credits: number; settled: boolean }>();

  get held() {
    return [...this.holds.values()].reduce((sum, hold) => sum + (hold.settled ? 0 : hold.credits), 0);
  }

  apply(one: Step): void {
    if (one.kind === 'grant') this.grant(`grant:${one.key}`, one.credits);
    if (one.kind === 'topUp') this.grant(`topUp:${one.key}`, one.credits - (this.balance - this.bought));
    if (one.kind === 'buy' && this.grant(`buy:${one.key}`, one.credits)) this.bought += one.credits;
    if (one.kind === 'takeBack') this.takeBack(`takeBack:${one.key}`, one.credits);
    if (one.kind === 'hold') this.hold([one.work], one.credits);
    if (one.kind === 'holdAll') this.hold(one.works, one.credits);
    if (one.kind === 'capture') this.settle(one.work, one.share);
    if (one.kind === 'captureAll' && one.works.every((name) => this.holds.has(name))) {
      for (const name of one.works) this.settle(name, one.share);
    }
    if (one.kind === 'release') this.settle(one.work, undefined);
  }

  private hold(names: readonly number[], creditsEach: number) {
    if (names.some((name) => this.holds.has(name))) return;
    if (this.balance - this.held < creditsEach * names.length) return;
    for (const name of names) this.holds.set(name, { credits: creditsEach, settled: false });
  }

  private grant(key: string, amount: number): boolean {
    if (amount <= 0 || this.keys.has(key)) return false;
    this.keys.add(key);
    this.balance += amount;
    this.entryCount += 1;
    return true;
  }

  private takeBack(key: string, upTo: number) {
    if (this.keys.has(key)) return;
    this.keys.add(key);
    const taken = Math.min(upTo, this.bought, this.balance - this.held);
    this.balance -= taken;
    this.bought -= taken;
    this.entryCount += 1;
  }

  private settle(name: number, share: number | undefined) {
    const hold = this.holds.get(name);
    if (!hold || hold.settled) return;
    hold.settled = true;
    if (share === undefined) return;
    this.balance -= dueOf(hold.credits, share);
    this.bought = Math.min(this.bought, this.balance);
    this.entryCount += 1;
  }
}

const dueOf = (held: number, share: number) => Math.floor((held * share) / 100);

describe('any sequence of grants, purchases, refunds, holds, captures and releases', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());

  const openCustomer = async () => {
    const ownerId = randomUUID();
    await database.db.transaction().execute((tx) => openWallet(tx, { ownerId, now }));
    return ownerId;
  };

  /** Accepts the expected refusals: a hold placed twice, one that was never placed, and holds settled in opposite orders. */
  const run = (ownerId: string, one: Step) =>
    database.db
      .transaction()
      .execute((tx) => act(tx, ownerId, one))
      .catch((error: Error) => {
        if (!/holds_pkey|has no hold|deadlock/.test(error.message)) throw error;
      });

  const act = async (tx: Tx, ownerId: string, one: Step): Promise<unknown> => {
    switch (one.kind) {
      case 'grant':
        return grantCredits(tx, { ownerId, key: `grant:${one.key}`, credits: one.credits, now, ...text });
      case 'topUp':
        return topUpCredits(tx, { ownerId, key: `topUp:${one.key}`, upToCredits: one.credits, now, ...text });
      case 'buy': {
        const key = `buy:${one.key}` as const;
        return grantCredits(tx, { ownerId, key, credits: one.credits, now, ...text, category: 'PACK' });
      }
      case 'takeBack': {
        const key = `takeBack:${one.key}` as const;
        return takeBackCredits(tx, {
          ownerId,
          key,
          upToCredits: one.credits,
          now,
          ...text,
          category: 'REFUND',
        });
      }
      case 'hold':
        return placeHold(tx, { ownerId, reference: `list:${one.work}`, credits: one.credits, now });
      case 'release':
        return releaseHold(tx, { ownerId, reference: `list:${one.work}`, now });
      case 'holdAll': {
        const references = one.works.map((name) => `list:${name}` as const);
        return placeHolds(tx, { ownerId, references, creditsEach: one.credits, now });
      }
      case 'capture': {
        const dueCredits = await dueFor(tx, ownerId, one.work, one.share);
        return captureHold(tx, { ownerId, reference: `list:${one.work}`, dueCredits, now, ...text });
      }
      case 'captureAll': {
        const due = [];
        for (const name of one.works) {
          const dueCredits = await dueFor(tx, ownerId, name, one.share);
          due.push({ reference: `list:${name}` as const, dueCredits });
        }
        return captureHolds(tx, { ownerId, works: due, now, ...text });
      }
    }
  };

  const dueFor = async (tx: Tx, ownerId: string, name: number, share: number): Promise<number> => {
    const held = await tx
      .selectFrom('holds')
      .select('amount')
      .where('owner_id', '=', ownerId)
      .where('reference', '=', `list:${name}`)
      .executeTakeFirst();
    return dueOf(held?.amount ?? 0, share);
  };

  const readWallet = (ownerId: string) =>
    database.db
      .selectFrom('wallets')
      .select(['balance', 'held', 'bought', 'entry_count'])
      .where('owner_id', '=', ownerId)
      .executeTakeFirstOrThrow();

  const expectBooksToAgree = async () => {
    const found = [];
    for await (const disagreement of auditLedger(database.db)) found.push(disagreement);
    expect(found).toEqual([]);
  };

  it('in sequence: the wallet equals the model', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const ownerId = await openCustomer();
        const model = new Model();
        for (const one of steps) {
          await run(ownerId, one);
          model.apply(one);
        }
        expect(await readWallet(ownerId)).toEqual({
          balance: model.balance,
          held: model.held,
          bought: model.bought,
          entry_count: model.entryCount,
        });
      }),
      { numRuns: 60 },
    );
    await expectBooksToAgree();
  });

  it('concurrently: the sums agree and nothing is negative', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 40 }), async (steps) => {
        const ownerId = await openCustomer();
        await Promise.all(steps.map((one) => run(ownerId, one)));

        const wallet = await readWallet(ownerId);
        expect(wallet.held).toBeGreaterThanOrEqual(0);
        expect(wallet.balance - wallet.held).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 60 },
    );
    await expectBooksToAgree();
  });
});
