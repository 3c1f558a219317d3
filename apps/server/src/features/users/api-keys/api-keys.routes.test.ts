import { randomUUID } from 'node:crypto';
import { routes, usersRoutes } from '@assay/contract';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import { movableClock } from '../../../testing/clock.ts';

const clock = movableClock();
let api: TestApi;
beforeAll(async () => {
  // The stage in which every call of the contract exists.
  api = await startTestApi({ clock, env: { ASSAY_STAGE: 'staging' } });
});
afterAll(() => api.close());

const path = '/users/api-keys';
const create = (token: string) => api.call('POST', path, { token });
const list = async (token: string) => (await api.call('GET', path, { token })).json().results;
const withKey = (key: string) => ({ headers: { 'x-api-key': key } });
const newKeyOf = async (sub: string) => {
  const token = await api.tokenFor({ sub });
  const { id, api_token } = (await create(token)).json<{ id: string; api_token: string }>();
  return { sub, token, id, api_token };
};
const newKey = () => newKeyOf(randomUUID());
const authTimeOf = (token: string) => decodeJwt<{ auth_time: number }>(token).auth_time;

describe('POST /users/api-keys', () => {
  it('§3 Api key: 201 with a key that starts with the prefix', async () => {
    const token = await api.tokenFor();

    const answer = await create(token);

    expect(answer.statusCode).toBe(201);
    expect(usersRoutes.createApiKey.success.schema.safeParse(answer.json()).success).toBe(true);
    expect(answer.json().api_token).toMatch(/^assay_live_[0-9a-f]{48}$/);
    expect(await list(token)).toEqual([answer.json()]);
  });

  it('§6 One API key at a time: 409 while one exists', async () => {
    const { token, id } = await newKey();

    const answer = await create(token);

    expect(answer.statusCode).toBe(409);
    expect(answer.json().errors[0].code).toBe('api_key_exists');
    expect((await list(token)).map((key: { id: string }) => key.id)).toEqual([id]);
  });

  it('§6 One API key at a time: twenty simultaneous calls create one key, which works', async () => {
    const token = await api.tokenFor();

    const answers = await Promise.all(Array.from({ length: 20 }, () => create(token)));

    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, ...Array(19).fill(409)]);
    const [{ api_token }] = await list(token);
    expect((await api.call('GET', '/billing/me', withKey(api_token))).statusCode).toBe(200);
  });

  it('stores the key only encrypted and as a keyed hash', async () => {
    const { api_token } = await newKey();

    const { rows } = await api.database.pool.query('select * from api_keys');
    const randomPart = api_token.slice('assay_live_'.length);
    expect(JSON.stringify(rows)).not.toContain(randomPart);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(api_token).toString('base64').slice(4, 40));
  });
});

describe('GET /users/api-keys', () => {
  it('200 with no results before a key is created', async () => {
    expect(await list(await api.tokenFor())).toEqual([]);
  });

  it('200 with the caller’s key only, and cache-control no-store', async () => {
    const mine = await newKey();
    const theirs = await newKey();

    const answer = await api.call('GET', path, { token: mine.token });

    expect(answer.body).toContain(mine.api_token);
    expect(answer.body).not.toContain(theirs.api_token);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('200 with prefix and last four characters ten minutes after the sign-in, also with a new token', async () => {
    const { sub, token, api_token } = await newKeyOf(randomUUID());
    clock.advance({ minutes: 10 });
    expect((await list(token))[0].api_token).toBe(api_token);

    clock.advance({ seconds: 1 });
    const renewed = await api.tokenFor({ sub, auth_time: authTimeOf(token) });
    for (const answer of [
      await api.call('GET', path, { token }),
      await api.call('GET', path, { token: renewed }),
    ]) {
      expect(answer.json().results[0].api_token).toBe(`assay_live_…${api_token.slice(-4)}`);
      expect(answer.body).not.toContain(api_token.slice('assay_live_'.length, -4));
    }
  });

  it('403 sign_in_again for ?reveal=true then, and 200 in full after another sign-in', async () => {
    const { sub, token, api_token } = await newKeyOf(randomUUID());
    clock.advance({ minutes: 11 });

    const refused = await api.call('GET', `${path}?reveal=true`, { token });
    expect(refused.statusCode).toBe(403);
    expect(refused.json().errors[0]).toMatchObject({ code: 'sign_in_again', meta: { max_age: 600 } });
    expect(refused.body).not.toContain(api_token.slice(-4));

    const again = await api.call('GET', `${path}?reveal=true`, { token: await api.tokenFor({ sub }) });
    expect(again.json().results[0].api_token).toBe(api_token);
  });

  it('403 sign_in_again if the token has no auth_time', async () => {
    const token = await api.tokenFor({ auth_time: undefined });

    expect((await api.call('GET', `${path}?reveal=true`, { token })).statusCode).toBe(403);
  });

  it('200 with last_used_date to the minute', async () => {
    const { token, api_token } = await newKey();
    expect((await list(token))[0].last_used_date).toBeNull();
    const firstUse = clock.now();

    await api.call('GET', '/billing/me', withKey(api_token));
    clock.advance({ seconds: 30 });
    await api.call('GET', '/billing/me', withKey(api_token));
    expect((await list(token))[0].last_used_date).toBe(firstUse.toISOString());

    clock.advance({ seconds: 30 });
    await api.call('GET', '/billing/me', withKey(api_token));
    expect((await list(token))[0].last_used_date).toBe(clock.now().toISOString());
  });
});

describe('DELETE /users/api-keys/{id}', () => {
  const remove = (token: string, id: string) => api.call('DELETE', `${path}/${id}`, { token });

  it('204, calls with the key are refused, and another one can be created', async () => {
    const { token, id, api_token } = await newKey();

    expect((await remove(token, id)).statusCode).toBe(204);

    expect(await list(token)).toEqual([]);
    expect((await api.call('GET', '/billing/me', withKey(api_token))).statusCode).toBe(401);
    const next = (await create(token)).json();
    expect(next.api_token).not.toBe(api_token);
    expect((await api.call('GET', '/billing/me', withKey(next.api_token))).statusCode).toBe(200);
  });

  it('404 for another customer’s key, the same as for none, and it stays', async () => {
    const theirs = await newKey();
    const stranger = await api.tokenFor();

    const refusals = [await remove(stranger, theirs.id), await remove(stranger, randomUUID())];

    for (const refusal of refusals) {
      expect(refusal.statusCode).toBe(404);
      expect(refusal.json().errors[0]).toMatchObject({ code: 'api_key_not_found', meta: {} });
    }
    expect(await list(theirs.token)).toHaveLength(1);
  });
});

describe('a customer’s program with its key alone', () => {
  const everyCall = Object.values(routes).flatMap((feature) =>
    Object.values(feature).filter(({ auth }) => auth !== 'public'),
  );
  const addressOf = (routePath: string) => routePath.replace(/:\w+/g, randomUUID());

  it('may use every validations, guessing, bounces, outcomes, feeds, suppressions and webhooks call and read billing/me, and nothing else', async () => {
    const { api_token } = await newKey();
    const opened: string[] = [];
    for (const { method, path: routePath } of everyCall) {
      const { statusCode } = await api.call(method, addressOf(routePath), withKey(api_token));
      expect(statusCode, routePath).toBeLessThan(500);
      expect(statusCode, routePath).not.toBe(401);
      if (statusCode !== 403) opened.push(`${method} ${routePath}`);
    }

    const expected = everyCall
      .map(({ method, path: routePath }) => `${method} ${routePath}`)
      .filter(
        (call) =>
          / \/(validations|guessing|bounces|outcomes|suppressions|users\/webhooks)\b/.test(call) ||
          call === 'GET /billing/me',
      );
    expect(opened.sort()).toEqual(expected.sort());
  });

  it('acts as its owner: sees the same wallet and lists', async () => {
    const mine = await newKey();
    const theirs = await newKey();
    await api.call('POST', '/validations/email_validation', {
      ...withKey(mine.api_token),
      body: { email_address: 'jane@exists.test' },
    });

    const singlesOf = async (key: string) =>
      (await api.call('GET', '/validations/email_validation', withKey(key))).json().total;
    expect(await singlesOf(mine.api_token)).toBe(1);
    expect(await singlesOf(theirs.api_token)).toBe(0);
    expect((await api.call('GET', '/billing/me', { token: mine.token })).json().balance).toBe(999);
  });

  it.each([
    ['cut short', (key: string) => key.slice(0, -1)],
    ['with another end', (key: string) => `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`],
    ['without its prefix', (key: string) => key.slice('assay_live_'.length)],
    ['in capitals', (key: string) => key.toUpperCase()],
  ])('is unknown with a key %s', async (_how, change) => {
    const { api_token } = await newKey();

    const answer = await api.call('GET', '/billing/me', withKey(change(api_token)));

    expect(answer.statusCode).toBe(401);
    expect(answer.json().errors[0].code).toBe('unknown_api_key');
  });

  it('its key appears in no log line and in no refusal', async () => {
    const { api_token, token } = await newKey();
    const answers = [
      await api.call('GET', '/billing/me', withKey(api_token)),
      await api.call('GET', '/users/me', withKey(api_token)),
      await api.call('POST', '/validations/email_validation', { ...withKey(api_token), body: { email: 1 } }),
      await api.call('GET', '/users/me', { token }),
      await create(token),
    ];

    const randomPart = api_token.slice('assay_live_'.length);
    expect(answers.map(({ body }) => body).join()).not.toContain(randomPart);
    expect(api.logLines.length).toBeGreaterThan(0);
    expect(JSON.stringify(api.logLines)).not.toContain(randomPart);
  });
});
