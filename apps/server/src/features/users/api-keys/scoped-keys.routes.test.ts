import { randomUUID } from 'node:crypto';
import { type ScopedKey, type ScopedKeyWithToken, usersRoutes } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import { movableClock } from '../../../testing/clock.ts';
import { describeKeys } from './api-keys.service.ts';

const clock = movableClock();
let api: TestApi;
beforeAll(async () => {
  // Injected requests come from 127.0.0.1, so they may name another client.
  api = await startTestApi({ clock, env: { TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(() => api.close());

const path = '/users/api-keys/more';
const plain = { name: 'Shop', scopes: ['verify', 'read_results'] };
const create = (token: string, body: object = plain) => api.call('POST', path, { token, body });
const newKey = async (token: string, body: object = plain) =>
  (await create(token, body)).json<ScopedKeyWithToken>();
const list = async (token: string): Promise<ScopedKey[]> =>
  (await api.call('GET', path, { token })).json().results;
const change = (token: string, id: string, body: object) =>
  api.call('PATCH', `${path}/${id}`, { token, body });
const roll = (token: string, id: string, body: object = {}) =>
  api.call('POST', `${path}/${id}/roll`, { token, body });
const revoke = (token: string, id: string) => api.call('DELETE', `${path}/${id}`, { token });
const callWith = (key: string, { from, on = api }: { from?: string; on?: TestApi } = {}) =>
  on.call('GET', '/billing/me', { headers: { 'x-api-key': key, ...(from && { 'x-forwarded-for': from }) } });
const statusWith = async (...input: Parameters<typeof callWith>) => (await callWith(...input)).statusCode;
const codeWith = async (...input: Parameters<typeof callWith>) =>
  (await callWith(...input)).json().errors?.[0].code;

describe('POST /users/api-keys/more', () => {
  it('201 with the secret, which no other answer and no row has', async () => {
    const token = await api.tokenFor();

    const answer = await create(token, { ...plain, name: '  Shop  ' });

    expect(answer.statusCode).toBe(201);
    const created = usersRoutes.createScopedKey.success.schema.parse(answer.json());
    expect(created).toMatchObject({
      name: 'Shop',
      mode: 'live',
      scopes: ['verify', 'read_results'],
      monthly_credit_limit: null,
      month_credits: 0,
      allowed_networks: [],
      expiration_date: null,
      last_used_date: null,
      previous_token_until: null,
      masked_token: `assay_live_…${created.api_token.slice(-4)}`,
    });
    const { api_token, ...rest } = created;
    expect(await list(token)).toEqual([rest]);
    const { rows } = await api.database.pool.query('select * from scoped_api_keys');
    expect(JSON.stringify(rows)).not.toContain(api_token.slice('assay_live_'.length, -8));
    expect(JSON.stringify(api.logLines)).not.toContain(api_token.slice('assay_live_'.length, -8));
  });

  it('201 beside the key with all scopes, which stays as it is', async () => {
    const token = await api.tokenFor();
    const { api_token } = (await api.call('POST', '/users/api-keys', { token })).json();

    const scoped = await newKey(token);

    expect(await statusWith(api_token)).toBe(200);
    expect(await statusWith(scoped.api_token)).toBe(200);
    expect((await api.call('GET', '/users/api-keys', { token })).json().results).toHaveLength(1);
  });

  it.each([
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(51) }],
    ['scopes.0', { scopes: ['admin'] }],
    ['monthly_credit_limit', { monthly_credit_limit: 0 }],
    ['monthly_credit_limit', { monthly_credit_limit: 1.5 }],
    ['allowed_networks.0', { allowed_networks: ['10.0.0.0/40'] }],
    ['allowed_networks', { allowed_networks: Array(21).fill('10.0.0.0/8') }],
    ['expiration_date', { expiration_date: '2020-01-01T00:00:00Z' }],
    ['scopes', { mode: 'test', scopes: ['guess'] }],
  ])('400 naming %s for %j', async (field, fields) => {
    const answer = await create(await api.tokenFor(), { ...plain, ...fields });

    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0]).toMatchObject({ code: 'invalid_request', meta: { field } });
  });

  it('409 for the 101st key, also when thirty calls come at once', async () => {
    const token = await api.tokenFor();
    for (let count = 0; count < 80; count += 1) await create(token);

    const answers = await Promise.all(Array.from({ length: 30 }, () => create(token)));

    const codes = answers.map(({ statusCode }) => statusCode).sort();
    expect(codes).toEqual([...Array(20).fill(201), ...Array(10).fill(409)]);
    const keys = await list(token);
    expect(keys).toHaveLength(100);
    expect((await create(token)).json().errors[0].code).toBe('too_many_api_keys');
    await revoke(token, keys[0]?.id ?? '');
    expect((await create(token)).statusCode).toBe(201);
  });
});

describe('a call with a scoped key', () => {
  it('401 without a query for a mistyped key, however often', async () => {
    const { api_token } = await newKey(await api.tokenFor());
    const mistyped = `${api_token.slice(0, -1)}${api_token.endsWith('0') ? '1' : '0'}`;

    for (let attempt = 0; attempt < 31; attempt += 1) {
      expect(await codeWith(mistyped, { from: '192.0.2.77' })).toBe('unknown_api_key');
    }
    expect(await statusWith(api_token, { from: '192.0.2.77' })).toBe(200);
  });

  it('401 from the moment of its expiry, and 200 with a later one', async () => {
    const token = await api.tokenFor();
    const expiration_date = new Date(clock.now().getTime() + 600_000).toISOString();
    const { id, api_token } = await newKey(token, { ...plain, expiration_date });

    expect(await statusWith(api_token)).toBe(200);
    clock.advance({ minutes: 10 });
    expect(await codeWith(api_token)).toBe('api_key_expired');
    await change(token, id, { expiration_date: null });
    expect(await statusWith(api_token)).toBe(200);
  });

  it('403 from outside its networks, by the address that the trusted proxy names', async () => {
    const token = await api.tokenFor();
    const allowed_networks = ['203.0.113.0/24', '2001:DB8:7::/48'];
    const { id, api_token } = await newKey(token, { ...plain, allowed_networks });

    expect(await statusWith(api_token, { from: '203.0.113.9' })).toBe(200);
    expect(await statusWith(api_token, { from: '2001:db8:7::9' })).toBe(200);
    const refused = await callWith(api_token, { from: '198.51.100.1' });
    expect(refused.statusCode).toBe(403);
    expect(refused.json().errors[0]).toMatchObject({
      code: 'api_key_wrong_network',
      meta: { address: '198.51.100.1' },
    });
    expect(await codeWith(api_token)).toBe('api_key_wrong_network');
    // The client can write this header too; only what the proxy adds counts.
    expect(await codeWith(api_token, { from: '203.0.113.9, 198.51.100.1' })).toBe('api_key_wrong_network');
    await change(token, id, { allowed_networks: [] });
    expect(await statusWith(api_token)).toBe(200);
  });

  it('notes its last use to the minute, and none when it is refused for its network', async () => {
    const token = await api.tokenFor();
    const { api_token } = await newKey(token, { ...plain, allowed_networks: ['203.0.113.9'] });
    const lastUse = async () => (await list(token))[0]?.last_used_date;
    const use = () => callWith(api_token, { from: '203.0.113.9' });

    await callWith(api_token);
    expect(await lastUse()).toBeNull();
    const first = clock.now().toISOString();
    await use();
    clock.advance({ seconds: 59 });
    await use();
    expect(await lastUse()).toBe(first);
    clock.advance({ seconds: 1 });
    await use();
    expect(await lastUse()).toBe(clock.now().toISOString());
  });

  it('acts as its owner', async () => {
    const token = await api.tokenFor();
    const headers = { 'x-api-key': (await newKey(token)).api_token };
    await api.call('POST', '/validations/email_validation', { headers, body: { email: 'jane@exists.test' } });

    expect((await api.call('GET', '/validations/email_validation', { token })).json().total).toBe(1);
  });
});

describe('PATCH /users/api-keys/more/{id}', () => {
  it('200 changes only the given fields, at once and in every process', async () => {
    const token = await api.tokenFor();
    const { id, api_token } = await newKey(token, { ...plain, monthly_credit_limit: 10 });
    const second = await startTestApi({ beside: api, clock });
    const start = (on: TestApi) =>
      on.call('POST', '/validations/email_validation', {
        headers: { 'x-api-key': api_token },
        body: { email: 'jane@exists.test' },
      });
    expect((await start(second)).statusCode).toBe(201);

    const answer = await change(token, id, { scopes: ['read_results'], name: 'Reader' });

    expect(answer.json()).toMatchObject({
      name: 'Reader',
      scopes: ['read_results'],
      monthly_credit_limit: 10,
    });
    const refused = await start(second);
    expect(refused.statusCode).toBe(403);
    expect(refused.json().errors[0].code).toBe('missing_scope_verify');
    expect((await change(token, id, {})).json()).toMatchObject({ name: 'Reader' });
    await second.close();
  });

  it('400 for guessing with a test key', async () => {
    const token = await api.tokenFor();
    const { id } = await newKey(token, { ...plain, mode: 'test' });

    expect((await change(token, id, { scopes: ['guess'] })).json().errors[0].meta.field).toBe('scopes');
    expect((await change(token, id, { mode: 'live' })).statusCode).toBe(400);
  });
});

describe('POST /users/api-keys/more/{id}/roll', () => {
  it('200 with a new secret; the old one stays valid for the overlap', async () => {
    const sub = randomUUID();
    const token = await api.tokenFor({ sub });
    const old = await newKey(token, { ...plain, mode: 'test' });

    const rolled = (await roll(token, old.id, { overlap_hours: 2 })).json<ScopedKeyWithToken>();

    expect(rolled).toMatchObject({ id: old.id, name: old.name, mode: 'test' });
    expect(rolled.api_token).toMatch(/^assay_test_/);
    expect(rolled.previous_token_until).toBe(new Date(clock.now().getTime() + 7_200_000).toISOString());
    expect([await statusWith(old.api_token), await statusWith(rolled.api_token)]).toEqual([200, 200]);
    clock.advance({ hours: 2 });
    expect([await statusWith(old.api_token), await statusWith(rolled.api_token)]).toEqual([401, 200]);
    expect(await codeWith(old.api_token)).toBe('unknown_api_key');
    expect((await list(await api.tokenFor({ sub })))[0]?.previous_token_until).toBeNull();
  });

  it('refuses the old secret at once without overlap, and the one before the last always', async () => {
    const token = await api.tokenFor();
    const first = await newKey(token);
    const second = (await roll(token, first.id)).json();
    const third = (await roll(token, first.id)).json();

    const keys = [first.api_token, second.api_token, third.api_token];
    expect(await Promise.all(keys.map((key) => statusWith(key)))).toEqual([401, 200, 200]);
    const last = (await roll(token, first.id, { overlap_hours: 0 })).json();
    expect([await statusWith(third.api_token), await statusWith(last.api_token)]).toEqual([401, 200]);
  });

  it('400 for an overlap of more than a week', async () => {
    const token = await api.tokenFor();
    const { id } = await newKey(token);

    expect((await roll(token, id, { overlap_hours: 169 })).statusCode).toBe(400);
  });
});

describe('a key that is revoked meanwhile', () => {
  it.each([
    ['rolled', roll],
    ['changed', (token: string, id: string) => change(token, id, { name: 'Other' })],
  ])('404 when it is to be %s, and the log says nothing of it', async (word, call) => {
    const token = await api.tokenFor();
    const { id } = await newKey(token);

    const calling = await api.database.db.transaction().execute(async (tx) => {
      await tx.deleteFrom('scoped_api_keys').where('id', '=', id).execute();
      const answer = call(token, id);
      await expect
        .poll(async () => (await api.database.pool.query('select from pg_locks where not granted')).rowCount)
        .toBe(1);
      return { answer };
    });

    expect((await calling.answer).statusCode).toBe(404);
    const activity = (await api.call('GET', '/users/me/activity', { token })).json();
    expect(activity.results.map(({ kind }: { kind: string }) => kind)).not.toContain(`api_key.${word}`);
  });
});

describe('a sign-in eleven minutes ago', () => {
  it('403 sign_in_again for a new key and a new secret: nothing changes, and reading and revoking stay open', async () => {
    const token = await api.tokenFor();
    const key = await newKey(token);
    clock.advance({ minutes: 11 });

    for (const refused of [await create(token), await roll(token, key.id, { overlap_hours: 0 })])
      expect([refused.statusCode, refused.json().errors[0].code]).toEqual([403, 'sign_in_again']);

    expect((await list(token)).map(({ id }) => id)).toEqual([key.id]);
    expect(await statusWith(key.api_token)).toBe(200);
    expect((await revoke(token, key.id)).statusCode).toBe(204);
  });
});

describe('DELETE /users/api-keys/more/{id}', () => {
  it('204, and both its secrets are refused at once by every process', async () => {
    const token = await api.tokenFor();
    const second = await startTestApi({ beside: api, clock });
    const old = await newKey(token);
    const { api_token } = (await roll(token, old.id)).json();
    expect(await statusWith(api_token, { on: second })).toBe(200);

    expect((await revoke(token, old.id)).statusCode).toBe(204);

    for (const on of [api, second]) {
      expect(await codeWith(api_token, { on })).toBe('unknown_api_key');
      expect(await codeWith(old.api_token, { on })).toBe('unknown_api_key');
    }
    expect(await list(token)).toEqual([]);
    await second.close();
  });
});

it('404 for another customer’s key, the same as for none, and it stays unchanged', async () => {
  const owner = await api.tokenFor();
  const stranger = await api.tokenFor();
  const key = await newKey(owner);
  const before = await list(owner);

  for (const id of [key.id, randomUUID()]) {
    const refusals = [
      await change(stranger, id, { name: 'Mine' }),
      await roll(stranger, id),
      await revoke(stranger, id),
      await api.call('GET', `${path}/${id}/usage`, { token: stranger }),
    ];
    for (const refusal of refusals) {
      expect(refusal.statusCode).toBe(404);
      expect(refusal.json().errors[0]).toMatchObject({ code: 'api_key_not_found', meta: {} });
    }
  }
  expect(await list(owner)).toEqual(before);
  expect(await list(stranger)).toEqual([]);
  expect(await statusWith(key.api_token)).toBe(200);
});

it('the activity log names what happened to a key, and the archive describes it without a secret', async () => {
  const token = await api.tokenFor();
  const { id } = await newKey(token);
  await change(token, id, { name: 'Web shop' });
  await change(token, id, {});
  await roll(token, id);
  await change(token, id, { scopes: ['nonsense'] });
  await revoke(token, id);

  const { results } = (await api.call('GET', '/users/me/activity?area=api_key', { token })).json();
  expect(results.map(({ kind, about }: { kind: string; about: string }) => [kind, about])).toEqual([
    ['api_key.deleted', 'Web shop'],
    ['api_key.rolled', 'Web shop'],
    ['api_key.changed', 'Web shop: name (was Shop)'],
    ['api_key.created', 'Shop'],
  ]);
  const { id: userId } = (await api.call('GET', '/users/me', { token })).json();
  const { api_token } = await newKey(token, { ...plain, name: 'Kept' });
  const described = JSON.stringify(await describeKeys(api.database.db, userId));
  expect(described).toContain('Kept');
  expect(described).not.toContain(api_token.slice(20, 40));
  expect(described).not.toContain('hash');
});

it('an account that is deleted takes its keys along', async () => {
  const token = await api.tokenFor();
  const { api_token } = await newKey(token);

  expect((await api.call('DELETE', '/users/me', { token })).statusCode).toBe(204);

  expect(await codeWith(api_token)).toBe('unknown_api_key');
});
