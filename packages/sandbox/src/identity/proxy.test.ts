import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  clientId,
  freePort,
  getJson,
  redirectUri,
  startTestIdentity,
  type TestIdentity,
} from './testing/test-identity.ts';

let identity: TestIdentity;
let listening: string;
beforeAll(async () => {
  const port = await freePort();
  listening = `http://127.0.0.1:${port}`;
  const signInPerAddress = { name: 'address', max: 1, windowMinutes: 15 };
  identity = await startTestIdentity({ issuer: 'https://id.assay.test', port, limits: { signInPerAddress } });
});
afterAll(async () => {
  await identity.close();
  expect(identity.faults).toEqual([]);
});

/** What a proxy that ends TLS passes on; what is left of the last address came from the browser. */
const forwarded = (from: string) => ({
  'x-forwarded-for': from,
  'x-forwarded-proto': 'http',
  'x-forwarded-host': 'evil.test',
});

function startFrom(from: string): Promise<Response> {
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  });
  return fetch(`${listening}/auth?${query}`, { redirect: 'manual', headers: forwarded(from) });
}

/** A failed sign-in that reached the proxy from this address; answers its status. */
async function failFrom(from: string): Promise<number> {
  const started = await startFrom(from);
  const page = `${listening}${started.headers.get('location')}`;
  const headers = {
    ...forwarded(from),
    cookie: started.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; '),
  };
  const form_token =
    /name="form_token" value="([^"]+)"/.exec(await (await fetch(page, { headers })).text())?.[1] ?? '';
  const body = new URLSearchParams({
    form_token,
    email: `nobody${Math.random()}@exists.test`,
    password: 'a guess',
  });
  return (await fetch(page, { method: 'POST', headers, body })).status;
}

describe('behind a proxy that ends TLS', () => {
  it('addresses in answers are the issuer’s, whatever the request says', async () => {
    const discovery = await getJson(`${listening}/.well-known/openid-configuration`, forwarded('192.0.2.1'));
    expect(discovery).toMatchObject({
      issuer: 'https://id.assay.test',
      token_endpoint: 'https://id.assay.test/token',
      authorization_endpoint: 'https://id.assay.test/auth',
    });
    expect(JSON.stringify(discovery)).not.toContain('evil.test');
  });

  it('cookies are for TLS only', async () => {
    const started = await startFrom('192.0.2.1');
    const cookies = started.headers.getSetCookie();
    expect(cookies.length).toBeGreaterThan(0);
    for (const cookie of cookies) expect(cookie.toLowerCase()).toMatch(/; secure/);
    expect(started.headers.get('strict-transport-security')).toContain('max-age');
  });

  it('attempts are counted by the address that the proxy saw, not by one that the browser made up', async () => {
    expect(await failFrom('192.0.2.1')).toBe(422);
    expect(await failFrom('198.51.100.7, 192.0.2.1')).toBe(429);
    expect(await failFrom('192.0.2.2')).toBe(422);
  });
});
