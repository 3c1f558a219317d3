import { defineRoute } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { type TestHttpServer, testHttpServer } from '../../testing/http-server.ts';
import { AppError, tooManyRequests } from '../errors/index.ts';
import { registerRoute } from '../http/index.ts';
import { authenticateRequests } from './authenticate.ts';

const whoSchema = z.object({ user_id: z.nullable(z.string()) });
const routeFor = (auth: 'public' | 'user' | 'user_or_key') =>
  defineRoute({
    method: 'GET',
    path: `/${auth}`,
    auth,
    tag: 'Test',
    summary: 'Who calls',
    success: { status: 200, schema: whoSchema },
  });

describe('who calls', () => {
  let server: TestHttpServer;
  let unknownKeys: string[] = [];

  beforeAll(async () => {
    server = await testHttpServer((app) => {
      authenticateRequests(app, {
        clientKey: 'web-app',
        verifyBearer: async (token) => {
          if (token !== 'good.token') throw new AppError('unauthorized');
          const subject = {
            issuer: 'test',
            sub: 'ada',
            issuedAt: new Date(),
            signedInAt: null,
            sessionId: null,
            sessionsValidFrom: null,
            sessionKey: 'sid s1',
            readProfile: () => Promise.reject(),
          };
          return { subject, expiresAt: new Date() };
        },
        resolveSubject: async ({ sub }) => ({ userId: `user of ${sub}` }),
        onSignedIn: async () => undefined,
        resolveApiKey: async (key) => (key === 'bobs-key' ? { userId: 'bob' } : null),
        onUnknownApiKey: async (address) => {
          unknownKeys.push(address);
          if (unknownKeys.length > 3) throw tooManyRequests(42);
        },
      });
      for (const auth of ['public', 'user', 'user_or_key'] as const) {
        registerRoute(app, routeFor(auth), async ({ customer }) => ({ user_id: customer?.userId ?? null }));
      }
    });
  });
  afterAll(() => server.app.close());

  const call = async (url: string, headers: Record<string, string> = {}) => {
    const answer = await server.app.inject({ url, headers });
    return { status: answer.statusCode, ...answer.json(), headers: answer.headers };
  };
  const bearer = { authorization: 'Bearer good.token' };

  it('is a signed-in person by their bearer token, on either kind of route', async () => {
    expect(await call('/user', bearer)).toMatchObject({ status: 200, user_id: 'user of ada' });
    expect(await call('/user_or_key', bearer)).toMatchObject({ status: 200, user_id: 'user of ada' });
  });

  it.each(['web-app', 'bobs-key', 'any other'])(
    'is decided by the bearer token alone, whatever key comes beside it: %s',
    async (key) => {
      expect(await call('/user', { ...bearer, 'x-api-key': key })).toMatchObject({ user_id: 'user of ada' });
    },
  );

  it('is a key’s owner where keys are accepted', async () => {
    expect(await call('/user_or_key', { 'x-api-key': 'bobs-key' })).toMatchObject({
      status: 200,
      user_id: 'bob',
    });
  });

  it('403 for a key on a call about the account', async () => {
    const answer = await call('/user', { 'x-api-key': 'bobs-key' });

    expect(answer.status).toBe(403);
    expect(answer.errors[0].code).toBe('api_key_not_accepted');
  });

  it('401 with nothing, and with the web app’s public key alone', async () => {
    const alone = await call('/user_or_key', { 'x-api-key': 'web-app' });

    expect(await call('/user')).toMatchObject({ status: 401 });
    expect(alone).toMatchObject({ status: 401, errors: [{ code: 'unauthorized' }] });
    expect(alone.headers['www-authenticate']).toBe('Bearer realm="assay"');
    expect(unknownKeys).toEqual([]);
  });

  it.each(['Basic YTpi', 'Bearer', 'Bearer two words', 'good.token', 'Bearer bad.token'])(
    '401 for "Authorization: %s", even beside a good key',
    async (authorization) => {
      expect(await call('/user_or_key', { authorization, 'x-api-key': 'bobs-key' })).toMatchObject({
        status: 401,
      });
    },
  );

  it('401 for an unknown key, and 429 for one address that tries many', async () => {
    unknownKeys = [];
    const codes = [];
    for (let i = 0; i < 4; i += 1) codes.push(await call('/user_or_key', { 'x-api-key': `guess ${i}` }));

    expect(codes.map(({ errors }) => errors[0].code)).toEqual([
      'unknown_api_key',
      'unknown_api_key',
      'unknown_api_key',
      'too_many_requests',
    ]);
    expect(codes[3]?.headers['retry-after']).toBe('42');
  });

  it('is nobody on a public route, whatever they send', async () => {
    expect(await call('/public', { authorization: 'Bearer bad.token' })).toMatchObject({
      status: 200,
      user_id: null,
    });
  });
});

it('a route that is mounted without authentication refuses all calls', async () => {
  const server = await testHttpServer((app) =>
    registerRoute(app, routeFor('user'), async () => ({ user_id: 'x' })),
  );

  expect((await server.app.inject('/user')).statusCode).toBe(401);
  await server.app.close();
});
