import type { Visitor } from '@assay/pages/testing/visitor';
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import {
  askForTokens,
  authorize,
  buildPerson,
  clientId,
  exchangeCode,
  goodbyeUri,
  identityOfFile,
  redirectUri,
  signUp,
} from './testing/test-identity.ts';

const identity = await identityOfFile();

async function signedUp() {
  const visitor = identity.visitor();
  const { page, verifier } = await signUp(identity, visitor, buildPerson());
  const { body } = await exchangeCode(identity, page, verifier);
  return { visitor, idToken: body.id_token ?? '', refreshToken: body.refresh_token ?? '' };
}

function signOut(visitor: Visitor, parameters: Record<string, string>) {
  return visitor.open(`/session/end?${new URLSearchParams(parameters)}`);
}

async function isSignedIn(visitor: Visitor): Promise<boolean> {
  return (await authorize(identity, visitor)).page.url.href.startsWith(redirectUri);
}

describe('sign-out', () => {
  it('with the person’s id token needs no question and goes straight to the goodbye address', async () => {
    const { visitor, idToken, refreshToken } = await signedUp();
    const page = await signOut(visitor, {
      id_token_hint: idToken,
      post_logout_redirect_uri: goodbyeUri,
      state: 'so long',
    });
    expect(page.url.href).toBe(`${goodbyeUri}?state=so+long`);
    expect(visitor.cookies.some(({ name }) => name.includes('_session'))).toBe(false);
    const left = await identity.query('SELECT model FROM identity.records WHERE account_id = $1', [
      decodeJwt(idToken).sub,
    ]);
    expect(left).toEqual([]);
    expect(await isSignedIn(visitor)).toBe(false);
    const refreshed = await askForTokens(identity, {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
    });
    expect(refreshed.status).toBe(400);
  });

  it('without it asks first, and follows the answer', async () => {
    const { visitor, refreshToken } = await signedUp();
    const asked = await signOut(visitor, { client_id: clientId, post_logout_redirect_uri: goodbyeUri });
    expect(asked.text).toContain('Yes, sign out');
    expect(await isSignedIn(visitor)).toBe(true);

    const again = await signOut(visitor, { client_id: clientId, post_logout_redirect_uri: goodbyeUri });
    const page = await visitor.submit(again, { logout: 'yes' });
    expect(page.url.href).toBe(goodbyeUri);
    expect(await isSignedIn(visitor)).toBe(false);
    const refreshed = await askForTokens(identity, {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
    });
    expect(refreshed.status).toBe(400);
  });

  it('with another person’s id token asks too', async () => {
    const [mine, theirs] = [await signedUp(), await signedUp()];
    const page = await signOut(mine.visitor, { id_token_hint: theirs.idToken });
    expect(page.text).toContain('Yes, sign out');
    expect(await isSignedIn(mine.visitor)).toBe(true);
  });

  it('with a token that we did not sign is refused', async () => {
    const { visitor, idToken } = await signedUp();
    const [header, payload] = idToken.split('.');
    const page = await signOut(visitor, { id_token_hint: `${header}.${payload}.${'A'.repeat(342)}` });
    expect(page.status).toBe(400);
    expect(await isSignedIn(visitor)).toBe(true);
  });

  it('goes to registered addresses only', async () => {
    const { visitor, idToken } = await signedUp();
    const page = await signOut(visitor, {
      id_token_hint: idToken,
      post_logout_redirect_uri: 'http://evil.test/',
    });
    expect(page.status).toBe(400);
    expect(page.url.origin).toBe(identity.issuer);
    expect(await isSignedIn(visitor)).toBe(true);
  });

  it('without a return address ends on a page that says so', async () => {
    const { visitor, idToken } = await signedUp();
    const page = await signOut(visitor, { id_token_hint: idToken });
    expect(page.text).toContain('You are signed out');
  });

  it('of who is signed out already goes on to the goodbye address', async () => {
    const visitor = identity.visitor();
    const page = await signOut(visitor, { client_id: clientId, post_logout_redirect_uri: goodbyeUri });
    const after = await visitor.submit(page, {});
    expect(after.url.href).toBe(goodbyeUri);
  });
});
