import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryStorage } from '../testing/memory-storage.ts';
import type { Identity } from './identity.ts';
import { createIdentity } from './oidc-identity.ts';
import { startLoopbackIssuer } from './testing/loopback-issuer.ts';

let issuer: Awaited<ReturnType<typeof startLoopbackIssuer>>;
let identity: Identity;

beforeEach(async () => {
  issuer = await startLoopbackIssuer();
  identity = createIdentity({
    config: { issuer: issuer.issuer, client_id: 'web', audience: 'https://assay.test/api' },
    origin: 'https://assay.test',
    storage: createMemoryStorage(),
    nowSeconds: () => 1_800_000_000,
  });
});
afterEach(() => issuer.stop());

describe('the way to the provider', () => {
  it('asks for a code with PKCE, meant for our API, to come back to /redirect', async () => {
    const url = new URL(await identity.signInUrl('/billing'));

    expect(url.origin + url.pathname).toBe(`${issuer.issuer}/auth`);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'web',
      redirect_uri: 'https://assay.test/redirect',
      code_challenge_method: 'S256',
      resource: 'https://assay.test/api',
      audience: 'https://assay.test/api',
      scope: 'openid profile email offline_access',
    });
    expect(url.searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/);
  });

  it('does not tell the provider which page the person was on', async () => {
    expect(await identity.signInUrl('/email-verification/bulk/secret-list')).not.toContain('secret-list');
  });

  it('refuses a return whose state this browser never sent', async () => {
    await expect(identity.completeSignIn('https://assay.test/redirect?code=c&state=forged')).rejects.toThrow(
      'No matching state',
    );
  });
});

describe('the way out', () => {
  it('signs out at the provider and lands on a page that it knows', async () => {
    const url = new URL(await identity.signOutUrl(undefined, '/goodbye'));

    expect(url.origin + url.pathname).toBe(`${issuer.issuer}/session/end`);
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe('https://assay.test/goodbye');
    expect(url.searchParams.get('client_id')).toBe('web');
  });
});
