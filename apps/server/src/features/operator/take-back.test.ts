import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { movableClock } from '../../testing/clock.ts';
import { auditLedger, grantCredits } from '../billing/index.ts';
import { addOperator } from './index.ts';

const clock = movableClock(new Date());
let api: TestApi;
let operator: { token: string; id: string };

const signUp = async () => {
  const token = await api.tokenFor();
  const { id } = (await api.call('GET', '/users/me', { token })).json();
  return { token, id: id as string };
};
beforeAll(async () => {
  api = await startTestApi({ clock });
  operator = await signUp();
  const order = { actorId: null, reason: 'A test' };
  await addOperator({ db: api.database.db, clock }, order, { userId: operator.id, role: 'admin' });
});
afterAll(() => api.close());

const grant = (customerId: string, credits: number) =>
  api.call('POST', `/operator/customers/${customerId}/credits`, {
    token: operator.token,
    body: { credits, key: randomUUID(), reason: 'For the trouble' },
  });
const takeBack = async (customerId: string, entry: number, reason = 'Granted by mistake') => {
  const answer = await api.call('POST', `/operator/customers/${customerId}/transactions/${entry}/take-back`, {
    token: operator.token,
    body: { reason },
  });
  return answer.statusCode === 200 ? answer.json() : answer.json().errors[0].code;
};
const buy = (ownerId: string, credits: number) =>
  api.database.db.transaction().execute((tx) =>
    grantCredits(tx, {
      ownerId,
      key: `test:${randomUUID()}`,
      credits,
      category: 'PACK',
      source: 'CHECKOUT',
      description: 'A pack',
      now: clock.now(),
    }),
  );
const startList = async (token: string, rows: number) => {
  const emails = Array.from({ length: rows }, (_, place) => `person${place}@exists.test`);
  const { id } = (
    await api.call('POST', '/validations/lists', { token, body: { name: 'Spring', emails } })
  ).json();
  clock.advance({ seconds: 1 });
  return id as string;
};
/** Credits that the customer spends, by work that ends at its full price. */
const spend = async (
  ownerId: string,
  credits: number,
  client: pg.ClientBase | pg.Pool = api.database.pool,
) => {
  const { rows } = await client.query(
    `with wallet as (update wallets set balance = balance - $2, entry_count = entry_count + 1 where owner_id = $1
       returning entry_count, balance)
     insert into ledger_entries (owner_id, entry_number, key, category, source, description, amount, balance_after, created_at)
     select $1, entry_count, 'test:' || entry_count, 'VERIFICATION', 'LIST', 'Spent', -$2, balance, now() from wallet
     returning entry_number`,
    [ownerId, credits],
  );
  return rows[0].entry_number as number;
};
const historyOf = async (token: string) =>
  (await api.call('GET', '/billing/me/transactions', { token })).json().results as {
    amount: number;
    category: string;
    description: string;
  }[];
const disagreements = () => Array.fromAsync(auditLedger(api.database.db));
const takeActionsOf = async (customerId: string) =>
  (await api.call('GET', `/operator/actions?customer_id=${customerId}`, { token: operator.token }))
    .json()
    .results.filter(({ kind }: { kind: string }) => kind === 'customer.credits_taken');

it('takes back what is left, once, with an entry that says why; 16 at once take it once', async () => {
  const { token, id } = await signUp();
  await grant(id, 500);

  const answers = await Promise.all(Array.from({ length: 16 }, () => takeBack(id, 2)));

  expect(answers).toEqual(Array(16).fill({ taken: 500, claimed: 0, balance: 1_000 }));
  expect(await historyOf(token)).toMatchObject([
    { amount: -500, category: 'ADJUSTMENT', description: 'Granted credits taken back: Granted by mistake' },
    { amount: 500 },
    { amount: 1_000 },
  ]);
  expect(await takeActionsOf(id)).toMatchObject([
    {
      actor_id: operator.id,
      reason: 'Granted by mistake',
      about: '500 credits of entry 2, 0 more when work gives them back',
    },
  ]);
  expect(await disagreements()).toEqual([]);
});

it('leaves credits that were bought or given otherwise: spending counts against the grant before bought ones', async () => {
  const { id } = await signUp();
  await buy(id, 2_000);
  await grant(id, 500);
  await spend(id, 1_300);
  // 1,500 credits were not bought; 200 of them are left, and what comes later is no part of the grant.
  await grant(id, 700);

  expect(await takeBack(id, 3)).toEqual({ taken: 200, claimed: 0, balance: 2_700 });
  expect(await takeBack(id, 5)).toEqual({ taken: 700, claimed: 0, balance: 2_000 });
  const { rows } = await api.database.pool.query('select bought from wallets where owner_id = $1', [id]);
  expect(rows[0].bought, 'bought credits').toBe(2_000);
  expect(await disagreements()).toEqual([]);
});

it('counts what is spent while it waits for the wallet, and reads the history before that', async () => {
  const { id } = await signUp();
  await buy(id, 2_000);
  await grant(id, 500);
  const other = await api.database.pool.connect();
  await other.query('begin');
  await other.query('select from wallets where owner_id = $1 for update', [id]);

  const taking = takeBack(id, 3);
  const waiting = () =>
    other.query(
      `select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
  await expect.poll(async () => (await waiting()).rows).toHaveLength(1);
  const { rows } = await other.query(
    `select count(*)::int as reads from pg_locks join pg_class on pg_class.oid = relation
     where relname = 'ledger_entries' and pid in
       (select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')`,
  );
  await spend(id, 1_300, other);
  // What comes after that is no part of the grant.
  await spend(id, -700, other);
  await other.query('commit');
  other.release();

  // A transaction keeps the lock of a table that it has read.
  expect(rows[0].reads, 'the history was read before the wallet').toBe(1);
  expect(await taking).toEqual({ taken: 200, claimed: 0, balance: 2_700 });
  expect(await disagreements()).toEqual([]);
});

it('claims credits on hold: what their work gives back is taken when it ends', async () => {
  const { token, id } = await signUp();
  await grant(id, 500);
  const listId = await startList(token, 1_200);
  expect(await takeBack(id, 2)).toEqual({ taken: 300, claimed: 200, balance: 0 });

  expect((await api.call('DELETE', `/validations/lists/${listId}`, { token })).statusCode).toBe(204);

  expect((await historyOf(token)).slice(0, 2)).toMatchObject([
    { amount: -200, category: 'ADJUSTMENT', description: 'Granted credits taken back, given back by work' },
    { amount: 0 },
  ]);
  expect((await api.call('GET', '/billing/me', { token })).json().balance).toBe(1_000);
  expect(await takeBack(id, 2), 'again').toEqual({ taken: 500, claimed: 0, balance: 1_000 });
  expect(await disagreements()).toEqual([]);
});

it('409 grant_spent if nothing is left; 404 for an entry that is no grant of an operator, or of nobody', async () => {
  const { id } = await signUp();
  await grant(id, 500);
  const spent = await spend(id, 1_500);

  expect(await takeBack(id, 2)).toBe('grant_spent');
  for (const entry of [1, spent, 99])
    expect([entry, await takeBack(id, entry)]).toEqual([entry, 'grant_not_found']);
  expect(await takeBack(randomUUID(), 2)).toBe('customer_not_found');
  expect(await takeBack(id, 2, ' ')).toBe('invalid_request');
  expect(await takeActionsOf(id)).toEqual([]);
});
