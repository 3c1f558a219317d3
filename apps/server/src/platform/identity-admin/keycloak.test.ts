import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startIdentity } from '@assay/identity';
import { freePort } from '@assay/postgres/testing/free-port';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBareDatabase } from '../../testing/database.ts';
import { createIdentityAdmin, type IdentityAdmin } from './index.ts';

const client = { clientId: 'assay-admin', clientSecret: 'a secret of the operator' };
const ada = {
  email: 'ada@exists.test',
  password: 'plumb-line-and-balance',
  firstName: 'Ada',
  lastName: 'King',
};

type Answer = { status: number; body?: unknown };

/** The embedded provider answers in Keycloak's dialect, so this is the adapter as it runs on every laptop. */
describe('the accounts of a Keycloak', () => {
  let issuer: string;
  let admin: IdentityAdmin;
  let subject: string;
  let issueToken: () => Promise<string>;
  const closers: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const database = await createBareDatabase();
    const port = await freePort();
    issuer = `http://127.0.0.1:${port}`;
    const identity = await startIdentity({
      databaseUrl: database.url,
      issuer,
      port,
      audience: 'https://assay.test/api',
      clientId: 'assay-web',
      redirectUris: ['http://app.test/redirect'],
      postLogoutRedirectUris: [],
      demo: ada,
      admin: client,
    });
    closers.push(() => identity.close(), database.drop);
    issueToken = () => identity.issueToken({ email: ada.email });
    subject = decodeJwt(await issueToken()).sub ?? '';
    admin = adminWith({});
  });
  afterAll(async () => {
    for (const close of closers) await close();
  });

  const adminWith = (other: Partial<typeof client & { url: string }>) =>
    createIdentityAdmin({
      kind: 'keycloak',
      url: `${issuer}/realms/assay`,
      webClientId: 'assay-web',
      connection: '',
      ...client,
      ...other,
    });
  const check = (password: string) => admin.checkPassword({ address: ada.email, password });

  it('take a new password, ask for another one, end sessions, and are deleted, once and again', async () => {
    expect(await check(ada.password)).toBe('right');
    expect(await check('not-her-password')).toBe('wrong');

    const refused = await admin.setPassword(subject, 'short');
    expect(refused, 'why a password is not taken').toEqual({
      isTaken: false,
      why: expect.stringMatching(/\w+/),
    });
    expect(await admin.setPassword(subject, 'cupel-and-crucible-1')).toEqual({ isTaken: true });
    expect(await check(ada.password)).toBe('wrong');
    expect(await check('cupel-and-crucible-1')).toBe('right');

    await admin.requireNewPassword(subject);
    expect(await check('cupel-and-crucible-1')).toBe('expired');
    expect(await admin.endSessions(subject, { keep: null })).toEqual({ isKept: false });

    await admin.deleteUser(subject);
    await admin.deleteUser(subject);
    await expect(issueToken()).rejects.toThrow();
  });

  it('are not open to another secret, which is our trouble and not the customer’s', async () => {
    const stranger = adminWith({ clientSecret: 'a guess' });

    await expect(stranger.requireNewPassword(subject)).rejects.toMatchObject({
      code: 'service_unavailable',
      details: { part: 'identity', call: 'token' },
    });
  });

  it('that cannot be reached are reported as unreachable', async () => {
    const nowhere = adminWith({ url: `http://127.0.0.1:${await freePort()}/realms/assay` });

    await expect(nowhere.deleteUser(subject)).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});

/** What the adapter says to a Keycloak that knows several sessions, call by call as its admin REST documents them. */
describe('the sessions of a Keycloak user', () => {
  const received: string[] = [];
  const answers: Record<string, Answer> = {};
  let server: Server;
  let admin: IdentityAdmin;
  beforeAll(async () => {
    server = createServer((request, response) => {
      const call = `${request.method} ${request.url}`;
      received.push(call);
      const { status, body } = call.endsWith('/token')
        ? { status: 200, body: { access_token: 'admin-token', expires_in: 60 } }
        : (answers[call] ?? { status: 500 });
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(body === undefined ? '' : JSON.stringify(body));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/realms/shop`;
    admin = createIdentityAdmin({ kind: 'keycloak', url, connection: '', webClientId: 'web', ...client });
  });
  beforeEach(() => {
    received.length = 0;
    for (const call of Object.keys(answers)) delete answers[call];
  });
  afterAll(async () => {
    server.close();
    await once(server, 'close');
  });

  const users = '/admin/realms/shop/users/u1';
  const twoSessions = { status: 200, body: [{ id: 'own' }, { id: 'other' }] };
  const endOther = 'DELETE /admin/realms/shop/sessions/other';
  const revokeOffline = `DELETE ${users}/consents/web`;

  it('end one by one, except the one to keep; offline tokens end as well', async () => {
    answers[`GET ${users}/sessions`] = twoSessions;
    answers[endOther] = { status: 204 };
    answers[revokeOffline] = { status: 404 };

    expect(await admin.endSessions('u1', { keep: 'own' })).toEqual({ isKept: true });
    expect(received.slice(1)).toEqual([`GET ${users}/sessions`, endOther, revokeOffline]);
  });

  it('end all at once when none is to be kept', async () => {
    answers[`POST ${users}/logout`] = { status: 204 };

    expect(await admin.endSessions('u1', { keep: null })).toEqual({ isKept: false });
    expect(received.slice(1)).toEqual([`POST ${users}/logout`]);
  });

  it('that cannot be ended are an error, never a silent success', async () => {
    answers[`GET ${users}/sessions`] = twoSessions;
    answers[endOther] = { status: 403 };

    await expect(admin.endSessions('u1', { keep: 'own' })).rejects.toMatchObject({
      code: 'service_unavailable',
      details: { call: 'end session', status: 403 },
    });
  });

  it('are told with their browser and address, as far as the provider knows them', async () => {
    const own = {
      id: 'own',
      start: 1_000,
      lastAccess: 2_000,
      ipAddress: '203.0.113.5',
      userAgent: 'Firefox/1',
    };
    answers[`GET ${users}/sessions`] = {
      status: 200,
      body: [own, { id: 'bare', start: 5_000, lastAccess: 6_000 }],
    };

    expect(await admin.security?.findSessions('u1')).toEqual([
      {
        id: 'own',
        startedAt: new Date(1_000),
        usedAt: new Date(2_000),
        address: '203.0.113.5',
        agent: 'Firefox/1',
      },
      { id: 'bare', startedAt: new Date(5_000), usedAt: new Date(6_000), address: null, agent: null },
    ]);
  });

  it('of a user who is gone are none', async () => {
    answers[`GET ${users}/sessions`] = { status: 404 };
    expect(await admin.security?.findSessions('u1')).toEqual([]);
  });

  it('ends one, and it may be gone already', async () => {
    answers[endOther] = { status: 404 };
    await admin.security?.endSession('other');
    expect(received.slice(1)).toEqual([endOther]);
  });

  it('second factors are told and removed, and the password stays', async () => {
    const types = ['password', 'otp', 'webauthn', 'webauthn-passwordless', 'recovery-authn-codes'];
    answers[`GET ${users}/credentials`] = {
      status: 200,
      body: types.map((type, id) => ({
        ...{ id: `c${id}`, type },
        ...(id === 2 && { userLabel: 'Phone', createdDate: 1_800_000_000_000 }),
      })),
    };
    for (const id of [1, 2, 3, 4]) answers[`DELETE ${users}/credentials/c${id}`] = { status: 204 };

    expect(await admin.security?.findSecondFactors('u1')).toEqual([
      { kind: 'authenticator', name: null, createdAt: null },
      { kind: 'passkey', name: 'Phone', createdAt: new Date(1_800_000_000_000) },
      { kind: 'passkey', name: null, createdAt: null },
      { kind: 'recovery_codes', name: null, createdAt: null },
    ]);
    received.length = 0;
    await admin.security?.removeSecondFactors('u1');
    expect(received.slice(2)).toEqual([1, 2, 3, 4].map((id) => `DELETE ${users}/credentials/c${id}`));
  });
});
