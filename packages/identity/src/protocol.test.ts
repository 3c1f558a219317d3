import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import {
  askForTokens,
  audience,
  authorize,
  buildPerson,
  clientId,
  exchangeCode,
  identityOfFile,
  redirectUri,
  signUp,
} from './testing/test-identity.ts';

const identity = await identityOfFile();

async function signedUp() {
  const { page, verifier } = await signUp(identity, identity.visitor(), buildPerson());
  return { page, verifier };
}

describe('authorization request', () => {
  it('without a code challenge is refused', async () => {
    const url = new URL('/auth', identity.issuer);
    url.search = new URLSearchParams({
      client_id: clientId,
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: 'openid',
    }).toString();
    const { url: back } = await identity.visitor().open(url);
    expect(back.searchParams.get('error')).toBe('invalid_request');
    expect(back.searchParams.get('error_description')).toContain('PKCE');
  });

  it('with the plain method is refused', async () => {
    const { page } = await authorize(identity, identity.visitor(), { code_challenge_method: 'plain' });
    expect(page.url.searchParams.get('error')).toBe('invalid_request');
  });

  it('to an address that is not registered shows an error page and goes nowhere', async () => {
    for (const redirect_uri of [
      'http://evil.test/redirect',
      `${redirectUri}/../evil`,
      `${redirectUri}?x=1`,
    ]) {
      const { page } = await authorize(identity, identity.visitor(), { redirect_uri });
      expect(page.status).toBe(400);
      expect(page.url.origin).toBe(identity.issuer);
      expect(page.text).toContain('That did not work');
    }
  });

  it.each(['state', 'nonce', 'login_hint'])('with a %s that cannot be stored is refused', async (name) => {
    const { page } = await authorize(identity, identity.visitor(), { [name]: 'a\0b' });
    expect(page.url.origin).toBe(new URL(redirectUri).origin);
    expect(page.url.searchParams.get('error')).toBe('invalid_request');
  });

  it('for another API is refused', async () => {
    const { page } = await authorize(identity, identity.visitor(), { resource: 'https://other.test' });
    expect(page.url.searchParams.get('error')).toBe('invalid_target');
  });

  it('may name the API, and gets the same token', async () => {
    const visitor = identity.visitor();
    await signUp(identity, visitor, buildPerson());
    const { page, verifier } = await authorize(identity, visitor, { resource: audience });
    const { body } = await exchangeCode(identity, page, verifier);
    expect(decodeJwt(body.access_token ?? '').aud).toBe(audience);
  });
});

describe('authorization code', () => {
  it('needs the verifier that belongs to its challenge', async () => {
    const { page } = await signedUp();
    const { status, body } = await exchangeCode(identity, page, 'x'.repeat(43));
    expect([status, body.error]).toEqual([400, 'invalid_grant']);
  });

  it('works once, however many ask at the same time', async () => {
    const { page, verifier } = await signedUp();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => exchangeCode(identity, page, verifier)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(
      answers.filter(({ status }) => status !== 200).every(({ body }) => body.error === 'invalid_grant'),
    ).toBe(true);
  });
});

describe('access token', () => {
  const claimsOf = (token = '') =>
    decodeJwt<{ auth_time: number; sid: string; iat: number; exp: number }>(token);

  it('lives half an hour, and names the session and when the person signed in; a renewed one repeats both', async () => {
    const { page, verifier } = await signedUp();
    const { body } = await exchangeCode(identity, page, verifier);
    const first = claimsOf(body.access_token);
    expect(first.exp - first.iat).toBe(1_800);
    expect(first.iat - first.auth_time).toBeGreaterThanOrEqual(0);
    expect(first.sid).toMatch(/^[\w-]+$/);

    const renewed = await askForTokens(identity, {
      grant_type: 'refresh_token',
      refresh_token: body.refresh_token ?? '',
    });
    expect(claimsOf(renewed.body.access_token)).toMatchObject({ auth_time: first.auth_time, sid: first.sid });
  });

  it('carries the type of an access token, so that an id token cannot pass for it', async () => {
    const { page, verifier } = await signedUp();
    const { body } = await exchangeCode(identity, page, verifier);
    expect(decodeProtectedHeader(body.access_token ?? '').typ).toBe('at+jwt');
    expect(decodeProtectedHeader(body.id_token ?? '').typ).not.toBe('at+jwt');
  });

  it('has the time of the new sign-in when the web app asks for one with max_age, in the same session', async () => {
    const person = buildPerson();
    const visitor = identity.visitor();
    const begun = await signUp(identity, visitor, person);
    const first = claimsOf((await exchangeCode(identity, begun.page, begun.verifier)).body.access_token);

    const again = await authorize(identity, visitor, { max_age: '0', login_hint: person.email });
    expect(again.page.text).toContain('<h1>Sign in again</h1>');
    const back = await visitor.submit(again.page, { email: person.email, password: person.password });
    const second = claimsOf((await exchangeCode(identity, back, again.verifier)).body.access_token);
    expect(second.sid).toBe(first.sid);
    expect(second.auth_time).toBeGreaterThanOrEqual(first.auth_time);
  });
});

describe('refresh token', () => {
  const refresh = (token: string | undefined) =>
    askForTokens(identity, { grant_type: 'refresh_token', refresh_token: token ?? '' });

  it('is traded for a new one and a new access token for the same API', async () => {
    const { page, verifier } = await signedUp();
    const first = await exchangeCode(identity, page, verifier);
    const second = await refresh(first.body.refresh_token);
    expect(second.status).toBe(200);
    expect(second.body.refresh_token).not.toBe(first.body.refresh_token);
    const [before, after] = [first, second].map(({ body }) => decodeJwt(body.access_token ?? ''));
    expect(after).toMatchObject({ sub: before?.sub, aud: audience, email: before?.email });
    expect(after?.jti).not.toBe(before?.jti);
    expect((await refresh(second.body.refresh_token)).status).toBe(200);
  });

  it('used twice ends its whole family: one of the two holders is a thief', async () => {
    const { page, verifier } = await signedUp();
    const first = await exchangeCode(identity, page, verifier);
    const second = await refresh(first.body.refresh_token);
    expect((await refresh(first.body.refresh_token)).body.error).toBe('invalid_grant');
    expect((await refresh(second.body.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('gives one successor to many concurrent users of it', async () => {
    const { page, verifier } = await signedUp();
    const first = await exchangeCode(identity, page, verifier);
    const answers = await Promise.all(Array.from({ length: 6 }, () => refresh(first.body.refresh_token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('can be revoked', async () => {
    const { page, verifier } = await signedUp();
    const { body } = await exchangeCode(identity, page, verifier);
    await fetch(`${identity.issuer}/token/revocation`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: clientId, token: body.refresh_token ?? '' }),
    });
    expect((await refresh(body.refresh_token)).status).toBe(400);
  });
});

describe('the web app’s origin', () => {
  it('may read the answers of token and userinfo, another origin may not', async () => {
    const own = { origin: new URL(redirectUri).origin };
    const foreign = { origin: 'http://evil.test' };
    const token = await identity.issueToken({ email: await anyEmail() });
    const userinfo = (headers: Record<string, string>) =>
      fetch(`${identity.issuer}/me`, { headers: { authorization: `Bearer ${token}`, ...headers } });
    const allowed = (response: { headers: Headers }) => response.headers.get('access-control-allow-origin');

    expect(allowed(await askForTokens(identity, { grant_type: 'refresh_token' }, own))).toBe(own.origin);
    expect(allowed(await askForTokens(identity, { grant_type: 'refresh_token' }, foreign))).toBeNull();
    expect(allowed(await userinfo(own))).toBe(own.origin);
    expect(allowed(await userinfo(foreign))).toBeNull();
    const preflight = await fetch(`${identity.issuer}/me`, {
      method: 'OPTIONS',
      headers: {
        ...own,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    });
    expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization');
  });

  async function anyEmail(): Promise<string> {
    const person = buildPerson();
    await signUp(identity, identity.visitor(), person);
    return person.email;
  }
});

describe('userinfo', () => {
  it('401 for an id token: it is ours, but not for the API', async () => {
    const { page, verifier } = await signedUp();
    const { body } = await exchangeCode(identity, page, verifier);
    const statusWith = async (token = '') =>
      (await fetch(`${identity.issuer}/me`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await statusWith(body.id_token)).toBe(401);
    expect(await statusWith(body.access_token)).toBe(200);
  });

  it('401 for what we did not sign', async () => {
    const key = await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, true, ['sign', 'verify']);
    const forged = await new SignJWT({ sub: 'x' })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(identity.issuer)
      .setAudience(audience)
      .setExpirationTime('1h')
      .sign(key);
    const none = `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify({ sub: 'x', aud: audience }))}.`;
    for (const token of [forged, none, 'a.b.c', 'opaque']) {
      const response = await fetch(`${identity.issuer}/me`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(response.status, token).toBe(401);
      expect(response.headers.get('www-authenticate')).toContain('invalid_token');
    }
  });
});

describe('every page', () => {
  it('carries a policy under which only our one script runs and no site frames it', async () => {
    const { page } = await authorize(identity, identity.visitor());
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain(`form-action 'self' ${new URL(redirectUri).origin}`);
    expect(policy).toMatch(/script-src http:\/\/127\.0\.0\.1:\d+\/assets\/browser-[0-9a-f]{12}\.js;/);
    expect(page.text).not.toMatch(/<script|style="|onclick|javascript:/);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('has assets that exist, named by their content and kept for ever', async () => {
    const { page } = await authorize(identity, identity.visitor());
    const paths = [...page.text.matchAll(/(?:href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path);
    expect(paths.length).toBeGreaterThanOrEqual(3);
    for (const path of paths) {
      const response = await fetch(`${identity.issuer}${path}`);
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toContain('immutable');
    }
  });

  it('says what the issuer says, whatever host the request names', async () => {
    const { request } = await import('node:http');
    const text = await new Promise<string>((resolve, reject) => {
      const url = new URL('/.well-known/openid-configuration', identity.issuer);
      request(url, { headers: { host: 'evil.test', 'x-forwarded-host': 'evil.test' } }, (response) => {
        let body = '';
        response.on('data', (chunk) => {
          body += chunk;
        });
        response.on('end', () => resolve(body));
      })
        .on('error', reject)
        .end();
    });
    expect(text).toContain(`"token_endpoint":"${identity.issuer}/token"`);
    expect(text).not.toContain('evil.test');
  });

  it('that does not exist says so, as a page to a person and plainly to a program', async () => {
    const page = await identity.visitor().open('/nothing/here');
    expect(page.status).toBe(404);
    expect(page.text).toContain('Content not Found');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const plain = await fetch(`${identity.issuer}/nothing/here`, { headers: { accept: 'application/json' } });
    expect([plain.status, await plain.text()]).toEqual([404, 'Not Found']);
  });

  it('leads who opens the bare address to the web app', async () => {
    const { url } = await identity.visitor().open('/');
    expect(url.href).toBe(new URL('/', redirectUri).href);
  });
});
