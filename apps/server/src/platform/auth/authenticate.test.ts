import { ACCOUNT_ROLES, type AccountRole, defineRoute, type KeyScope } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { type TestHttpServer, testHttpServer } from '../../testing/http-server.ts';
import { AppError, tooManyRequests } from '../errors/index.ts';
import { registerRoute } from '../http/index.ts';
import { authenticateRequests } from './authenticate.ts';
import type { Caller } from './caller.ts';

const whoSchema = z.object({ account_id: z.nullable(z.string()), user_id: z.nullable(z.string()) });
const whoIs = (caller: Caller | null) => ({
  account_id: caller?.accountId ?? null,
  user_id: caller?.userId ?? null,
});
const routeFor = (auth: 'public' | 'user' | 'user_or_key', keyScope?: KeyScope | 'any') =>
  defineRoute({
    method: 'GET',
    path: keyScope ? `/${auth}/${keyScope}` : `/${auth}`,
    ...(auth === 'public' ? { auth } : { auth, leastRole: 'any' as const }),
    ...(keyScope && { keyScope }),
    tag: 'Test',
    summary: 'Who calls',
    success: { status: 200, schema: whoSchema },
  });

describe('who calls', () => {
  let server: TestHttpServer;
  let unknownKeys: string[] = [];
  let role: AccountRole = 'owner';

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
        resolveSubject: async ({ sub }) => ({
          accountId: `account of ${sub}`,
          userId: `user of ${sub}`,
          role,
        }),
        onSignedIn: async () => undefined,
        isApiKey: (text) => text !== 'mistyped',
        resolveApiKey: async (key, networkAddress) => {
          if (key === 'scoped-key') {
            const grant = { scopes: ['verify'], isTest: false, monthlyCreditLimit: null } as const;
            const key = { id: 'k1', name: 'Shop', grant };
            return { accountId: `bob at ${networkAddress}`, role: 'admin', key };
          }
          return key === 'bobs-key' || key === 'assay_live_bob' || key === 'assay_test_bob'
            ? { accountId: 'bob', role: 'admin' }
            : null;
        },
        operatorRoleOf: async () => null,
        onUnknownApiKey: async (address) => {
          unknownKeys.push(address);
          if (unknownKeys.length > 3) throw tooManyRequests(42);
        },
      });
      for (const auth of ['public', 'user', 'user_or_key'] as const) {
        registerRoute(app, routeFor(auth), async ({ caller }) => whoIs(caller));
      }
      for (const leastRole of [...ACCOUNT_ROLES, 'any'] as const) {
        const route = defineRoute({
          ...routeFor('user'),
          path: `/least/${leastRole}`,
          auth: 'user',
          leastRole,
        });
        registerRoute(app, route, async ({ caller }) => whoIs(caller));
      }
      for (const scope of ['any', 'verify', 'read_results'] as const) {
        registerRoute(app, routeFor('user_or_key', scope), async ({ caller }) => whoIs(caller));
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
    expect(await call('/user', bearer)).toMatchObject({
      status: 200,
      account_id: 'account of ada',
      user_id: 'user of ada',
    });
    expect(await call('/user_or_key', bearer)).toMatchObject({
      status: 200,
      account_id: 'account of ada',
      user_id: 'user of ada',
    });
  });

  it.each(['web-app', 'bobs-key', 'any other'])(
    'is decided by the bearer token alone, whatever key comes beside it: %s',
    async (key) => {
      expect(await call('/user', { ...bearer, 'x-api-key': key })).toMatchObject({
        account_id: 'account of ada',
        user_id: 'user of ada',
      });
    },
  );

  it.each([
    ['owner', ['owner', 'admin', 'member', 'viewer', 'billing', 'any']],
    ['member', ['member', 'viewer', 'any']],
    ['billing', ['billing', 'any']],
  ] as const)('403 for the role %s on all calls but those that need %j', async (given, open) => {
    role = given;
    const statuses = [];
    for (const least of [...ACCOUNT_ROLES, 'any'] as const) {
      const answer = await call(`/least/${least}`, bearer);
      if (answer.status === 200) statuses.push(least);
      else
        expect(answer).toMatchObject({
          status: 403,
          errors: [{ code: 'account_role', meta: { role: given, least_role: least } }],
        });
    }
    role = 'owner';

    expect(statuses).toEqual(open);
  });

  it('is a key’s owner where keys are accepted', async () => {
    expect(await call('/user_or_key', { 'x-api-key': 'bobs-key' })).toMatchObject({
      status: 200,
      account_id: 'bob',
      user_id: null,
    });
  });

  it.each(['assay_live_bob', 'assay_test_bob'])(
    'is a key’s owner if the key comes as a bearer, whatever key comes beside it: %s',
    async (key) => {
      const authorization = `Bearer ${key}`;
      expect(await call('/user_or_key', { authorization })).toMatchObject({
        status: 200,
        account_id: 'bob',
        user_id: null,
      });
      for (const beside of ['web-app', 'scoped-key']) {
        expect(await call('/user_or_key', { authorization, 'x-api-key': beside })).toMatchObject({
          status: 200,
          account_id: 'bob',
          user_id: null,
        });
      }
      expect(await call('/user', { authorization })).toMatchObject({
        status: 403,
        errors: [{ code: 'api_key_not_accepted' }],
      });
    },
  );

  it('401 that names the key for a wrong key as a bearer, even beside a good one', async () => {
    unknownKeys = [];
    const authorization = 'Bearer assay_live_wrong';

    expect(await call('/user_or_key', { authorization, 'x-api-key': 'bobs-key' })).toMatchObject({
      status: 401,
      errors: [{ code: 'unknown_api_key' }],
    });
    expect(unknownKeys).toHaveLength(1);
  });

  it('is a scoped key’s owner on calls that any key may make, or that need a scope of the key', async () => {
    for (const scope of ['any', 'verify']) {
      expect(await call(`/user_or_key/${scope}`, { 'x-api-key': 'scoped-key' })).toMatchObject({
        status: 200,
        account_id: 'bob at 127.0.0.1',
        user_id: null,
      });
    }
  });

  it('403 for a scoped key that lacks the scope, and on a call that declares none', async () => {
    const lacking = await call('/user_or_key/read_results', { 'x-api-key': 'scoped-key' });
    const undeclared = await call('/user_or_key', { 'x-api-key': 'scoped-key' });
    const account = await call('/user', { 'x-api-key': 'scoped-key' });

    expect(lacking).toMatchObject({
      status: 403,
      errors: [{ code: 'missing_scope_read_results', meta: { scope: 'read_results' } }],
    });
    expect(undeclared).toMatchObject({ status: 403, errors: [{ code: 'api_key_not_accepted' }] });
    expect(account).toMatchObject({ status: 403, errors: [{ code: 'api_key_not_accepted' }] });
  });

  it('401 for a mistyped key, which is not counted as a guess', async () => {
    unknownKeys = [];

    expect(await call('/user_or_key', { 'x-api-key': 'mistyped' })).toMatchObject({
      status: 401,
      errors: [{ code: 'unknown_api_key' }],
    });
    expect(unknownKeys).toEqual([]);
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
    registerRoute(app, routeFor('user'), async () => ({ account_id: 'x', user_id: 'x' })),
  );

  expect((await server.app.inject('/user')).statusCode).toBe(401);
  await server.app.close();
});
