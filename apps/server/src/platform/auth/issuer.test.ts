import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '@assay/postgres/testing/free-port';
import { errors } from 'jose';
import { expect, it, onTestFinished } from 'vitest';
import { connectIssuer } from './issuer.ts';

it('an issuer behind our own proxy is asked directly for its description, keys and userinfo', async () => {
  const issuer = 'https://assay.test/identity';
  const answers: Record<string, object> = {
    '/identity/.well-known/openid-configuration': {
      issuer,
      jwks_uri: `${issuer}/jwks`,
      userinfo_endpoint: `${issuer}/me`,
    },
    '/identity/jwks': { keys: [] },
    '/identity/me': { email: 'ada@exists.test' },
  };
  const provider = createServer(({ url = '' }, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers[url])),
  ).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  onTestFinished(() => void provider.close());
  const reachedAt = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/identity`;

  const connected = connectIssuer({ issuer, reachedAt });
  const keys = await connected.keys();
  const anyKey = keys({ alg: 'RS256', kid: 'any' }, { payload: '', signature: '' });
  await expect(anyKey).rejects.toBeInstanceOf(errors.JWKSNoMatchingKey);
  expect(await connected.userinfo('a token')).toEqual({ email: 'ada@exists.test' });
  // Tokens still name the issuer itself.
  expect(connected.url).toBe(issuer);
});

it('an issuer that cannot be asked says why', async () => {
  const { keys } = connectIssuer({ issuer: `http://127.0.0.1:${await freePort()}` });
  await expect(keys()).rejects.toThrow(/did not answer \(ECONNREFUSED\)/);
});
