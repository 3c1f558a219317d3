import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { freePort } from '@assay/postgres/testing/free-port';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testHttpServer } from '../../testing/http-server.ts';
import { addIdentityPages } from './identity-pages.ts';

interface Asked {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An API in front of a provider that answers so. */
async function withProvider(answer: RequestListener, trustedProxies: readonly string[] = []) {
  const asked: Asked[] = [];
  const provider = createServer(async (request, response) => {
    const { method, url, headers } = request;
    asked.push({ method, url, headers, body: await text(request) });
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const { app } = await testHttpServer((http) => addIdentityPages(http, { url, path: '/identity' }), {
    trustedProxies,
  });
  onTestFinished(async () => {
    await app.close();
    provider.closeAllConnections();
    provider.close();
  });
  return { app, asked };
}

const page: RequestListener = (_request, response) =>
  response
    .writeHead(422, {
      'content-type': 'text/html',
      'content-security-policy': "default-src 'none'",
      'set-cookie': ['a=1; path=/identity', 'b=2; path=/identity'],
    })
    .end('x'.repeat(5_000));

describe('the pages of the identity provider', () => {
  it('pass on form and cookies as they are, and answer with the provider’s status, cookies and policy, uncompressed', async () => {
    const { app, asked } = await withProvider(page);
    const answer = await app.inject({
      method: 'POST',
      url: '/identity/interaction/1/code?x=%2f..%2f',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        cookie: 'a=1; b=2',
        'accept-encoding': 'gzip',
      },
      payload: 'code=123%20456',
    });
    expect(asked).toMatchObject([
      {
        method: 'POST',
        url: '/identity/interaction/1/code?x=%2f..%2f',
        body: 'code=123%20456',
        headers: { cookie: 'a=1; b=2', 'content-type': 'application/x-www-form-urlencoded' },
      },
    ]);
    expect([answer.statusCode, answer.body.length]).toEqual([422, 5_000]);
    expect(answer.headers).toMatchObject({
      'content-security-policy': "default-src 'none'",
      'set-cookie': ['a=1; path=/identity', 'b=2; path=/identity'],
    });
    expect(answer.headers).not.toHaveProperty('content-encoding');
  });

  it('tell the provider the address that TRUSTED_PROXIES lets us see, and nothing that the client claims about itself', async () => {
    const claims = {
      'x-forwarded-for': '203.0.113.9, 198.51.100.7',
      forwarded: 'for=203.0.113.9',
      'x-real-ip': '203.0.113.9',
      'x-forwarded-host': 'evil.test',
      'x-forwarded-proto': 'http',
    };
    const behindProxy = await withProvider(page, ['127.0.0.1']);
    await behindProxy.app.inject({ url: '/identity/auth', headers: claims });
    const direct = await withProvider(page);
    await direct.app.inject({ url: '/identity/auth', headers: claims });

    expect(behindProxy.asked[0]?.headers['x-forwarded-for']).toBe('198.51.100.7');
    expect(direct.asked[0]?.headers['x-forwarded-for']).toBe('127.0.0.1');
    for (const { asked } of [behindProxy, direct])
      for (const name of ['forwarded', 'x-real-ip', 'x-forwarded-host', 'x-forwarded-proto'])
        expect(asked[0]?.headers).not.toHaveProperty(name);
  });

  it.each([
    '/identity/admin/realms/assay/users/1',
    '/identity/realms/assay/protocol/openid-connect/token',
    '/identity/%61dmin/realms/assay/users/1',
  ])('404 for %s, where accounts are managed', async (url) => {
    const { app, asked } = await withProvider(page);
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const)
      expect((await app.inject({ method, url })).statusCode).toBe(404);
    expect(asked).toEqual([]);
  });

  it('413 for a form that is longer than any of the provider’s', async () => {
    const { app, asked } = await withProvider(page);
    const answer = await app.inject({
      method: 'POST',
      url: '/identity/token',
      payload: 'x'.repeat(65 * 1024),
      headers: { 'content-type': 'text/plain' },
    });
    expect([answer.statusCode, asked]).toEqual([413, []]);
  });

  it('503 with a page for people while the provider is away, and a broken connection where it ends in the middle', async () => {
    const { app } = await testHttpServer(async (http) =>
      addIdentityPages(http, { url: `http://127.0.0.1:${await freePort()}`, path: '/identity' }),
    );
    onTestFinished(() => app.close());
    const answer = await app.inject({ url: '/identity/auth', headers: { accept: 'text/html' } });
    expect([answer.statusCode, answer.headers['retry-after'], answer.headers['content-type']]).toEqual([
      503,
      '5',
      'text/html; charset=utf-8',
    ]);

    const torn = await withProvider((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy());
    });
    const address = await torn.app.listen({ port: 0, host: '127.0.0.1' });
    await expect(fetch(`${address}/identity/auth`).then((response) => response.text())).rejects.toThrow();
  });
});
