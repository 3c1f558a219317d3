import { createDatabase } from '@assay/postgres/testing/database';
import { freePort } from '@assay/postgres/testing/free-port';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import { issueIdentityToken } from './index.ts';
import { MovingClock } from './testing/moving-clock.ts';
import {
  askForTokens,
  audience,
  authorize,
  buildPerson,
  clientId,
  exchangeCode,
  getJson,
  redirectUri,
  signIn,
  signUp,
  startTestIdentity,
  type TestIdentity,
} from './testing/test-identity.ts';

const publishedKids = async ({ issuer }: TestIdentity) =>
  (await getJson<{ keys: { kid: string; d?: string }[] }>(`${issuer}/jwks`)).keys.map(({ kid }) => kid);

describe('a restart', () => {
  it('keeps accounts, sessions, refresh tokens and keys', async () => {
    const first = await startTestIdentity();
    const person = buildPerson();
    const visitor = first.visitor();
    const { page, verifier } = await signUp(first, visitor, person);
    const tokens = await exchangeCode(first, page, verifier);
    const kids = await publishedKids(first);
    await first.close();

    const again = await startTestIdentity({ databaseUrl: first.databaseUrl, port: first.options.port });
    expect(await publishedKids(again)).toEqual(kids);
    expect((await authorize(again, visitor)).page.url.href).toContain(redirectUri);
    const refreshed = await askForTokens(again, {
      grant_type: 'refresh_token',
      refresh_token: tokens.body.refresh_token ?? '',
    });
    expect(refreshed.status).toBe(200);
    expect((await signIn(again, again.visitor(), person)).page.url.href).toContain(redirectUri);
    await again.close();
    expect([...first.faults, ...again.faults]).toEqual([]);
  });

  it('finishes a sign-in that was begun before it', async () => {
    const first = await startTestIdentity();
    const person = buildPerson();
    await signUp(first, first.visitor(), person);
    const visitor = first.visitor();
    const { page, verifier } = await authorize(first, visitor);
    await first.close();

    const again = await startTestIdentity({ databaseUrl: first.databaseUrl, port: first.options.port });
    const back = await visitor.submit(page, { email: person.email, password: person.password });
    expect((await exchangeCode(again, back, verifier)).status).toBe(200);
    await again.close();
  });
});

describe('several processes', () => {
  it('may start at once on an empty database and agree on everything', async () => {
    const databaseUrl = await createDatabase();
    const demo = {
      email: 'demo@assay.test',
      password: 'demo of the assay',
      firstName: 'Dana',
      lastName: 'Demo',
    };
    const identities = await Promise.all(
      Array.from({ length: 4 }, () => startTestIdentity({ databaseUrl, demo })),
    );
    const [one, ...others] = identities as [TestIdentity, ...TestIdentity[]];
    const kids = await publishedKids(one);
    expect(kids).toHaveLength(1);
    for (const other of others) expect(await publishedKids(other)).toEqual(kids);
    expect(await one.query('SELECT 1 FROM identity.accounts')).toHaveLength(1);
    const { page } = await signIn(one, one.visitor(), demo);
    expect(page.url.href).toContain(redirectUri);
    await Promise.all(identities.map((identity) => identity.close()));
  });

  it('a taken port is an error that names it', async () => {
    const first = await startTestIdentity();
    await expect(
      startTestIdentity({ databaseUrl: first.databaseUrl, port: first.options.port }),
    ).rejects.toMatchObject({ code: 'EADDRINUSE', port: first.options.port });
    await first.close();
  });

  it('a command beside the running provider issues tokens that it accepts', async () => {
    const identity = await startTestIdentity();
    const person = buildPerson();
    await signUp(identity, identity.visitor(), person);
    const { databaseUrl, issuer } = identity.options;
    const token = await issueIdentityToken({ databaseUrl, issuer, audience, clientId, email: person.email });
    expect(decodeJwt(token)).toMatchObject({ aud: audience, iss: issuer, email: person.email });
    const userinfo = await getJson(`${issuer}/me`, { authorization: `Bearer ${token}` });
    expect(userinfo).toMatchObject({ email: person.email });
    await identity.close();
  });
});

describe('signing keys', () => {
  const day = 24 * 60;

  it('rotate after 90 days; the new one is published an hour before it signs, the old one until its tokens have long ended', async () => {
    const clock = new MovingClock();
    const databaseUrl = await createDatabase();
    const start = async () =>
      startTestIdentity({ databaseUrl, clock, upkeepEveryMs: 50, port: await freePort() });
    const [first, second] = [await start(), await start()];
    const person = buildPerson();
    await signUp(first, first.visitor(), person);
    const [oldKid] = await publishedKids(first);
    const signingKid = async (identity: TestIdentity) =>
      decodeProtectedHeader(await identity.issueToken(person)).kid;

    // Both run on, and one of them makes the key.
    clock.advanceMinutes(91 * day);
    for (const identity of [first, second]) {
      await expect.poll(() => publishedKids(identity)).toHaveLength(2);
      expect(await signingKid(identity)).toBe(oldKid);
    }
    const newKid = (await publishedKids(first)).find((kid) => kid !== oldKid);
    expect(await publishedKids(second)).toContain(newKid);
    clock.advanceMinutes(61);
    for (const identity of [first, second]) {
      await expect.poll(() => signingKid(identity)).toBe(newKid);
      expect(await publishedKids(identity)).toContain(oldKid);
    }

    clock.advanceMinutes(30 * day);
    for (const identity of [first, second]) {
      await expect.poll(() => publishedKids(identity)).toEqual([newKid]);
      await identity.close();
      expect(identity.faults).toEqual([]);
    }
  });

  it('show only their public part', async () => {
    const identity = await startTestIdentity();
    const { keys } = await getJson<{ keys: object[] }>(`${identity.issuer}/jwks`);
    expect(Object.keys(keys[0] ?? {}).toSorted()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    await identity.close();
  });
});
