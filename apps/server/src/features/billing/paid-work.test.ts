import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db, Tx } from '../../platform/database/database.ts';
import { EVENTS_CHANNEL } from '../../platform/events/publish.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { grantCredits, type WorkKind } from './credit-ledger.store.ts';
import { type PayingKey, readDailyKeyCredits } from './key-usage.store.ts';
import { paidWork } from './paid-work.ts';
import { insertCustomer } from './testing/accounts.ts';

const now = new Date('2026-03-01T12:00:00Z');

describe('paid work', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());

  const inTransaction = <Result>(run: (tx: Tx) => Promise<Result>) => database.db.transaction().execute(run);

  /** A piece of work of a customer with these credits. */
  async function workOf({
    kind = 'list' as WorkKind,
    credits = 100,
    apiKey = undefined as PayingKey | undefined,
  } = {}) {
    const ownerId = await inTransaction(async (tx) => {
      const id = await insertCustomer(tx, now);
      const text = { category: 'GRANT', source: 'SUPPORT', description: 'A gift' } as const;
      await grantCredits(tx, { ownerId: id, key: 'gift:test', credits, now, ...text });
      if (apiKey) {
        await sql`
          insert into scoped_api_keys
            (id, owner_id, name, mode, scopes, monthly_credit_limit, allowed_networks, key_hash, ending, created_at)
          values (${apiKey.id}, ${id}, 'Shop', 'live', array['verify'], ${apiKey.monthlyCreditLimit}, array[]::text[],
            ${apiKey.id}, 'abcd', ${now})`.execute(tx);
      }
      return id;
    });
    const work = paidWork({ kind, ownerId, id: randomUUID(), apiKey });
    return {
      ownerId,
      requireCredits: (required: number) => work.requireCredits(database.db, required, now),
      hold: (held: number) => inTransaction((tx) => work.hold(tx, held, now)),
      settle: (due: number) => inTransaction((tx) => work.settle(tx, due, now)),
      stop: (due: number) => inTransaction((tx) => work.stop(tx, due, now)),
      release: () => inTransaction((tx) => work.release(tx, now)),
      wallet: () =>
        database.db
          .selectFrom('wallets')
          .select(['balance', 'held'])
          .where('owner_id', '=', ownerId)
          .executeTakeFirstOrThrow(),
      entry: () =>
        database.db
          .selectFrom('ledger_entries')
          .select(['category', 'source', 'description', 'amount'])
          .where('owner_id', '=', ownerId)
          .where('key', 'like', 'capture:%')
          .executeTakeFirst(),
    };
  }

  it('holds its full cost while it runs', async () => {
    const work = await workOf({ credits: 100 });

    await work.hold(30);

    expect(await work.wallet()).toEqual({ balance: 100, held: 30 });
  });

  it('holds everything that the customer has', async () => {
    const work = await workOf({ credits: 30 });

    await work.requireCredits(30);
    await work.hold(30);

    expect(await work.wallet()).toEqual({ balance: 30, held: 30 });
  });

  it.each(['hold', 'requireCredits'] as const)(
    '402 from %s with the missing credits when the balance does not cover the cost',
    async (step) => {
      const work = await workOf({ credits: 30 });

      await expect(work[step](34)).rejects.toMatchObject({
        code: 'insufficient_credits',
        message:
          'Your balance does not cover this: it needs 34 credits, and you have 30. Buy credits, then try again.',
        meta: { short_by: 4 },
      });
      expect(await work.wallet()).toEqual({ balance: 30, held: 0 });
    },
  );

  it('does not count credits that other work holds', async () => {
    const work = await workOf({ credits: 30 });
    await inTransaction((tx) =>
      paidWork({ kind: 'single', ownerId: work.ownerId, id: randomUUID() }).hold(tx, 10, now),
    );

    await expect(work.requireCredits(21)).rejects.toMatchObject({ meta: { short_by: 1 } });
  });

  it.each([
    ['single', { category: 'VERIFICATION', source: 'SINGLE', description: 'Single verification' }],
    ['list', { category: 'VERIFICATION', source: 'LIST', description: 'List verification' }],
    ['guess', { category: 'GUESSING', source: 'SINGLE', description: 'Email guess' }],
    ['guess-list', { category: 'GUESSING', source: 'LIST', description: 'Guessed list' }],
  ] as const)(
    'a settled %s takes what was due, gives the rest back and writes its entry',
    async (kind, text) => {
      const work = await workOf({ kind, credits: 100 });
      await work.hold(30);

      await work.settle(20);

      expect(await work.wallet()).toEqual({ balance: 80, held: 0 });
      expect(await work.entry()).toEqual({ ...text, amount: -20 });
    },
  );

  it('stopped work takes what was due and is called stopped in the history', async () => {
    const work = await workOf({ kind: 'list', credits: 100 });
    await work.hold(30);

    await work.stop(5);

    expect(await work.wallet()).toEqual({ balance: 95, held: 0 });
    expect(await work.entry()).toMatchObject({ description: 'List verification, stopped', amount: -5 });
  });

  it('released work gives everything back and writes no entry', async () => {
    const work = await workOf({ credits: 100 });
    await work.hold(30);

    await work.release();

    expect(await work.wallet()).toEqual({ balance: 100, held: 0 });
    expect(await work.entry()).toBeUndefined();
  });

  it.each(['hold', 'settle', 'stop'] as const)('%s reloads the open billing pages', async (step) => {
    const work = await workOf();
    if (step !== 'hold') await work.hold(10);
    const listener = await database.pool.connect();
    const received: unknown[] = [];
    listener.on('notification', ({ payload }) => received.push(JSON.parse(payload ?? '')));
    await listener.query(`listen ${EVENTS_CHANNEL}`);

    await work[step](10);

    await expect
      .poll(() => received)
      .toEqual([{ user_id: work.ownerId, event: { event_type: 'refresh_billing', event_metadata: {} } }]);
    await listener.query('unlisten *');
    listener.release(true);
  });

  describe('of a scoped API key', () => {
    const keyWith = (monthlyCreditLimit: number | null): PayingKey => ({
      id: randomUUID(),
      isScoped: true,
      isTest: false,
      monthlyCreditLimit,
    });
    const usageOf = async (ownerId: string, { id }: PayingKey) =>
      Object.fromEntries(await readDailyKeyCredits(database.db, { ownerId, id }, '2026-01-01'));

    it.each([
      ['settled', 12],
      ['stopped', 12],
      ['released', 0],
    ] as const)(
      'counts against its limit what it holds, and in the end what it cost: %s',
      async (end, cost) => {
        const apiKey = keyWith(30);
        const work = await workOf({ apiKey });
        await work.hold(30);
        expect(await usageOf(work.ownerId, apiKey)).toEqual({ '2026-03-01': 30 });

        const finish = {
          settled: () => work.settle(12),
          stopped: () => work.stop(12),
          released: work.release,
        };
        await finish[end]();
        await finish[end]();

        expect(await usageOf(work.ownerId, apiKey)).toEqual({ '2026-03-01': cost });
        expect(await work.wallet()).toEqual({ balance: 100 - cost, held: 0 });
      },
    );

    it('is refused above the limit and leaves no trace', async () => {
      const apiKey = keyWith(30);
      const work = await workOf({ apiKey });

      const refusal = { code: 'api_key_limit_reached', meta: { limit: 30, used: 0, short_by: 1 } };
      await expect(work.requireCredits(31)).rejects.toMatchObject(refusal);
      await expect(work.hold(31)).rejects.toMatchObject(refusal);

      expect(await work.wallet()).toEqual({ balance: 100, held: 0 });
      expect(await usageOf(work.ownerId, apiKey)).toEqual({});
      await work.requireCredits(30);
    });

    it('is refused for a test key', async () => {
      await expect(workOf({ apiKey: { ...keyWith(null), isTest: true } })).rejects.toMatchObject({
        code: 'test_key_not_accepted',
      });
    });
  });

  it('in the sandbox is free: no query, no credits', async () => {
    const work = paidWork({ kind: 'list', ownerId: randomUUID(), id: randomUUID(), isSandbox: true });
    const noDatabase = {} as Db & Tx;

    await work.requireCredits(noDatabase, 10, now);
    await work.hold(noDatabase, 10, now);
    await work.settle(noDatabase, 10, now);
    await work.stop(noDatabase, 10, now);
    await work.release(noDatabase, now);
  });
});
