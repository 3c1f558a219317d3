import { randomUUID } from 'node:crypto';
import { type Webhook, webhooksRoutes } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { movableClock } from '../../testing/clock.ts';

const clock = movableClock();
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ clock });
});
afterAll(() => api.close());

const path = '/users/webhooks';
const url = 'https://hooks.example/assay';
const create = (token: string, body: unknown = { url }) => api.call('POST', path, { token, body });
const urlOf = (name: string | number) => `${url}/${name}`;
const list = async (token: string) => (await api.call('GET', path, { token })).json().results;

async function newWebhook() {
  const token = await api.tokenFor();
  const { id, secret } = (await create(token)).json<Webhook>();
  return { token, id, secret };
}

describe('the secret of a webhook, eleven minutes after the sign-in', () => {
  it('is masked to prefix and last four characters; ?reveal=true is 403 sign_in_again', async () => {
    const { token, id, secret } = await newWebhook();
    clock.advance({ minutes: 11 });
    const masked = `whsec_…${secret.slice(-4)}`;

    expect((await list(token))[0].secret).toBe(masked);
    const moved = await api.call('PUT', `${path}/${id}`, { token, body: { url } });
    expect(moved.json().secret).toBe(masked);
    const refused = await api.call('GET', `${path}?reveal=true`, { token });
    expect([refused.statusCode, refused.json().errors[0].code]).toEqual([403, 'sign_in_again']);
  });

  it('is in full for a new webhook, and after another sign-in', async () => {
    const sub = randomUUID();
    const token = await api.tokenFor({ sub });
    clock.advance({ minutes: 11 });
    const { id, secret } = (await create(token)).json<Webhook>();
    expect(secret).toMatch(/^whsec_[\w+/=]{32}$/);

    const rotated = (await api.call('POST', `${path}/${id}/secret`, { token })).json<Webhook>();
    expect(rotated.secret).toMatch(/^whsec_[\w+/=]{32}$/);
    const again = await api.call('GET', `${path}?reveal=true`, { token: await api.tokenFor({ sub }) });
    expect(again.json().results[0].secret).toBe(rotated.secret);
  });
});

describe('POST /users/webhooks', () => {
  it('201 with a new secret in the form of the Standard Webhooks specification', async () => {
    const answer = await create(await api.tokenFor());

    expect(answer.statusCode).toBe(201);
    const webhook = webhooksRoutes.createWebhook.success.schema.parse(answer.json());
    expect(webhook).toMatchObject({ url, previous_secret_until: null });
    expect(Buffer.from(webhook.secret.replace('whsec_', ''), 'base64')).toHaveLength(24);
    expect((await newWebhook()).secret).not.toBe(webhook.secret);
  });

  it('201 keeps the secret encrypted, and out of the log', async () => {
    const { secret } = await newWebhook();

    const { rows } = await api.database.pool.query('select webhooks::text as row from webhooks');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(secret.slice('whsec_'.length));
    expect(JSON.stringify(api.logLines)).not.toContain(secret.slice('whsec_'.length));
  });

  it('409 webhook_exists for a URL that the customer has, also for simultaneous calls', async () => {
    const token = await api.tokenFor();
    await api.call('GET', '/users/me', { token });

    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => create(token, { url: `${url}#${at}`, event_types: null })),
    );

    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1);
    const refused = answers.filter(({ statusCode }) => statusCode === 409);
    expect(refused.map((answer) => answer.json().errors[0].code)).toEqual(Array(7).fill('webhook_exists'));
    expect(await list(token)).toHaveLength(1);
    expect((await create(await api.tokenFor())).statusCode).toBe(201);
  });

  it('409 for the eleventh, also for simultaneous calls; another customer is not affected', async () => {
    const token = await api.tokenFor();
    await api.call('GET', '/users/me', { token });

    const answers = await Promise.all(
      Array.from({ length: 14 }, (_, at) => create(token, { url: urlOf(at) })),
    );

    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(10);
    const refused = answers.filter(({ statusCode }) => statusCode === 409);
    expect(refused.map((answer) => answer.json().errors[0].code)).toEqual(Array(4).fill('too_many_webhooks'));
    expect(await list(token)).toHaveLength(10);
    await newWebhook();
    const [first, second] = await list(token);
    expect((await create(token, { url: second.url })).json().errors[0].code).toBe('webhook_exists');
    await api.call('DELETE', `${path}/${first.id}`, { token });
    expect((await create(token)).statusCode).toBe(201);
  });

  it('201 with the chosen types of events, each once; null for all without a choice', async () => {
    const token = await api.tokenFor();
    const types = ['balance.low', 'list.completed', 'list.completed'];

    const chosen = await create(token, { url, event_types: types });

    expect(chosen.json().event_types).toEqual(['list.completed', 'balance.low']);
    expect((await create(token, { url: urlOf(1) })).json().event_types).toBeNull();
    expect((await create(token, { url: urlOf(2), event_types: null })).json().event_types).toBeNull();
    expect(new Set((await list(token)).map(({ secret }: Webhook) => secret)).size).toBe(3);
  });

  it.each([
    ['no address', {}],
    ['an empty address', { url: ' ' }],
    ['no address at all', { url: 'hooks' }],
    ['an address that is too long', { url: `https://hooks.example/${'x'.repeat(2_000)}` }],
    ['a field that does not exist', { url, secret: 'mine' }],
    ['no types of events', { url, event_types: [] }],
    ['an unknown type of event', { url, event_types: ['list.started'] }],
    ['the type of tests, which cannot be chosen', { url, event_types: ['webhook.test'] }],
    ['plain http', { url: 'http://hooks.example/' }],
    ['this machine', { url: 'https://127.0.0.1/' }],
    ['the metadata service of a cloud', { url: 'https://169.254.169.254/' }],
  ])('400 for %s, with what to change, and nothing is kept', async (_what, body) => {
    const token = await api.tokenFor();

    const answer = await create(token, body);

    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0].message).not.toBe('');
    expect(await list(token)).toEqual([]);
  });

  it('401 when signed out', async () => {
    expect((await api.call('POST', path, { body: { url } })).statusCode).toBe(401);
  });
});

describe('an API key with manage_webhooks', () => {
  async function newKey(token: string, scopes: string[], mode = 'live') {
    const body = { name: 'Hooks', scopes, mode };
    const answer = await api.call('POST', '/users/api-keys/more', { token, body });
    return { answer, headers: { 'x-api-key': answer.json().api_token as string } };
  }

  it('makes every call, sees a secret only in the answer that creates it, and never those of others', async () => {
    const { token, id: own, secret } = await newWebhook();
    const theirs = await newWebhook();
    clock.advance({ seconds: 1 });
    const { headers } = await newKey(token, ['manage_webhooks']);
    const by = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', end = '', body?: unknown) =>
      api.call(method, `${path}${end}`, { headers, ...(body !== undefined && { body }) });

    const made = await by('POST', '', { url: urlOf('key'), event_types: ['list.failed'] });
    expect([made.statusCode, made.json().secret]).toEqual([
      201,
      expect.stringMatching(/^whsec_[\w+/=]{32}$/),
    ]);
    const { id, secret: first } = made.json<Webhook>();
    const listed = await by('GET');
    expect(listed.json().results.map((webhook: Webhook) => [webhook.id, webhook.secret])).toEqual([
      [own, `whsec_…${secret.slice(-4)}`],
      [id, `whsec_…${first.slice(-4)}`],
    ]);
    expect((await by('GET', '?reveal=true')).json().errors[0].code).toBe('sign_in_again');
    const changed = await by('PUT', `/${id}`, { url, event_types: null });
    expect(changed.json()).toMatchObject({ event_types: null, secret: `whsec_…${first.slice(-4)}` });
    expect((await by('POST', `/${id}/secret`)).json().secret).not.toBe(first);
    const test = await by('POST', `/${id}/test`);
    expect(test.statusCode).toBe(202);
    expect((await by('GET', `/${id}/deliveries`)).json().total).toBe(1);
    expect((await by('POST', `/${id}/deliveries/${test.json().id}/again`)).statusCode).toBe(202);
    expect((await by('POST', `/${own}/deliveries/${test.json().id}/again`)).statusCode).toBe(404);
    expect((await by('DELETE', `/${theirs.id}`)).statusCode).toBe(404);
    expect((await by('DELETE', `/${id}`)).statusCode).toBe(204);
    expect(await list(theirs.token)).toHaveLength(1);
  });

  it('is needed: 403 missing_scope_manage_webhooks with all other scopes', async () => {
    const { token, id } = await newWebhook();
    const { headers } = await newKey(token, ['verify', 'read_results', 'manage_lists']);

    for (const { method, path: route } of Object.values(webhooksRoutes)) {
      const at = route.replace(':id', id).replace(':delivery_id', randomUUID());
      const answer = await api.call(method, at, { headers, ...(method === 'PUT' && { body: { url } }) });
      expect([at, answer.json().errors[0].code]).toEqual([at, 'missing_scope_manage_webhooks']);
    }
  });

  it('is never a test key: 400', async () => {
    const { answer } = await newKey(await api.tokenFor(), ['manage_webhooks'], 'test');

    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0].message).toContain('cannot manage webhooks');
  });
});

describe('GET /users/webhooks', () => {
  it('200 with the caller’s webhook only, and cache-control no-store', async () => {
    const mine = await newWebhook();
    await newWebhook();

    const answer = await api.call('GET', path, { token: mine.token });

    expect(answer.json().results.map(({ secret }: { secret: string }) => secret)).toEqual([mine.secret]);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(await list(await api.tokenFor())).toEqual([]);
  });
});

describe('PUT /users/webhooks/{id}', () => {
  const change = (token: string, id: string, next: string) =>
    api.call('PUT', `${path}/${id}`, { token, body: { url: next } });

  it('200 with the new URL and the same secret', async () => {
    const { token, id, secret } = await newWebhook();

    const answer = await change(token, id, 'https://hooks.example/other#part');

    expect(answer.json()).toMatchObject({ id, url: 'https://hooks.example/other' });
    expect(answer.body).not.toContain(secret);
    expect((await list(token))[0].secret).toBe(secret);
  });

  it('200 with other types of events; without them, they stay', async () => {
    const { token, id } = await newWebhook();
    const types = ['balance.low'];

    const chosen = await api.call('PUT', `${path}/${id}`, { token, body: { event_types: types } });
    expect(chosen.json()).toMatchObject({ url, event_types: types });
    expect((await change(token, id, urlOf('moved'))).json().event_types).toEqual(types);
    const all = await api.call('PUT', `${path}/${id}`, { token, body: { url, event_types: null } });
    expect(all.json()).toMatchObject({ url, event_types: null });
  });

  it('400 for a change of nothing', async () => {
    const { token, id } = await newWebhook();

    const answer = await api.call('PUT', `${path}/${id}`, { token, body: {} });

    expect([answer.statusCode, answer.json().errors[0].message]).toEqual([
      400,
      'Name the URL, the types of events, or both',
    ]);
  });

  it('400 for a URL that is not allowed, 404 for another customer’s webhook', async () => {
    const { token, id } = await newWebhook();

    expect((await change(token, id, 'https://10.0.0.1/')).statusCode).toBe(400);
    expect((await change(await api.tokenFor(), id, url)).statusCode).toBe(404);
    expect((await list(token))[0].url).toBe(url);
  });
});

describe('POST /users/webhooks/{id}/secret', () => {
  it('200 with another secret; the old one signs beside it for a day', async () => {
    const { token, id, secret } = await newWebhook();

    const answer = await api.call('POST', `${path}/${id}/secret`, { token });

    const until = new Date(clock.now().getTime() + 86_400_000).toISOString();
    expect(answer.json()).toMatchObject({ id, previous_secret_until: until });
    expect(answer.json().secret).not.toBe(secret);
  });

  it('404 for another customer’s webhook', async () => {
    const { id } = await newWebhook();

    const answer = await api.call('POST', `${path}/${id}/secret`, { token: await api.tokenFor() });

    expect(answer.statusCode).toBe(404);
  });
});

describe('DELETE /users/webhooks/{id}', () => {
  it('204 deletes its log too, and leaves the others', async () => {
    const { token, id } = await newWebhook();
    const other = (await create(token, { url: urlOf('other') })).json<Webhook>();
    await api.call('POST', `${path}/${id}/test`, { token });
    await api.call('POST', `${path}/${other.id}/test`, { token });

    expect((await api.call('DELETE', `${path}/${id}`, { token })).statusCode).toBe(204);

    expect((await list(token)).map((webhook: Webhook) => webhook.id)).toEqual([other.id]);
    expect((await api.call('GET', `${path}/${id}/deliveries`, { token })).statusCode).toBe(404);
    expect((await api.call('GET', `${path}/${other.id}/deliveries`, { token })).json().total).toBe(1);
  });

  it('404 for another customer’s webhook, the same as for none, and it stays', async () => {
    const theirs = await newWebhook();
    const token = await api.tokenFor();

    for (const id of [theirs.id, randomUUID()]) {
      const answer = await api.call('DELETE', `${path}/${id}`, { token });
      expect(answer.statusCode).toBe(404);
      expect(answer.json().errors[0].code).toBe('webhook_not_found');
    }
    expect(await list(theirs.token)).toHaveLength(1);
  });
});

describe('POST /users/webhooks/{id}/test and the log', () => {
  it('202 for the test, which the log shows, newest first', async () => {
    const { token, id } = await newWebhook();
    const first = (await api.call('POST', `${path}/${id}/test`, { token })).json();
    const second = await api.call('POST', `${path}/${id}/test`, { token });

    expect(second.statusCode).toBe(202);
    expect(second.json()).toMatchObject({ event_type: 'webhook.test', status: 'PENDING', attempts: 0 });
    const page = (await api.call('GET', `${path}/${id}/deliveries?page_size=1`, { token })).json();
    expect(page).toMatchObject({ total: 2, results: [{ id: second.json().id }] });
    const next = await api.call('GET', `${path}/${id}/deliveries?page_size=1&page_number=2`, { token });
    expect(next.json().results).toEqual([first]);
  });

  it('404 for another customer’s webhook or an unknown delivery', async () => {
    const mine = await newWebhook();
    const theirs = await newWebhook();
    const delivery = (await api.call('POST', `${path}/${theirs.id}/test`, { token: theirs.token })).json();
    const statusOf = async (method: 'GET' | 'POST', end: string) =>
      (await api.call(method, `${path}/${end}`, { token: mine.token })).statusCode;

    expect(await statusOf('POST', `${theirs.id}/test`)).toBe(404);
    expect(await statusOf('GET', `${theirs.id}/deliveries`)).toBe(404);
    expect(await statusOf('POST', `${theirs.id}/deliveries/${delivery.id}/again`)).toBe(404);
    expect(await statusOf('POST', `${mine.id}/deliveries/${delivery.id}/again`)).toBe(404);
  });

  it('429 for more than 60 sends by hand in ten minutes', async () => {
    const { token, id } = await newWebhook();
    const codes: number[] = [];
    for (let i = 0; i < 61; i += 1) {
      codes.push((await api.call('POST', `${path}/${id}/test`, { token })).statusCode);
      await api.database.pool.query("update webhook_deliveries set status = 'DELIVERED'");
    }

    expect(codes.filter((code) => code === 202)).toHaveLength(60);
    expect(codes.at(-1)).toBe(429);
  });
});
