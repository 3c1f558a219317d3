import { randomUUID } from 'node:crypto';
import { type Activity, activityRoutes } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { movableClock } from '../../testing/clock.ts';
import { recordActivity } from './index.ts';

const clock = movableClock();
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ clock });
});
afterAll(() => api.close());

const headers = { 'user-agent': 'Firefox/140' };
const read = async (token: string, query = ''): Promise<{ results: Activity[]; total: number }> => {
  const answer = await api.call('GET', `/users/me/activity${query}`, { token, headers });
  expect(answer.statusCode).toBe(200);
  return activityRoutes.listActivities.success.schema.parse(answer.json());
};
const kinds = async (token: string) => (await read(token, '?page_size=100')).results.map(({ kind }) => kind);

describe('GET /users/me/activity', () => {
  it('200 with the sign-in: who, when and from where', async () => {
    const token = await api.tokenFor({ sid: 'one' });

    expect(await read(token)).toEqual({
      results: [
        {
          number: 1,
          date: clock.now().toISOString(),
          kind: 'session.started',
          about: null,
          list_id: null,
          by: 'customer',
          api_key_id: null,
          api_key_name: null,
          address: '127.0.0.1',
          user_agent: 'Firefox/140',
        },
      ],
      total: 1,
    });
  });

  it('records a session once: for calls at the same time, renewed tokens and other processes', async () => {
    const beside = await startTestApi({ beside: api, clock });
    const person = { sub: 'eve', email: 'eve@example.com', sid: 'one', auth_time: 1_700_000_000 };
    const token = await api.tokenFor(person);
    await Promise.all(
      [api, beside, api, beside].map((on) => on.call('GET', '/users/me', { token, headers })),
    );
    clock.advance({ minutes: 20 });
    const renewed = await api.tokenFor(person);
    await beside.call('GET', '/users/me', { token: renewed });
    expect(await kinds(renewed)).toEqual(['session.started']);

    const again = await api.tokenFor({ ...person, auth_time: 1_700_009_000 });
    await beside.call('GET', '/users/me', { token: again });
    expect(await kinds(again)).toEqual(['session.started', 'session.started']);
    await beside.close();
  });

  it('costs no query for a session that the process knows', async () => {
    const token = await api.tokenFor({ sid: 'known' });
    await api.call('GET', '/users/me', { token });
    let statements = 0;
    const count = () => {
      statements += 1;
    };
    api.database.pool.on('acquire', count);
    await api.call('GET', '/users/me', { token });
    api.database.pool.off('acquire', count);

    // One for authentication, one for the answer.
    expect(statements).toBe(2);
  });

  it('200 with keys, webhooks, exports and deletions, newest first, and never an address that was verified', async () => {
    const token = await api.tokenFor({ auth_time: Math.floor(clock.now().getTime() / 1_000) });
    const call = async (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) => {
      const answer = await api.call(method, path, { token, body });
      expect([path, answer.statusCode]).toEqual([path, expect.toSatisfy((status) => status < 300)]);
      return answer.statusCode === 204 ? undefined : answer.json();
    };
    const key = await call('POST', '/users/api-keys');
    const byKey = { 'x-api-key': key.api_token };
    const url = 'https://hooks.example/secret-path';
    const hook = await call('POST', '/users/webhooks', { url });
    await call('PUT', `/users/webhooks/${hook.id}`, { url: 'https://other.example/secret-path' });
    await call('POST', `/users/webhooks/${hook.id}/secret`);
    await call('DELETE', `/users/webhooks/${hook.id}`);
    const emails = ['jane@exists.test'];
    const list = await call('POST', '/validations/lists', { name: 'Spring', emails });
    await call('POST', `/validations/lists/${list.id}/export`);
    const link = await call('POST', `/validations/lists/${list.id}/links`, { days: 1 });
    await call('DELETE', `/validations/lists/${list.id}/links/${link.id}`);
    const single = await call('POST', '/validations/email_validation', { email: 'max@exists.test' });
    await call('POST', '/validations/email_validation/export');
    await call('DELETE', `/validations/email_validation/${single.id}`);
    await api.call('DELETE', `/validations/lists/${list.id}`, { headers: byKey });
    await call('DELETE', `/users/api-keys/${key.id}`);

    const { results } = await read(token, '?page_size=100');
    expect(results.map(({ kind, about, by }) => [kind, about, by])).toEqual([
      ['api_key.deleted', null, 'customer'],
      ['deletion.list', 'Spring', 'api_key'],
      ['deletion.single', null, 'customer'],
      ['export.created', 'Single verifications', 'customer'],
      ['export.revoked', 'Spring', 'customer'],
      ['export.shared', 'Spring', 'customer'],
      ['export.created', 'Spring', 'customer'],
      ['webhook.deleted', 'other.example', 'customer'],
      ['webhook.secret_replaced', 'other.example', 'customer'],
      ['webhook.changed', 'other.example', 'customer'],
      ['webhook.created', 'hooks.example', 'customer'],
      ['api_key.created', null, 'customer'],
      ['session.started', null, 'customer'],
    ]);
    const told = JSON.stringify(results);
    for (const secret of ['exists.test', 'secret-path', key.api_token]) expect(told).not.toContain(secret);
  });

  it('200 names the API key that acted, also after the key was renamed or deleted', async () => {
    const token = await api.tokenFor();
    const first = (await api.call('POST', '/users/api-keys', { token })).json();
    const body = { name: 'Web shop', scopes: ['read_results'] };
    const shop = (await api.call('POST', '/users/api-keys/more', { token, body })).json();
    for (const { api_token } of [first, shop]) {
      const headers = { 'x-api-key': api_token };
      expect((await api.call('POST', '/validations/email_validation/export', { headers })).statusCode).toBe(
        200,
      );
    }
    await api.call('PATCH', `/users/api-keys/more/${shop.id}`, { token, body: { name: 'Other' } });
    await api.call('DELETE', `/users/api-keys/more/${shop.id}`, { token });

    const { results } = await read(token, '?area=export');
    expect(results.map(({ by, api_key_id, api_key_name }) => [by, api_key_id, api_key_name])).toEqual([
      ['api_key', shop.id, 'Web shop'],
      ['api_key', first.id, null],
    ]);
    expect((await read(token, '?search=web+shop&area=export')).total).toBe(1);
    expect((await read(token, `?search=${first.id}`)).total).toBe(1);
    const { download_link } = (await api.call('POST', '/users/me/activity/export', { token })).json();
    expect((await api.app.inject({ url: download_link })).body).toContain(
      `export.created,Export created,Single verifications,,api_key,${shop.id},Web shop,`,
    );
  });

  it('200 with every export and every secret that was shown in full', async () => {
    const sub = randomUUID();
    const token = await api.tokenFor({ sub });
    await api.call('POST', '/users/api-keys', { token });
    await api.call('POST', '/users/webhooks', { token, body: { url: 'https://hooks.example/' } });
    for (const path of ['/users/me/activity/export', '/billing/me/transactions/export'])
      expect((await api.call('POST', path, { token })).statusCode).toBe(200);
    const shown = async (path: string, by = token) => {
      const answer = await api.call('GET', path, { token: by });
      return JSON.stringify(answer.json()).includes('…') ? 'masked' : answer.statusCode;
    };
    for (const path of ['/users/api-keys', '/users/webhooks']) {
      expect(await shown(`${path}?reveal=false`)).toBe('masked');
      expect(await shown(path)).toBe(200);
      expect(await shown(`${path}?reveal=true`)).toBe(200);
      const older = await api.tokenFor({ sub, auth_time: 1_700_000_000 });
      expect(await shown(path, older)).toBe('masked');
      expect(await shown(`${path}?reveal=true`, older)).toBe(403);
    }

    const { results } = await read(token, '?page_size=100');
    expect(
      results.filter(({ kind }) => kind !== 'session.started').map(({ kind, about }) => [kind, about]),
    ).toEqual([
      ['webhook.secret_revealed', 'hooks.example'],
      ['webhook.secret_revealed', 'hooks.example'],
      ['api_key.revealed', null],
      ['api_key.revealed', null],
      ['export.created', 'Credits history'],
      ['export.created', 'Activity'],
      ['webhook.created', 'hooks.example'],
      ['api_key.created', null],
    ]);
  });

  it('200 says what of an API key was changed, and records nothing if all stays as it was', async () => {
    const token = await api.tokenFor();
    const body = { name: 'Web shop', scopes: ['verify'], allowed_networks: ['192.0.2.0/24'] };
    const { id } = (await api.call('POST', '/users/api-keys/more', { token, body })).json();
    const change = async (changes: object) =>
      expect(
        (await api.call('PATCH', `/users/api-keys/more/${id}`, { token, body: changes })).statusCode,
      ).toBe(200);
    const expiration_date = new Date(clock.now().getTime() + 86_400_000).toISOString();
    await change({ ...body, monthly_credit_limit: null });
    await change({ scopes: ['verify', 'read_results'], monthly_credit_limit: 100 });
    await change({ name: 'Shop', allowed_networks: [], expiration_date });
    await change({ name: 'Shop', expiration_date });

    const { results } = await read(token, '?area=api_key');
    expect(results.map(({ kind, about }) => [kind, about])).toEqual([
      ['api_key.changed', 'Shop: name (was Web shop), networks, expiry'],
      ['api_key.changed', 'Web shop: scopes, monthly limit'],
      ['api_key.created', 'Web shop'],
    ]);
  });

  it('200 with changes of personal info and notifications, without names and numbers', async () => {
    const token = await api.tokenFor();
    const change = async (body: object) =>
      expect((await api.call('PATCH', '/users/me', { token, body })).statusCode).toBe(200);
    await change({ first_name: 'Augusta', last_name: 'King', phone: '+49 30 901820' });
    await change({ first_name: 'Augusta', phone: '+4930901820' });
    await change({ list_mails: false, balance_mails: true });
    await change({ phone: '+49 30 901821', balance_mails: false });

    const { results } = await read(token, '?area=setting');
    expect(results.map(({ kind, about, by }) => [kind, about, by])).toEqual([
      ['setting.mails', 'Mails about the balance off', 'customer'],
      ['setting.profile', 'Phone', 'customer'],
      ['setting.mails', 'Mails about complete lists off', 'customer'],
      ['setting.profile', 'Name, Phone', 'customer'],
    ]);
  });

  it('200 filtered by area and by a search, with the total of what matches', async () => {
    const token = await api.tokenFor();
    const { id: userId } = (await api.call('GET', '/users/me', { token })).json();
    const source = { address: '192.0.2.9', agent: 'curl 100%' };
    for (const about of ['Spring', 'Summer', '=Autumn'])
      await recordActivity(
        api.database.db,
        { accountId: userId, source },
        { kind: 'export.created', about, now: clock.now() },
      );

    expect(await read(token, '?area=export&page_size=1&page_number=2')).toMatchObject({
      results: [{ about: 'Summer' }],
      total: 3,
    });
    expect(await read(token, '?area=webhook')).toEqual({ results: [], total: 0 });
    expect((await read(token, '?search=spring')).results).toMatchObject([{ about: 'Spring' }]);
    expect((await read(token, '?search=192.0.2.9')).total).toBe(3);
    expect((await read(token, '?search=100%25')).total).toBe(3);
    expect((await read(token, '?search=1%25%25')).total).toBe(0);
    expect((await api.call('GET', '/users/me/activity?area=_', { token })).statusCode).toBe(400);

    const { download_link } = (
      await api.call('POST', '/users/me/activity/export?area=export&search=autumn', { token })
    ).json();
    const file = await api.app.inject({ url: download_link });
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(file.body).toBe(
      `\ufeffnumber,date,kind,activity,about,list_id,by,api_key_id,api_key_name,address,user_agent\n4,${clock.now().toISOString()},export.created,Export created,"'=Autumn",,customer,,,192.0.2.9,curl 100%\n`,
    );
  });

  it('200 shows nothing of other customers; 401 when signed out, 403 by API key', async () => {
    const [mine, theirs] = [await api.tokenFor(), await api.tokenFor()];
    const { api_token } = (await api.call('POST', '/users/api-keys', { token: theirs })).json();
    const byKey = await api.call('GET', '/users/me/activity', { headers: { 'x-api-key': api_token } });

    expect(await kinds(mine)).toEqual(['session.started']);
    expect((await api.call('GET', '/users/me/activity')).statusCode).toBe(401);
    expect(byKey.statusCode).toBe(403);
  });

  it('bounds what a caller writes into it', async () => {
    const token = await api.tokenFor();
    const agent = 'x'.repeat(5_000);
    await api.call('GET', '/users/me', { token, headers: { 'user-agent': agent } });

    expect((await read(token)).results[0]?.user_agent).toBe('x'.repeat(300));
  });
});
