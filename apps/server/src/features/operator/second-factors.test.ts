import { randomUUID } from 'node:crypto';
import { startIdentity } from '@assay/identity';
import { freePort } from '@assay/postgres/testing/free-port';
import { decodeJwt } from 'jose';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { run as runUsers } from '../../commands/users.ts';
import { systemClock } from '../../platform/clock.ts';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { createBareDatabase } from '../../testing/database.ts';
import { readZip } from '../../testing/read-sheets.ts';
import { addOperator, removeSecondFactors } from './index.ts';

const audience = 'https://assay.test/api';
const ada = {
  email: 'ada@exists.test',
  password: 'plumb-line-and-balance',
  firstName: 'Ada',
  lastName: 'King',
};
const admin = { clientId: 'assay-admin', clientSecret: 'a secret of the operator' };
const reason = 'Showed her passport in a call';

/** Against the embedded provider. Ada is an operator who helps herself. */
describe('turning two-step verification off', () => {
  let api: TestApi;
  let token: string;
  let customerId: string;
  let providerDatabase: pg.Client;
  let env: NodeJS.ProcessEnv;
  const closers: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    const database = await createBareDatabase();
    const port = await freePort();
    const issuer = `http://127.0.0.1:${port}`;
    const identity = await startIdentity({
      databaseUrl: database.url,
      issuer,
      port,
      audience,
      clientId: 'assay-web',
      redirectUris: ['http://app.test/redirect'],
      postLogoutRedirectUris: [],
      demo: ada,
      admin,
    });
    env = {
      OIDC_ISSUER: issuer,
      OIDC_AUDIENCE: audience,
      OIDC_ADMIN_KIND: 'keycloak',
      OIDC_ADMIN_URL: `${issuer}/realms/assay`,
      OIDC_ADMIN_CLIENT_ID: admin.clientId,
      OIDC_ADMIN_CLIENT_SECRET: admin.clientSecret,
    };
    api = await startTestApi({ env });
    providerDatabase = new pg.Client({ connectionString: database.url });
    await providerDatabase.connect();
    closers.push(
      () => api.close(),
      () => providerDatabase.end(),
      () => identity.close(),
      database.drop,
    );
    token = await identity.issueToken({ email: ada.email });
    customerId = (await api.call('GET', '/users/me', { token })).json().id;
    await addOperator(
      { db: api.database.db, clock: systemClock },
      { actorId: null, reason },
      { userId: customerId, role: 'admin' },
    );
  });
  afterAll(async () => {
    for (const close of closers) await close();
  });
  beforeEach(async () => {
    const accountId = decodeJwt(token).sub;
    await providerDatabase.query(
      "INSERT INTO identity.authenticators VALUES ($1, '', 0, now()) ON CONFLICT DO NOTHING",
      [accountId],
    );
    await providerDatabase.query(
      "INSERT INTO identity.passkeys VALUES ('p1', $1, 'Phone', '', 0, '{}', now()) ON CONFLICT DO NOTHING",
      [accountId],
    );
    await providerDatabase.query(
      "INSERT INTO identity.recovery_codes VALUES ($1, 'hash') ON CONFLICT DO NOTHING",
      [accountId],
    );
  });

  const remove = (id: string, body: object = { reason }) =>
    api.call('POST', `/operator/customers/${id}/second-factors/removal`, { token, body });
  const factors = async () => (await api.call('GET', '/users/me/security', { token })).json().second_factors;
  const news = async () =>
    (
      await api.database.pool.query(
        `select contents ->> 'by' as by from activity_news join activity_entries using (owner_id, number)
         where contents ->> 'kind' = 'two_step.removed'`,
      )
    ).rows;

  it('are in the download of all data, with names and dates and without secrets', async () => {
    const link = (await api.call('POST', '/users/me/data', { token })).json().download_link;
    const parts = readZip((await api.app.inject({ url: link })).rawPayload);
    const { text = '' } = parts.find(({ name }) => name === 'sign-in.json') ?? {};

    expect(JSON.parse(text)).toEqual({
      second_factors: [
        { kind: 'authenticator', name: null, creation_date: expect.any(String) },
        { kind: 'passkey', name: 'Phone', creation_date: expect.any(String) },
        { kind: 'recovery_codes', name: null, creation_date: null },
      ],
      sessions: [],
    });
    expect(text).not.toContain('hash');
  });

  it('204 removes app, passkeys and recovery codes; both logs say so, and a mail is due', async () => {
    expect(await factors()).toEqual(['authenticator', 'passkey']);

    expect((await remove(customerId)).statusCode).toBe(204);

    expect(await factors()).toEqual([]);
    const left = await providerDatabase.query('SELECT 1 FROM identity.recovery_codes');
    expect(left.rows).toEqual([]);
    const { results } = (await api.call('GET', '/operator/actions', { token })).json();
    expect(results[0]).toMatchObject({ kind: 'customer.second_factors', customer_id: customerId, reason });
    expect(await news()).toEqual([{ by: 'assay' }]);
  });

  it('404 for an unknown customer, 400 without a reason, and nothing is removed', async () => {
    expect((await remove(randomUUID())).json().errors[0].code).toBe('customer_not_found');
    expect((await remove(customerId, { reason: ' ' })).statusCode).toBe(400);
    expect(await factors()).toEqual(['authenticator', 'passkey']);
  });

  it('the command does the same, and needs a reason', async () => {
    const out: string[] = [];
    const io = {
      env: {
        ...env,
        DATABASE_URL: api.database.url,
        PUBLIC_URL: api.config.publicUrl,
        ASSAY_SECRET: api.config.secret,
        USER: 'root',
      },
      stdout: { write: (text: string) => out.push(text) },
      stderr: { write: (text: string) => out.push(text) },
    };
    expect(await runUsers(['two-step-off', '--email', ada.email], io)).toBe(2);
    expect(await factors()).toEqual(['authenticator', 'passkey']);

    const argv = ['two-step-off', '--email', ada.email, '--reason', reason];
    expect(await runUsers(argv, io), out.join('')).toBe(0);
    expect(await factors()).toEqual([]);
  });
});

it('both logs are written before the provider is asked; one that fails is reported, and the call can be repeated', async () => {
  const api = await startTestApi();
  const token = await api.tokenFor();
  const { id } = (await api.call('GET', '/users/me', { token })).json();
  const logged = async () =>
    (
      await api.database.pool.query(
        `select (select count(*)::int from operator_actions where kind = 'customer.second_factors') as actions,
           (select count(*)::int from activity_entries where contents ->> 'kind' = 'two_step.removed') as activities`,
      )
    ).rows[0];
  const seen: unknown[] = [];
  let isAway = true;
  const removeAtProvider = async () => {
    seen.push(await logged());
    if (isAway) throw new Error('The provider is away.');
  };
  const identityAdmin = { security: { removeSecondFactors: removeAtProvider } } as never;
  const remove = () =>
    removeSecondFactors(
      { db: api.database.db, clock: systemClock, identityAdmin },
      { actorId: null, reason },
      id,
    );

  await expect(remove()).rejects.toThrow('The provider is away.');
  isAway = false;
  await remove();

  expect(seen).toEqual([
    { actions: 1, activities: 1 },
    { actions: 2, activities: 2 },
  ]);
  await api.close();
});

it('409 where the provider’s accounts are not managed', async () => {
  const api = await startTestApi();
  const token = await api.tokenFor();
  const { id } = (await api.call('GET', '/users/me', { token })).json();
  await addOperator(
    { db: api.database.db, clock: systemClock },
    { actorId: null, reason },
    { userId: id, role: 'admin' },
  );

  const path = `/operator/customers/${id}/second-factors/removal`;
  const answer = await api.call('POST', path, { token, body: { reason } });
  expect([answer.statusCode, answer.json().errors[0].code]).toEqual([409, 'second_factors_unmanaged']);
  await api.close();
});
