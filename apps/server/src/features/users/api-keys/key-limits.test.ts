import { type KeyUsage, SCOPED_KEYS, type ScopedKey, type ScopedKeyWithToken } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import { movableClock } from '../../../testing/clock.ts';
import { auditLedger } from '../../billing/index.ts';

const clock = movableClock(new Date('2026-11-30T12:00:00Z'));
let api: TestApi;
let second: TestApi;
beforeAll(async () => {
  const env = { RATE_LIMIT_PER_CUSTOMER: '100000' };
  api = await startTestApi({ clock, env });
  second = await startTestApi({ clock, env, beside: api });
});
afterAll(async () => {
  await second.close();
  await api.close();
});

const path = '/users/api-keys/more';

/** A customer with 1,000 credits and one key with a monthly limit. */
async function customerWithKey(monthly_credit_limit: number | null) {
  const token = await api.tokenFor();
  const scopes = ['verify', 'read_results', 'manage_lists'];
  const body = { name: 'Shop', scopes, monthly_credit_limit };
  const { id, api_token } = (await api.call('POST', path, { token, body })).json<ScopedKeyWithToken>();
  const headers = { 'x-api-key': api_token };
  const of = (on: TestApi) => ({
    single: () =>
      on.call('POST', '/validations/email_validation', { headers, body: { email: 'jane@exists.test' } }),
    list: (length: number) => {
      const emails = Array.from({ length }, (_, number) => `jane${number}@exists.test`);
      return on.call('POST', '/validations/lists', { headers, body: { emails } });
    },
  });
  return {
    token,
    id,
    ...of(api),
    onSecond: of(second),
    remove: (what: string) => api.call('DELETE', `/validations/${what}`, { headers }),
    change: (changes: object) => api.call('PATCH', `${path}/${id}`, { token, body: changes }),
    monthCredits: async () => {
      const { results } = (await api.call('GET', path, { token })).json<{ results: ScopedKey[] }>();
      return results[0]?.month_credits;
    },
    usage: async () => (await api.call('GET', `${path}/${id}/usage`, { token })).json<KeyUsage>().results,
    available: async () => (await api.call('GET', '/billing/me', { token })).json().balance,
  };
}

const codesOf = (answers: { statusCode: number; json(): { errors?: { code: string }[] } }[]) =>
  answers.map((answer) => (answer.statusCode < 300 ? answer.statusCode : answer.json().errors?.[0]?.code));
const countOf = (codes: readonly unknown[], code: unknown) => codes.filter((one) => one === code).length;

/** The answer of a call whose hold waits for the wallet, while its key changes. */
async function whileHoldWaits<Answer>(
  keys: 'api_keys' | 'scoped_api_keys',
  keyId: string,
  begin: () => Promise<Answer>,
  change: string,
): Promise<Answer> {
  const wallet = await api.database.pool.connect();
  await wallet.query('begin');
  await wallet.query(
    `select 1 from wallets where owner_id = (select owner_id from ${keys} where id = $1) for update`,
    [keyId],
  );
  const call = begin();
  const isWaiting = async () =>
    (
      await api.database.pool.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
    ).rowCount;
  await expect.poll(isWaiting, { timeout: 30_000 }).toBeGreaterThan(0);
  await api.database.pool.query(change, [keyId]);
  await wallet.query('commit');
  wallet.release();
  return call;
}

it.each([
  ['a list', '/validations/lists', { emails: ['jane@exists.test', 'joe@exists.test'] }],
  ['a single check', '/validations/email_validation', { email: 'jane@exists.test' }],
])('refuses %s of the first key if it was deleted while the call was under way', async (_, route, body) => {
  const token = await api.tokenFor();
  const { id, api_token } = (await api.call('POST', '/users/api-keys', { token, body: {} })).json();
  const begin = () => api.call('POST', route, { headers: { 'x-api-key': api_token }, body });
  expect((await begin()).statusCode).toBe(201);
  const before = (await api.call('GET', '/billing/me', { token })).json();
  const call = await whileHoldWaits('api_keys', id, begin, 'delete from api_keys where id = $1');

  expect(codesOf([call])).toEqual(['unknown_api_key']);
  expect((await api.call('GET', '/billing/me', { token })).json()).toEqual(before);
});

describe('the monthly credit limit of a key', () => {
  it('is never overspent by fifty singles at once in two processes', async () => {
    const customer = await customerWithKey(20);

    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, turn) => (turn % 2 ? customer.single() : customer.onSecond.single())),
    );

    const codes = codesOf(answers);
    expect(countOf(codes, 201)).toBe(20);
    expect(countOf(codes, 'api_key_limit_reached')).toBe(30);
    expect(await customer.monthCredits()).toBe(20);
    expect(await customer.available()).toBe(980);
  });

  it('is never overspent by fifty lists and singles at once while others are deleted', async () => {
    const customer = await customerWithKey(100);
    const running = [];
    for (let count = 0; count < 5; count += 1) running.push((await customer.list(10)).json().id as string);

    const answers = await Promise.all([
      ...Array.from({ length: 25 }, () => customer.list(7)),
      ...Array.from({ length: 25 }, () => customer.onSecond.single()),
      ...running.map((id) => customer.remove(`lists/${id}`)),
    ]);

    const startedLists = countOf(codesOf(answers.slice(0, 25)), 201);
    const startedSingles = countOf(codesOf(answers.slice(25, 50)), 201);
    expect(codesOf(answers.slice(50))).toEqual(Array(5).fill(204));
    const held = startedLists * 7 + startedSingles;
    expect(held).toBeGreaterThan(0);
    expect(held).toBeLessThanOrEqual(100);
    expect(await customer.monthCredits()).toBe(held);
    expect(await customer.available()).toBe(1_000 - held);
  });

  it('402 for a list above it, with the numbers, and nothing is held', async () => {
    const customer = await customerWithKey(10);
    await customer.list(4);

    const answer = await customer.list(7);

    expect(answer.statusCode).toBe(402);
    expect(answer.json().errors[0]).toMatchObject({
      code: 'api_key_limit_reached',
      meta: { limit: 10, used: 4, short_by: 1 },
    });
    expect(await customer.monthCredits()).toBe(4);
    expect(await customer.available()).toBe(996);
    expect((await customer.list(6)).statusCode).toBe(201);
  });

  it('names the balance when that is what is missing', async () => {
    const customer = await customerWithKey(5_000);

    expect(codesOf([await customer.list(1_001)])).toEqual(['insufficient_credits']);
    expect(await customer.monthCredits()).toBe(0);
  });

  it('gets back what a stopped single or list did not cost', async () => {
    const customer = await customerWithKey(10);
    const single = (await customer.single()).json().id;
    const list = (await customer.list(9)).json().id;
    expect(codesOf([await customer.single()])).toEqual(['api_key_limit_reached']);

    await customer.remove(`email_validation/${single}`);
    await customer.remove(`lists/${list}`);

    expect(await customer.monthCredits()).toBe(0);
    expect((await customer.list(10)).statusCode).toBe(201);
  });

  it('counts the work of a month by its start in UTC, also when it is settled later', async () => {
    clock.set('2026-11-30T23:59:58Z');
    const customer = await customerWithKey(10);
    const list = (await customer.list(10)).json().id;
    clock.advance({ seconds: 1 });
    expect(codesOf([await customer.single()])).toEqual(['api_key_limit_reached']);

    clock.advance({ seconds: 1 });
    expect((await customer.list(3)).statusCode).toBe(201);
    await customer.remove(`lists/${list}`);

    expect(await customer.monthCredits()).toBe(3);
    const usage = await customer.usage();
    expect(usage).toHaveLength(SCOPED_KEYS.usageDays);
    expect(usage.slice(-2)).toEqual([
      { date: '2026-11-30', credits: 0 },
      { date: '2026-12-01', credits: 3 },
    ]);
  });

  it('can be raised, lowered and removed', async () => {
    const customer = await customerWithKey(1);
    await customer.single();
    expect(codesOf([await customer.single()])).toEqual(['api_key_limit_reached']);

    await customer.change({ monthly_credit_limit: 2 });
    expect((await customer.single()).statusCode).toBe(201);
    await customer.change({ monthly_credit_limit: 1 });
    expect((await customer.single()).json().errors[0].meta).toEqual({ limit: 1, used: 2, short_by: 2 });
    await customer.change({ monthly_credit_limit: null });
    expect((await customer.single()).statusCode).toBe(201);
    expect(await customer.monthCredits()).toBe(3);
  });

  it('of one key does not concern another key, nor the customer', async () => {
    const customer = await customerWithKey(1);
    const body = { name: 'Other', scopes: ['verify'] };
    const other = (await api.call('POST', path, { token: customer.token, body })).json().api_token;
    await customer.single();

    const email = { email: 'jane@exists.test' };
    for (const input of [{ headers: { 'x-api-key': other } }, { token: customer.token }]) {
      const answer = await api.call('POST', '/validations/email_validation', { ...input, body: email });
      expect(answer.statusCode).toBe(201);
    }
    expect(codesOf([await customer.single()])).toEqual(['api_key_limit_reached']);
  });

  it('work of a revoked key still settles', async () => {
    const customer = await customerWithKey(10);
    const list = (await customer.list(10)).json().id;
    await api.call('DELETE', `${path}/${customer.id}`, { token: customer.token });

    const removed = await api.call('DELETE', `/validations/lists/${list}`, { token: customer.token });

    expect(removed.statusCode).toBe(204);
    expect(await customer.available()).toBe(1_000);
  });

  it.each([
    ['was revoked', 'delete from scoped_api_keys where id = $1', 'unknown_api_key'],
    [
      'has expired',
      "update scoped_api_keys set expires_at = '2026-01-01T00:00:00Z' where id = $1",
      'api_key_expired',
    ],
    [
      'got a lower limit',
      'update scoped_api_keys set monthly_credit_limit = 3 where id = $1',
      'api_key_limit_reached',
    ],
  ])(
    'refuses work of a key that %s while the call was under way, and counts nothing',
    async (_, change, code) => {
      const customer = await customerWithKey(10);
      const call = await whileHoldWaits('scoped_api_keys', customer.id, () => customer.list(4), change);

      expect(codesOf([call])).toEqual([code]);
      expect(await customer.available()).toBe(1_000);
      const { rows } = await api.database.pool.query('select 1 from api_key_usage where api_key_id = $1', [
        customer.id,
      ]);
      expect(rows).toEqual([]);
    },
  );

  it('leaves no usage of a key that is revoked while its work starts', async () => {
    const customer = await customerWithKey(null);
    const works = Array.from({ length: 10 }, () => customer.onSecond.single());
    const revoked = api.call('DELETE', `${path}/${customer.id}`, { token: customer.token });
    const codes = codesOf(await Promise.all(works));

    expect((await revoked).statusCode).toBe(204);
    expect(codes.every((code) => code === 201 || code === 'unknown_api_key')).toBe(true);
    const { rows } = await api.database.pool.query('select 1 from api_key_usage where api_key_id = $1', [
      customer.id,
    ]);
    expect(rows).toEqual([]);
  });

  it('leaves a ledger that adds up, and the audit finds usage that differs from the work', async () => {
    const audit = () => Array.fromAsync(auditLedger(api.database.db));
    const customer = await customerWithKey(10);
    await customer.list(4);
    expect(await audit()).toEqual([]);

    const tamper = (statement: string) => api.database.pool.query(statement, [customer.id]);
    const finding = {
      finding: 'key_usage',
      subject: `${customer.id} ${clock.now().toISOString().slice(0, 10)}`,
    };
    await tamper('update api_key_usage set credits = 5 where api_key_id = $1');
    expect(await audit()).toMatchObject([{ ...finding, expected: 4, actual: 5 }]);
    await tamper('delete from api_key_usage where api_key_id = $1');
    expect(await audit()).toMatchObject([{ ...finding, expected: 4, actual: 0 }]);
  });
});
