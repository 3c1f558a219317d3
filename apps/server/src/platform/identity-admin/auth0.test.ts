import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createIdentityAdmin, type IdentityAdmin } from './index.ts';

interface Received {
  readonly call: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

type Answer = { status: number; body?: unknown };

/** Answers exactly the calls that the adapter makes, as Auth0 documents them, and remembers what it was asked. */
describe('the accounts of an Auth0 tenant', () => {
  const subject = 'auth0|5f7c8ec7c33c6c004bbafe82';
  const userCall = (method: string) => `${method} /api/v2/users/auth0%7C5f7c8ec7c33c6c004bbafe82`;
  let server: Server;
  let url: string;
  let admin: IdentityAdmin;
  let received: Received[];
  let answers: Record<string, Answer>;
  beforeEach(async () => {
    received = [];
    answers = {};
    server = createServer(async (request, response) => {
      let text = '';
      for await (const part of request.setEncoding('utf8')) text += part;
      const body: Record<string, unknown> = text ? JSON.parse(text) : {};
      const call = `${request.method} ${request.url}`;
      received.push({ call, authorization: request.headers.authorization, body });
      const isAdminToken = body.grant_type === 'client_credentials';
      const answer = isAdminToken
        ? { status: 200, body: { access_token: 'management-token', expires_in: 86_400 } }
        : (answers[call] ?? { status: 500 });
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(answer.body === undefined ? '' : JSON.stringify(answer.body));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    admin = createIdentityAdmin({
      kind: 'auth0',
      url: `${url}/`,
      clientId: 'assay-admin',
      clientSecret: 'secret',
      webClientId: 'assay-web',
      connection: 'Customers',
    });
  });
  afterEach(async () => {
    server.close();
    await once(server, 'close');
  });

  const credentials = { client_id: 'assay-admin', client_secret: 'secret' };
  const tokenRequest = () => ({
    call: 'POST /oauth/token',
    authorization: undefined,
    body: { ...credentials, grant_type: 'client_credentials', audience: `${url}/api/v2/` },
  });
  const authorization = 'Bearer management-token';

  it('carry a flag for the Action that asks for a new password', async () => {
    answers[userCall('PATCH')] = { status: 200, body: { user_id: subject } };

    await admin.requireNewPassword(subject);

    expect(received).toEqual([
      tokenRequest(),
      { call: userCall('PATCH'), authorization, body: { app_metadata: { must_change_password: true } } },
    ]);
  });

  it.each([
    [{ status: 200, body: { access_token: 'a token of the customer' } }, 'right'],
    [
      { status: 403, body: { error: 'invalid_grant', error_description: 'Wrong email or password.' } },
      'wrong',
    ],
    [{ status: 403, body: { error: 'interaction_required' } }, 'expired'],
  ])('answer %j to a password that is %s', async (answer, expected) => {
    answers['POST /oauth/token'] = answer;

    expect(await admin.checkPassword({ address: 'ada@example.com', password: 'pw' })).toBe(expected);
    expect(received).toEqual([
      {
        call: 'POST /oauth/token',
        authorization: undefined,
        body: {
          ...credentials,
          grant_type: 'http://auth0.com/oauth/grant-type/password-realm',
          realm: 'Customers',
          username: 'ada@example.com',
          password: 'pw',
        },
      },
    ]);
  });

  it('take a new password in their connection', async () => {
    answers[userCall('PATCH')] = { status: 200, body: {} };

    expect(await admin.setPassword(subject, 'new')).toEqual({ isTaken: true });
    expect(received.at(-1)).toEqual({
      call: userCall('PATCH'),
      authorization,
      body: { password: 'new', connection: 'Customers' },
    });
  });

  it('say in their own words why a password is not taken', async () => {
    const message = 'PasswordStrengthError: Password is too weak';
    answers[userCall('PATCH')] = { status: 400, body: { statusCode: 400, error: 'Bad Request', message } };

    expect(await admin.setPassword(subject, 'pw')).toEqual({ isTaken: false, why: message });
  });

  it('lose every session and refresh token, since the caller’s own cannot be told from the others', async () => {
    const sessions = `${userCall('DELETE')}/sessions`;
    const refreshTokens = `${userCall('DELETE')}/refresh-tokens`;
    Object.assign(answers, { [sessions]: { status: 202 }, [refreshTokens]: { status: 202 } });

    expect(await admin.endSessions(subject, { keep: 'session-1' })).toEqual({ isKept: false });
    expect(received.map(({ call }) => call)).toEqual(['POST /oauth/token', refreshTokens, sessions]);
  });

  it.each([204, 404])('are deleted, also when they are gone already (%s)', async (status) => {
    answers[userCall('DELETE')] = { status };

    await admin.deleteUser(subject);

    expect(received).toEqual([tokenRequest(), { call: userCall('DELETE'), authorization, body: {} }]);
  });

  it.each([
    ['deleting', () => admin.deleteUser(subject)],
    ['ending sessions', () => admin.endSessions(subject, { keep: null })],
    ['a new password', () => admin.setPassword(subject, 'pw')],
    ['requiring one', () => admin.requireNewPassword(subject)],
    ['checking one', () => admin.checkPassword({ address: 'a@b.example', password: 'pw' })],
  ])('that answer with an error of their own are our trouble: %s', async (_what, call) => {
    await expect(call()).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});
