import { randomUUID } from 'node:crypto';
import type { KeyCall } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import { movableClock } from '../../../testing/clock.ts';
import { insertCalls, trimCalls } from './key-calls.store.ts';

const clock = movableClock('2026-03-01T12:00:00Z');
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ clock, env: { RATE_LIMIT_PER_CUSTOMER: '100000' } });
});
afterAll(() => api.close());

async function newCustomer() {
  const token = await api.tokenFor();
  const ownerId: string = (await api.call('GET', '/users/me', { token })).json().id;
  const first = (await api.call('POST', '/users/api-keys', { token })).json();
  const body = { name: 'Shop', scopes: ['read_results'] };
  const further = (await api.call('POST', '/users/api-keys/more', { token, body })).json();
  const read = async (keyId: string, query = '') =>
    (await api.call('GET', `/users/api-keys/calls/${keyId}${query}`, { token })).json<{
      results: KeyCall[];
      total: number;
    }>();
  return { token, ownerId, first, further, read };
}
const by = ({ api_token }: { api_token: string }) => ({ headers: { 'x-api-key': api_token } });
const countOf = async (keyId: string) => {
  const { rows } = await api.database.pool.query(
    'select count(*)::int as count from api_key_calls where api_key_id = $1',
    [keyId],
  );
  return rows[0].count;
};
/** Lets the process write, and waits until it has. */
const untilWritten = async (keyId: string, count: number) => {
  clock.advance({ seconds: 1 });
  await expect.poll(() => countOf(keyId)).toBe(count);
};
const madeUp = (key: { ownerId: string; keyId: string }, length: number) =>
  Array.from({ length }, (_, number) => ({
    ...key,
    calledAt: new Date(Date.UTC(2026, 1, 1) + number * 1_000),
    call: 'GET /billing/me',
    httpStatus: 200,
    tookMs: number,
  }));

describe('GET /users/api-keys/calls/:id', () => {
  it('200 with time, call, status and latency of each call of the key, newest first, and nothing else', async () => {
    const { first, further, read } = await newCustomer();

    await api.call('GET', '/billing/me', by(further));
    clock.advance({ ms: 10 });
    await api.call('GET', `/validations/lists/${randomUUID()}?`, by(further));
    clock.advance({ ms: 10 });
    const body = { email_address: 'jane@exists.test' };
    await api.call('POST', '/validations/email_validation', { ...by(further), body });
    await api.call('GET', '/users/me', by(first));
    await untilWritten(further.id, 3);

    const { results, total } = await read(further.id);
    expect(total).toBe(3);
    expect(results.map(({ call, http_status }) => [call, http_status])).toEqual([
      ['POST /validations/email_validation', 403],
      ['GET /validations/lists/:list_id', 404],
      ['GET /billing/me', 200],
    ]);
    expect(results.map((call) => Object.keys(call))).toEqual(
      Array(3).fill(['date', 'call', 'http_status', 'took_ms']),
    );
    expect(results.every(({ took_ms }) => Number.isInteger(took_ms) && took_ms >= 0)).toBe(true);
    expect((await read(first.id)).results).toMatchObject([{ call: 'GET /users/me', http_status: 403 }]);
  });

  it('has no calls of people and of unknown keys', async () => {
    const { token, further, read } = await newCustomer();

    await api.call('GET', '/billing/me', { token });
    await api.call('GET', '/billing/me', by({ api_token: `${further.api_token.slice(0, -1)}x` }));
    await api.call('GET', '/billing/me', by(further));
    await untilWritten(further.id, 1);

    expect((await read(further.id)).total).toBe(1);
  });

  it('writes many calls at once, and none while they are answered', async () => {
    const { further } = await newCustomer();

    await Promise.all(Array.from({ length: 40 }, () => api.call('GET', '/billing/me', by(further))));

    expect(await countOf(further.id)).toBe(0);
    await untilWritten(further.id, 40);
  });

  it('shows and keeps the last 1,000 calls', async () => {
    const { ownerId, further, read } = await newCustomer();
    const key = { ownerId, keyId: further.id };
    await insertCalls(api.database.db, madeUp(key, 1_200));

    expect(await read(further.id, '?page_size=100&page_number=10')).toMatchObject({ total: 1_000 });
    expect((await read(further.id, '?page_size=100&page_number=11')).results).toEqual([]);
    await api.call('GET', '/billing/me', by(further));
    await untilWritten(further.id, 1_000);

    const { results } = await read(further.id, '?page_size=100&page_number=10');
    expect(results.at(-1)?.took_ms).toBe(201);
  });

  it('leaves other keys alone when it trims', async () => {
    const { ownerId, first, further } = await newCustomer();
    const place = (keyId: string) => ({ ownerId, keyId });
    await insertCalls(api.database.db, [
      ...madeUp(place(first.id), 1_001),
      ...madeUp(place(further.id), 1_001),
    ]);

    await trimCalls(api.database.db, [place(first.id)]);

    expect([await countOf(first.id), await countOf(further.id)]).toEqual([1_000, 1_001]);
  });

  it('forgets the calls of a revoked key, of a deleted key and of a deleted account', async () => {
    const one = await newCustomer();
    const two = await newCustomer();
    const keys = [one.first, one.further, two.first, two.further];
    for (const key of keys) await api.call('GET', '/billing/me', by(key));
    for (const key of keys) await untilWritten(key.id, 1);

    await api.call('DELETE', `/users/api-keys/more/${one.further.id}`, { token: one.token });
    expect(await Promise.all(keys.map(({ id }) => countOf(id)))).toEqual([1, 0, 1, 1]);
    await api.call('DELETE', `/users/api-keys/${one.first.id}`, { token: one.token });
    expect((await api.call('DELETE', '/users/me', { token: two.token })).statusCode).toBe(204);

    expect(await Promise.all(keys.map(({ id }) => countOf(id)))).toEqual([0, 0, 0, 0]);
    const late = [one.first, two.further].flatMap(({ id }) => madeUp({ ownerId: one.ownerId, keyId: id }, 1));
    await insertCalls(api.database.db, late);
    expect(await countOf(one.first.id)).toBe(0);
  });

  it('404 for a key of another customer and for none; 401 without a sign-in; 403 with a key', async () => {
    const one = await newCustomer();
    const two = await newCustomer();
    const statusOf = async (id: string, caller: object) =>
      (await api.call('GET', `/users/api-keys/calls/${id}`, caller)).statusCode;

    expect(await statusOf(two.further.id, { token: one.token })).toBe(404);
    expect(await statusOf(two.first.id, { token: one.token })).toBe(404);
    expect(await statusOf(randomUUID(), { token: one.token })).toBe(404);
    expect(await statusOf(one.further.id, {})).toBe(401);
    expect(await statusOf(one.further.id, by(one.first))).toBe(403);
  });
});
