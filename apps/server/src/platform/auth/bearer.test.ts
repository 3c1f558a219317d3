import { createHmac, generateKeyPairSync } from 'node:crypto';
import { decodeProtectedHeader, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { movableClock } from '../../testing/clock.ts';
import { startTestIssuer, type TestIssuer } from '../../testing/issuer.ts';
import { AppError } from '../errors/index.ts';
import { createBearerVerifier } from './bearer.ts';
import { connectIssuer } from './issuer.ts';
import type { TokenType } from './token-type.ts';

describe('a bearer token', () => {
  let provider: TestIssuer;
  const clock = movableClock(new Date());

  beforeAll(async () => {
    provider = await startTestIssuer();
  });
  afterAll(() => provider.close());

  const newVerifier = (
    keyCooldownMs?: number,
    issuer = provider,
    tokenTypes: readonly TokenType[] = ['at+jwt', 'jwt'],
  ) =>
    createBearerVerifier({
      issuer: connectIssuer({ issuer: issuer.url, ...(keyCooldownMs !== undefined && { keyCooldownMs }) }),
      audience: issuer.audience,
      clientId: 'assay-web',
      tokenTypes,
      clock,
    });
  const outcomeOf = async (token: string, verify = newVerifier()) =>
    verify(token).then(
      ({ subject }) => `accepted ${subject.sub}`,
      (error) => (error instanceof AppError ? `${error.status} ${error.code}` : `threw ${error}`),
    );
  const claims = () => ({
    iss: provider.url,
    aud: provider.audience,
    sub: 'ada',
    exp: Math.floor(clock.now().getTime() / 1_000) + 600,
  });

  it('is accepted for its subject until it ends', async () => {
    const token = await provider.tokenFor({ sub: 'ada' }, { issuedAt: clock.now(), lifeSeconds: 60 });
    const verified = await newVerifier()(token);

    expect(verified.subject).toMatchObject({ issuer: provider.url, sub: 'ada' });
    expect(verified.expiresAt.getTime() - verified.subject.issuedAt.getTime()).toBe(60_000);
  });

  it('401 token_expired once it has ended, with a few seconds for clocks that disagree', async () => {
    const token = await provider.tokenFor({ sub: 'ada' }, { issuedAt: clock.now(), lifeSeconds: 60 });
    clock.advance({ seconds: 63 });
    expect(await outcomeOf(token)).toBe('accepted ada');

    clock.advance({ seconds: 3 });
    expect(await outcomeOf(token)).toBe('401 token_expired');
  });

  it('401 before its time', async () => {
    const nbf = Math.floor(clock.now().getTime() / 1_000) + 60;
    expect(await outcomeOf(await provider.tokenFor({ nbf }))).toBe('401 unauthorized');
  });

  it('401 for a foreign audience', async () => {
    expect(await outcomeOf(await provider.tokenFor({ aud: 'https://other.test/api' }))).toBe(
      '401 unauthorized',
    );
  });

  it('401 when it names another issuer, and no key is fetched from there', async () => {
    const stranger = await startTestIssuer();
    const token = await stranger.tokenFor({ aud: provider.audience });

    expect(await outcomeOf(token)).toBe('401 unauthorized');
    expect(await outcomeOf(await provider.tokenFor({ iss: stranger.url }))).toBe('401 unauthorized');
    expect(stranger.keyRequestCount).toBe(0);
    await stranger.close();
  });

  it('401 with alg none', async () => {
    expect(await outcomeOf(new UnsecuredJWT(claims()).encode())).toBe('401 unauthorized');
  });

  it('401 when its signature is taken off or belongs to other claims', async () => {
    const token = await provider.tokenFor({ sub: 'ada' });
    const [header, , signature] = token.split('.');
    const forged = Buffer.from(JSON.stringify({ ...claims(), sub: 'admin' })).toString('base64url');

    expect(await outcomeOf(`${header}.${token.split('.')[1]}.`)).toBe('401 unauthorized');
    expect(await outcomeOf(`${header}.${forged}.${signature}`)).toBe('401 unauthorized');
  });

  it('401 when it is signed with our public key as if that were a shared secret', async () => {
    const { kid } = decodeProtectedHeader(await provider.tokenFor());
    const keys = await fetch(`${provider.url}/jwks`).then((answer) => answer.text());
    const header = Buffer.from(JSON.stringify({ alg: 'HS256', kid })).toString('base64url');
    const payload = Buffer.from(JSON.stringify(claims())).toString('base64url');
    const signature = createHmac('sha256', keys).update(`${header}.${payload}`).digest('base64url');

    expect(await outcomeOf(`${header}.${payload}.${signature}`)).toBe('401 unauthorized');
  });

  it('401 when it brings its own key, or says where to fetch one', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const token = await new SignJWT(claims())
      .setProtectedHeader({
        alg: 'ES256',
        kid: 'mine',
        jku: `${provider.url}/elsewhere`,
        jwk: publicKey.export({ format: 'jwk' }),
      })
      .sign(privateKey);

    expect(await outcomeOf(token)).toBe('401 unauthorized');
  });

  it.each(['', 'nonsense', 'a.b.c', 'eyJhbGciOiJFUzI1NiJ9..'])('401 for %j', async (token) => {
    expect(await outcomeOf(token)).toBe('401 unauthorized');
  });

  it('401 without a subject or an end', async () => {
    expect(await outcomeOf(await provider.tokenFor({ sub: undefined }))).toBe('401 unauthorized');
    expect(await outcomeOf(await provider.tokenFor({ exp: undefined }))).toBe('401 unauthorized');
  });

  it('401 with a subject or a session that no row could hold', async () => {
    for (const claims of [{ sub: 'a\0b' }, { sub: 'a'.repeat(256) }, { sid: 'a\0b' }]) {
      expect(await outcomeOf(await provider.tokenFor(claims))).toBe('401 unauthorized');
    }
  });

  it.each(['at+jwt', 'application/at+jwt', 'JWT'])('is accepted with the type %s', async (typ) => {
    expect(await outcomeOf(await provider.tokenFor({ sub: 'ada' }, { typ }))).toBe('accepted ada');
  });

  it.each(['logout+jwt', 'dpop+jwt', 'secevent+jwt', ''])('401 with the type %j', async (typ) => {
    expect(await outcomeOf(await provider.tokenFor({ sub: 'ada' }, { typ }))).toBe('401 unauthorized');
  });

  it('401 with the type JWT where the operator accepts at+jwt only', async () => {
    const token = await provider.tokenFor({ sub: 'ada' }, { typ: 'JWT' });

    expect(await outcomeOf(token, newVerifier(undefined, provider, ['at+jwt']))).toBe('401 unauthorized');
  });

  it.each([
    ['has the nonce of a sign-in', { nonce: 'n-0S6' }],
    ['has the hash of an access token', { at_hash: 'x' }],
    ['is of the type ID, as Keycloak says it', { typ: 'ID' }],
    ['is a refresh token of Keycloak', { typ: 'Refresh' }],
    ['is meant for the web app too', { aud: ['https://assay.test/api', 'assay-web'] }],
  ])('401 for an id token or the like, which %s', async (_what, claims) => {
    expect(await outcomeOf(await provider.tokenFor(claims, { typ: 'JWT' }))).toBe('401 unauthorized');
  });

  it('is accepted as Keycloak issues it: typ JWT in the header, Bearer in the claims', async () => {
    const token = await provider.tokenFor({ sub: 'ada', typ: 'Bearer', azp: 'assay-web' }, { typ: 'JWT' });

    expect(await outcomeOf(token)).toBe('accepted ada');
  });

  it('tells when the person signed in, and in which session', async () => {
    const plain = await provider.tokenFor({ auth_time: 1_700_000_000, sid: 's1', jti: 't1' });
    const namespaced = await provider.tokenFor({
      auth_time: undefined,
      sid: undefined,
      [`${provider.audience}/auth_time`]: 1_700_000_000,
      [`${provider.audience}/sid`]: 's1',
    });

    for (const token of [plain, namespaced]) {
      expect((await newVerifier()(token)).subject).toMatchObject({
        signedInAt: new Date(1_700_000_000_000),
        sessionId: 's1',
        sessionKey: 'sid s1',
      });
    }
  });

  it('that names neither is known by what it says, whatever its signature', async () => {
    const token = await provider.tokenFor({ auth_time: undefined, sid: undefined });

    expect((await newVerifier()(token)).subject).toMatchObject({
      signedInAt: null,
      sessionId: null,
      sessionKey: expect.stringMatching(/^token [\w-]{43}$/),
    });
  });

  it('is accepted after the issuer has changed its keys', async () => {
    const verify = newVerifier(0);
    expect(await outcomeOf(await provider.tokenFor({ sub: 'before' }), verify)).toBe('accepted before');

    await provider.rotateKeys();
    expect(await outcomeOf(await provider.tokenFor({ sub: 'after' }), verify)).toBe('accepted after');
  });

  it('with an unknown key does not make us ask the issuer again and again', async () => {
    const verify = newVerifier();
    await outcomeOf(await provider.tokenFor(), verify);
    const requestsBefore = provider.keyRequestCount;
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

    for (let i = 0; i < 20; i += 1) {
      const token = new SignJWT(claims()).setProtectedHeader({ alg: 'ES256', kid: `unknown ${i}` });
      expect(await outcomeOf(await token.sign(privateKey), verify)).toBe('401 unauthorized');
    }
    expect(provider.keyRequestCount).toBe(requestsBefore);
  });

  it('503 while the issuer cannot be asked, and accepted when it can', async () => {
    const verify = newVerifier();
    const token = await provider.tokenFor({ sub: 'ada' });

    provider.setBroken(true);
    expect(await outcomeOf(token, verify)).toBe('503 service_unavailable');

    provider.setBroken(false);
    expect(await outcomeOf(token, verify)).toBe('accepted ada');
  });
});

describe('the profile of a subject', () => {
  let provider: TestIssuer;

  beforeAll(async () => {
    provider = await startTestIssuer();
  });
  afterAll(() => provider.close());

  const profileOf = async (token: string) => {
    const verify = createBearerVerifier({
      issuer: connectIssuer({ issuer: provider.url }),
      audience: provider.audience,
      clientId: 'assay-web',
      tokenTypes: ['at+jwt'],
      clock: { now: () => new Date() },
    });
    return (await verify(token)).subject.readProfile();
  };

  it('is read from the token when it holds an address', async () => {
    const token = await provider.tokenFor({
      email: 'ada@example.com',
      email_verified: true,
      given_name: 'Ada',
      family_name: 'Assayer',
      identities: ['google'],
    });

    expect(await profileOf(token)).toEqual({
      email: 'ada@example.com',
      isEmailVerified: true,
      firstName: 'Ada',
      lastName: 'Assayer',
      phone: null,
      identities: ['google'],
    });
  });

  it('is asked of the provider when the token does not', async () => {
    provider.setUserinfo('ada', { sub: 'ada', email: 'ada@example.com', name: 'Ada King Assayer' });

    expect(await profileOf(await provider.tokenFor({ sub: 'ada' }))).toMatchObject({
      email: 'ada@example.com',
      isEmailVerified: false,
      firstName: 'Ada',
      lastName: 'King Assayer',
      identities: ['email'],
    });
  });

  it('ignores a userinfo answer about another subject', async () => {
    provider.setUserinfo('eve', { sub: 'ada', email: 'ada@example.com', email_verified: true });

    expect(await profileOf(await provider.tokenFor({ sub: 'eve' }))).toMatchObject({ email: null });
  });
});
