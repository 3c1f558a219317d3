import { freePort } from '@assay/postgres/testing/free-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  clientId,
  getJson,
  redirectUri,
  startTestIdentity,
  type TestIdentity,
} from './testing/test-identity.ts';

const owner = {
  email: 'owner@exists.test',
  password: 'copper beads in a cupel',
  firstName: 'Ada',
  lastName: 'King',
};
let identity: TestIdentity;
let listening: string;
beforeAll(async () => {
  const port = await freePort();
  listening = `http://127.0.0.1:${port}`;
  identity = await startTestIdentity({
    issuer: 'https://id.assay.test',
    port,
    demo: owner,
    limits: {
      signInPerAddress: { name: 'address', max: 3, windowMinutes: 15 },
      signInPerAccountAndNetwork: { name: 'account_network', max: 2, windowMinutes: 15 },
      signInBeforeSlowing: { name: 'slowing', max: 5, windowMinutes: 24 * 60 },
      signInPerNetworkWhileSlowed: { name: 'slowed', max: 1, windowMinutes: 15 },
      signInPerAccount: { name: 'account', max: 10, windowMinutes: 15 },
    },
  });
});
afterAll(async () => {
  await identity.close();
  expect(identity.faults).toEqual([]);
});

/** The headers of a proxy that ends TLS. Addresses before the last one came from the browser. */
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

/** Signs in through the proxy, from a network, in a browser that holds these cookies; answers what came of it. */
async function signInFrom(
  from: string,
  { email, password, device = '' }: { email: string; password: string; device?: string },
) {
  const started = await startFrom(from);
  const page = `${listening}${started.headers.get('location')}`;
  const headers = { ...forwarded(from), cookie: [...cookiesOf(started), device].filter(Boolean).join('; ') };
  const form_token =
    /name="form_token" value="([^"]+)"/.exec(await (await fetch(page, { headers })).text())?.[1] ?? '';
  const body = new URLSearchParams({ form_token, email, password });
  const answer = await fetch(page, { method: 'POST', headers, body, redirect: 'manual' });
  return {
    status: answer.status,
    device: cookiesOf(answer)
      .filter((cookie) => cookie.includes('_device'))
      .join('; '),
  };
}

const cookiesOf = (answer: Response) => answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');

const failFrom = async (from: string, email = `nobody${Math.random()}@exists.test`) =>
  (await signInFrom(from, { email, password: 'a guess' })).status;

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
    for (let attempt = 0; attempt < 3; attempt += 1) expect(await failFrom('192.0.2.1')).toBe(422);
    expect(await failFrom('198.51.100.7, 192.0.2.1')).toBe(429);
    expect(await failFrom('192.0.2.2')).toBe(422);
  });

  it('a stranger’s wrong passwords lock out neither the owner’s network nor a device that signed in before', async () => {
    const atHome = await signInFrom('198.51.100.20', owner);
    expect(atHome.status).toBe(303);
    expect(atHome.device).not.toBe('');

    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await failFrom('203.0.113.7', owner.email)).toBe(422);
    }
    expect(await failFrom('203.0.113.7', owner.email)).toBe(429);
    expect((await signInFrom('198.51.100.20', owner)).status).toBe(303);

    // From ever more networks each of them has less. A new browser at a network of the owner still gets in.
    for (const network of [8, 9, 10]) expect(await failFrom(`203.0.113.${network}`, owner.email)).toBe(422);
    expect(await failFrom('203.0.113.11', owner.email)).toBe(422);
    expect(await failFrom('203.0.113.11', owner.email)).toBe(429);
    expect((await signInFrom('198.51.100.21', owner)).status).toBe(303);

    // Networks of a whole botnet pause new browsers, for minutes. The known device does not notice.
    for (const network of [12, 13, 14, 15])
      expect(await failFrom(`203.0.113.${network}`, owner.email)).toBe(422);
    expect((await signInFrom('198.51.100.22', owner)).status).toBe(429);
    const known = await signInFrom('198.51.100.22', { ...owner, device: atHome.device });
    expect(known.status).toBe(303);
  });

  it('100 wrong passwords from ten networks do not lock a new browser at another one', async () => {
    const port = await freePort();
    const usual = await startTestIdentity({ issuer: 'https://id.assay.test', port, demo: owner });
    const before = listening;
    listening = `http://127.0.0.1:${port}`;
    try {
      for (let attempt = 0; attempt < 100; attempt += 1) {
        expect([422, 429]).toContain(await failFrom(`203.0.113.${attempt % 10}`, owner.email));
      }
      expect((await signInFrom('198.51.100.40', owner)).status).toBe(303);
    } finally {
      listening = before;
      await usual.close();
    }
  });

  it('a device cookie that was tampered with is no known device', async () => {
    const { device } = await signInFrom('198.51.100.30', { ...owner, email: 'owner@exists.test' });
    const forged = device.replace(/_device=[^;]{8}/, '_device=AAAAAAAA');
    for (let attempt = 0; attempt < 3; attempt += 1) await failFrom('198.51.100.31');

    const { status } = await signInFrom('198.51.100.31', { ...owner, device: forged });
    expect(status).toBe(429);
  });
});
