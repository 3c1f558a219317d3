import { randomUUID } from 'node:crypto';
import { warmUpRoutes } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi } from '../../testing/api.ts';
import { startWarmUpWorld, type WarmUpWorld } from './testing/warm-up-world.ts';

let world: WarmUpWorld;
beforeAll(async () => {
  world = await startWarmUpWorld();
});
afterAll(() => world.close());

const both = ['google', 'microsoft'] as const;
const credentials = '/warm-up/oauth/credentials';
const newAddress = () => `${randomUUID().slice(0, 8)}@exists.test`;
const remove = (token: string, path: string) => world.api.call('DELETE', path, { token });
const codeOf = (answer: { json(): { errors: { code: string }[] } }) => answer.json().errors[0]?.code;
const consents = async (provider: (typeof both)[number]) =>
  (await world.mailboxes.consents(provider)).map(({ address }) => address);

describe('§7 GET /warm-up/oauth/{provider}/authorize', () => {
  it.each(both)('§7 200 with the URL of %s’s consent page, with PKCE and state', async (provider) => {
    const url = new URL(await world.authorizationUrl(await world.api.tokenFor(), provider));

    expect(`${url.origin}${url.pathname}`).toBe(world.mailboxes.addresses[provider].authorize);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: 'assay-test',
      redirect_uri: 'https://assay.test/oauth/callback',
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(url.searchParams.get('state')).toMatch(/^[0-9a-f-]{36}\.\d+\.[0-9a-f]{64}$/);
  });

  it('requests offline access from Google and Microsoft', async () => {
    const token = await world.api.tokenFor();
    const google = new URL(await world.authorizationUrl(token, 'google')).searchParams;
    const microsoft = new URL(await world.authorizationUrl(token, 'microsoft')).searchParams;

    expect(google.get('access_type')).toBe('offline');
    expect(google.get('prompt')).toBe('consent');
    expect(microsoft.get('scope')?.split(' ')).toContain('offline_access');
  });

  it('400 for an unknown provider', async () => {
    const token = await world.api.tokenFor();

    expect((await world.api.call('GET', '/warm-up/oauth/yahoo/authorize', { token })).statusCode).toBe(400);
  });

  it('429 for a customer who keeps starting authorizations', async () => {
    const token = await world.api.tokenFor();
    for (let trip = 0; trip < 60; trip += 1) await world.authorizationUrl(token, 'google');

    const answer = await world.api.call('GET', '/warm-up/oauth/google/authorize', { token });

    expect(answer.statusCode).toBe(429);
  });

  it('503 if the operator has not configured the provider', async () => {
    const bare = await startTestApi({
      env: { ASSAY_STAGE: 'staging' },
      beside: world.api,
      clock: world.clock,
    });
    const answer = await bare.call('GET', '/warm-up/oauth/google/authorize', {
      token: await world.api.tokenFor(),
    });
    await bare.close();

    expect(answer.statusCode).toBe(503);
    expect(codeOf(answer)).toBe('mailbox_provider_missing');
  });
});

describe('§7 POST /warm-up/oauth/{provider}/callback', () => {
  it.each(both)('§7 200 connects a mailbox of %s, which the list then shows', async (provider) => {
    const token = await world.api.tokenFor();
    const address = newAddress();

    const answer = await world.connect(token, provider, address.toUpperCase());

    expect(answer.statusCode).toBe(200);
    expect(warmUpRoutes.finishAuthorization.success.schema.safeParse(answer.json()).success).toBe(true);
    expect(answer.json()).toMatchObject({
      email: address,
      provider: provider.toUpperCase(),
      status: 'CONNECTED',
      // We revoke at Google; for Microsoft we show where.
      consent_url: provider === 'google' ? null : world.mailboxes.addresses.microsoft.connections,
    });
    const list = await world.api.call('GET', credentials, { token });
    expect(list.json()).toEqual({ credentials: [answer.json()] });
  });

  it('200 again for the same mailbox, which then has the new tokens', async () => {
    const token = await world.api.tokenFor();
    const address = newAddress();
    await world.connect(token, 'google', address);

    expect((await world.connect(token, 'google', address)).statusCode).toBe(200);

    expect(await world.addresses(token)).toEqual([address]);
  });

  it('400 for an expired code', async () => {
    const token = await world.api.tokenFor();
    const url = await world.authorizationUrl(token, 'google');
    const back = await world.decide(url, newAddress());
    back.searchParams.set('code', '4/0expired-long-ago');

    const answer = await world.finish(token, 'google', back);

    expect(answer.statusCode).toBe(400);
    expect(codeOf(answer)).toBe('mailbox_code_refused');
    expect(await world.addresses(token)).toEqual([]);
  });

  it.each([
    ['code', { code: '', state: 'x' }],
    ['state', { code: 'x', state: '' }],
  ])('400 without a %s', async (field, body) => {
    const answer = await world.finish(await world.api.tokenFor(), 'google', body);

    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0].meta.field).toBe(field);
  });

  it.each([
    ['the mailbox itself is left out', { scope: 'openid' }, 'mailbox_access_incomplete'],
    ['it ends when the person leaves', { refresh_token: undefined }, 'mailbox_access_incomplete'],
  ])('400 when %s of what was allowed', async (_what, change, code) => {
    const token = await world.api.tokenFor();
    const back = await world.decide(await world.authorizationUrl(token, 'google'), newAddress());
    const scope = 'https://www.googleapis.com/auth/gmail.modify';
    world.mailboxes.answerNext({
      provider: 'google',
      endpoint: 'token',
      status: 200,
      body: { access_token: 'ya29.a', refresh_token: '1//r', token_type: 'Bearer', scope, ...change },
    });

    const answer = await world.finish(token, 'google', back);

    expect(answer.statusCode).toBe(400);
    expect(codeOf(answer)).toBe(code);
    expect(await world.addresses(token)).toEqual([]);
  });

  it('400 when too little was allowed, and the consent stays for a customer who has connected the mailbox', async () => {
    const [address, token] = [newAddress(), await world.api.tokenFor()];
    await world.connect(await world.api.tokenFor(), 'google', address);
    const url = new URL(await world.authorizationUrl(token, 'google'));
    url.searchParams.delete('access_type');

    const answer = await world.finish(token, 'google', await world.decide(url.href, address));

    expect(codeOf(answer)).toBe('mailbox_access_incomplete');
    expect(await consents('google')).toContain(address);
  });

  it('409 for a mailbox above the maximum, and its consent is revoked', async () => {
    const token = await world.api.tokenFor();
    const { id: ownerId } = (await world.api.call('GET', '/users/me', { token })).json();
    await world.api.database.pool.query(
      `insert into mailbox_credentials (owner_id, id, provider, account_email, created_at)
       select $1, gen_random_uuid(), 'MICROSOFT', n || '@exists.test', now() from generate_series(1, 100) n`,
      [ownerId],
    );
    const address = newAddress();

    const answer = await world.connect(token, 'google', address);

    expect(answer.statusCode).toBe(409);
    expect(codeOf(answer)).toBe('mailbox_limit_reached');
    expect(await world.addresses(token)).toHaveLength(100);
    expect(await consents('google')).not.toContain(address);

    // Google has one consent for both customers.
    const other = await world.api.tokenFor();
    await world.connect(other, 'google', address);
    expect((await world.connect(token, 'google', address)).statusCode).toBe(409);
    expect(await consents('google')).toContain(address);
  });

  it.each([
    ['token', { error: 'server_error' }],
    ['profile', { error: { code: 500 } }],
  ] as const)(
    '503 when the provider’s %s call fails, and no consent is left standing',
    async (endpoint, body) => {
      const token = await world.api.tokenFor();
      const address = newAddress();
      const back = await world.decide(await world.authorizationUrl(token, 'google'), address);
      world.mailboxes.answerNext({ provider: 'google', endpoint, status: 500, body });

      const answer = await world.finish(token, 'google', back);

      expect(answer.statusCode).toBe(503);
      expect(codeOf(answer)).toBe('mailbox_provider_unavailable');
      expect(await world.addresses(token)).toEqual([]);
      if (endpoint === 'profile') expect(await consents('google')).not.toContain(address);
    },
  );
});

describe('§7 DELETE /warm-up/oauth/credentials', () => {
  const jobs = async () =>
    (await world.api.database.pool.query("select 1 from queue.job where name = 'warmup.revoke-grants'"))
      .rowCount;

  it('§7 204 removes the mailbox with this address, in any case, and revokes it at Google', async () => {
    const token = await world.api.tokenFor();
    const [stays, goes] = [newAddress(), newAddress()];
    await world.connect(token, 'google', stays);
    await world.connect(token, 'google', goes);
    const before = (await jobs()) ?? 0;

    const answer = await remove(
      token,
      `${credentials}?accountEmail=${encodeURIComponent(goes.toUpperCase())}`,
    );

    expect(answer.statusCode).toBe(204);
    expect(await world.addresses(token)).toEqual([stays]);
    expect(await jobs()).toBe(before + 1);
    await world.runJob('warmup.revoke-grants');
    expect(await consents('google')).toContain(stays);
    expect(await consents('google')).not.toContain(goes);
  });

  it('§7 204 by provider, which leaves the same address at another provider', async () => {
    const token = await world.api.tokenFor();
    const address = newAddress();
    await world.connect(token, 'google', address);
    await world.connect(token, 'microsoft', address);

    const answer = await remove(token, `/warm-up/google/oauth/credentials?accountEmail=${address}`);

    expect(answer.statusCode).toBe(204);
    const list = (await world.api.call('GET', credentials, { token })).json().credentials;
    expect(list).toMatchObject([{ email: address, provider: 'MICROSOFT' }]);
  });

  it('404 for another customer’s mailbox, the same as for none, and it stays', async () => {
    const theirs = await world.api.tokenFor();
    const address = newAddress();
    await world.connect(theirs, 'google', address);
    const stranger = await world.api.tokenFor();

    const refusals = [
      await remove(stranger, `${credentials}?accountEmail=${address}`),
      await remove(stranger, `${credentials}?accountEmail=${newAddress()}`),
    ];

    for (const refusal of refusals) {
      expect(refusal.statusCode).toBe(404);
      expect(refusal.json().errors[0]).toMatchObject({ code: 'mailbox_not_found', meta: {} });
    }
    expect(await world.addresses(theirs)).toEqual([address]);
  });

  it('§7 204 /all removes all mailboxes of the caller only, also if there are none', async () => {
    const token = await world.api.tokenFor();
    const other = await world.api.tokenFor();
    const [one, two, kept] = [newAddress(), newAddress(), newAddress()];
    await world.connect(token, 'google', one);
    await world.connect(token, 'microsoft', two);
    await world.connect(other, 'google', kept);

    expect((await remove(token, `${credentials}/all`)).statusCode).toBe(204);
    expect((await remove(token, `${credentials}/all`)).statusCode).toBe(204);

    expect(await world.addresses(token)).toEqual([]);
    expect(await world.addresses(other)).toEqual([kept]);
    await world.runJob('warmup.revoke-grants');
    expect(await consents('google')).not.toContain(one);
    expect(await consents('google')).toContain(kept);
    // Microsoft has no call for revoking.
    expect(await consents('microsoft')).toContain(two);
    const left = await world.api.database.pool.query(
      'select 1 from mailbox_credentials where account_email = any($1)',
      [[one, two]],
    );
    expect(left.rowCount).toBe(0);
  });
});

describe('authentication', () => {
  const everyCall = Object.values(warmUpRoutes);
  const addressOf = (path: string) => path.replace(':provider', 'google');

  it.each(everyCall)('§6 $method $path: 401 when signed out', async ({ method, path }) => {
    expect((await world.api.call(method, addressOf(path))).statusCode).toBe(401);
  });

  it.each(everyCall)(
    '§6 $method $path does not exist outside staging, signed in or not',
    async ({ method, path }) => {
      const production = await startTestApi({ beside: world.api, clock: world.clock });
      const token = await world.api.tokenFor();
      const answers = [
        await production.call(method, addressOf(path), { token }),
        await production.call(method, addressOf(path)),
      ];
      const nowhere = await production.call(method, '/no-such-address');
      await production.close();

      for (const answer of answers) {
        expect(answer.statusCode).toBe(404);
        expect(codeOf(answer)).toBe(codeOf(nowhere));
      }
    },
  );
});
