import { Visitor } from '@assay/pages/testing/visitor';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  client,
  codeFields,
  connect,
  startTestMailboxes,
  type TestMailboxes,
} from './testing/test-mailboxes.ts';

let now = new Date();
const advanceMinutes = (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60_000);
};
let mailboxes: TestMailboxes;
beforeAll(async () => {
  mailboxes = await startTestMailboxes({ now: () => now });
});
afterAll(() => mailboxes.close());

const both = ['google', 'microsoft'] as const;
const profileOf = async (provider: (typeof both)[number], token = '') => {
  const answer = await fetch(mailboxes.addresses[provider].profile, {
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
};
const revoke = (token = '') =>
  fetch(mailboxes.addresses.google.revoke ?? '', { method: 'POST', body: new URLSearchParams({ token }) });
const addresses = async (provider: (typeof both)[number]) =>
  (await mailboxes.consents(provider)).map(({ address }) => address);

describe.each(both)('the pages of %s', (provider) => {
  it('offer accounts, then ask for consent in words, and say that they are a stand-in', async () => {
    const { page } = await mailboxes.authorize(provider);
    const [name, address] =
      provider === 'google'
        ? ['Tom Okafor', 'tom.okafor@gmail.test']
        : ['Jun Watanabe', 'jun.watanabe@contoso.test'];

    const consent = await new Visitor(mailboxes.origin).follow(page, name);

    expect(page.text).toContain('A stand-in for');
    expect(consent.text).toContain(address);
    expect(consent.text).toContain('mail');
    expect(consent.headers.get('content-security-policy')).toContain("form-action 'self' http://app.test");
  });

  it('take another address, and explain why an invalid one is refused', async () => {
    const wrong = await mailboxes.authorize(provider, { account: '<b>nobody' });
    const right = await mailboxes.authorize(provider, { account: 'Some.One@Exists.test' });

    expect(wrong.page.status).toBe(422);
    expect(wrong.page.text).toContain('Enter a valid email');
    expect(wrong.page.text).not.toContain('<b>nobody');
    expect(right.page.text).toContain('some.one@exists.test');
  });

  it('send a refusal back with the state, and nothing was allowed', async () => {
    const visit = await mailboxes.authorize(provider, { login_hint: 'refuser@exists.test' });

    const back = await visit.answer('deny');

    expect(back.url.origin + back.url.pathname).toBe(client.redirectUris[0]);
    expect(back.url.searchParams.get('error')).toBe('access_denied');
    expect(back.url.searchParams.get('state')).toBe('the-state');
    expect(back.url.searchParams.has('code')).toBe(false);
    expect(await addresses(provider)).not.toContain('refuser@exists.test');
  });

  it.each([
    [{ client_id: 'stranger' }, 'invalid_client'],
    [{ redirect_uri: 'http://evil.test/oauth/callback' }, 'redirect_uri_mismatch'],
  ])('never redirect to an address that is not registered: %o', async (parameters, error) => {
    const { page } = await mailboxes.authorize(provider, parameters);

    expect(page.status).toBe(400);
    expect(page.text).toContain(error);
    expect(page.url.origin).toBe(mailboxes.origin);
  });

  it.each([
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ scope: 'everything' }, 'invalid_scope'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
  ])('send a wrong request back: %o', async (parameters, error) => {
    const { page } = await mailboxes.authorize(provider, parameters);

    expect(page.url.searchParams.get('error')).toBe(error);
  });

  it('let a person take back what they allowed, after which nothing of it works', async () => {
    const address = `leaver@${provider}.test`;
    const tokens = await connect(mailboxes, provider, address);
    const visitor = new Visitor(mailboxes.origin);
    const page = await visitor.open(mailboxes.addresses[provider].connections);
    expect(page.text).toContain(address);

    const after = await visitor.submit(page, {});

    expect(after.text).not.toContain(address);
    expect((await profileOf(provider, tokens.access_token)).status).toBe(401);
    const refused = await mailboxes.askForTokens(provider, {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token ?? '',
    });
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });
});

describe.each(both)('the token endpoint of %s', (provider) => {
  const allowed = async (address = 'payer@exists.test') => {
    const visit = await mailboxes.authorize(provider, { login_hint: address });
    return codeFields(await visit.answer('allow'), visit.verifier);
  };

  it('gives tokens for a code, and the access token opens the profile', async () => {
    const { status, body } = await mailboxes.askForTokens(provider, await allowed('owner@exists.test'));

    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3_599 });
    expect(body.refresh_token).toBeTruthy();
    const { body: profile } = await profileOf(provider, body.access_token);
    expect(provider === 'google' ? profile.emailAddress : profile.mail).toBe('owner@exists.test');
  });

  it.each([
    ['a verifier that is not the one', { code_verifier: 'x'.repeat(43) }],
    ['another redirect address', { redirect_uri: 'http://app.test/elsewhere' }],
    ['a code that was never issued', { code: '4/0made-up' }],
  ])('refuses %s', async (_what, change) => {
    const answer = await mailboxes.askForTokens(provider, { ...(await allowed()), ...change });

    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('refuses a code that has expired', async () => {
    const fields = await allowed();
    advanceMinutes(10);

    const answer = await mailboxes.askForTokens(provider, fields);

    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('refuses a code that was used, and takes back what it gave for it', async () => {
    const fields = await allowed('twice@exists.test');
    const first = await mailboxes.askForTokens(provider, fields);

    const second = await mailboxes.askForTokens(provider, fields);

    expect(second).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await profileOf(provider, first.body.access_token)).status).toBe(401);
  });

  it('refuses a client with the wrong secret', async () => {
    const answer = await mailboxes.askForTokens(provider, { ...(await allowed()), client_secret: 'guess' });

    expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });

  it('refreshes: the old access token ends by itself, the new one opens the profile', async () => {
    const tokens = await connect(mailboxes, provider, 'stayer@exists.test');
    advanceMinutes(60);
    expect((await profileOf(provider, tokens.access_token)).status).toBe(401);

    const { status, body } = await mailboxes.askForTokens(provider, {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token ?? '',
    });

    expect(status).toBe(200);
    expect((await profileOf(provider, body.access_token)).status).toBe(200);
    // Microsoft's refresh tokens are replaced, Google's stay.
    expect(body.refresh_token !== undefined).toBe(provider === 'microsoft');
  });
});

describe('Google alone', () => {
  it('gives a refresh token only with the scope offline_access', async () => {
    const visit = await mailboxes.authorize('google', {
      login_hint: 'online@exists.test',
      access_type: 'online',
    });

    const { body } = await mailboxes.askForTokens(
      'google',
      codeFields(await visit.answer('allow'), visit.verifier),
    );

    expect(body.access_token).toBeTruthy();
    expect(body.refresh_token).toBeUndefined();
  });

  it('revokes: any token of a grant ends all of it, and a second time is refused', async () => {
    const tokens = await connect(mailboxes, 'google', 'gone@exists.test');

    expect((await revoke(tokens.refresh_token)).status).toBe(200);

    expect((await profileOf('google', tokens.access_token)).status).toBe(401);
    expect(await addresses('google')).not.toContain('gone@exists.test');
    expect((await revoke(tokens.refresh_token)).status).toBe(400);
    expect((await revoke('made-up')).status).toBe(400);
  });
});

describe('the stand-in', () => {
  it('remembers grants over a restart, and no token is readable in its database', async () => {
    const { databaseUrl } = mailboxes;
    const tokens = await connect(mailboxes, 'google', 'keeper@exists.test');
    const other = await startTestMailboxes({ databaseUrl, now: () => now });

    const { status } = await other.askForTokens('google', {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token ?? '',
    });
    await other.close();

    expect(status).toBe(200);
    const db = new pg.Client({ connectionString: databaseUrl });
    await db.connect();
    const rows = [];
    for (const table of ['grants', 'codes', 'tokens']) {
      rows.push(...(await db.query(`select * from mailboxes.${table}`)).rows);
    }
    await db.end();
    expect(JSON.stringify(rows)).toContain('keeper@exists.test');
    expect(JSON.stringify(rows)).not.toContain(tokens.refresh_token);
    expect(JSON.stringify(rows)).not.toContain(tokens.access_token);
  });

  it('answers oddly when a test asks for it, once', async () => {
    mailboxes.answerNext({ provider: 'google', endpoint: 'token', status: 503, body: { error: 'busy' } });
    const fields = { grant_type: 'refresh_token', refresh_token: 'x' };

    expect((await mailboxes.askForTokens('microsoft', fields)).status).toBe(400);
    expect(await mailboxes.askForTokens('google', fields)).toEqual({ status: 503, body: { error: 'busy' } });
    expect((await mailboxes.askForTokens('google', fields)).status).toBe(400);
  });

  it('has nothing at other addresses', async () => {
    expect((await fetch(`${mailboxes.origin}/google/secrets`)).status).toBe(404);
  });
});
