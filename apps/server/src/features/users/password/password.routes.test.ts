import { startIdentity } from '@assay/identity';
import { freePort } from '@assay/postgres/testing/free-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import { createBareDatabase } from '../../../testing/database.ts';
import { setFeatureFlag } from '../index.ts';

const audience = 'https://assay.test/api';
const ada = {
  email: 'ada@exists.test',
  password: 'plumb-line-and-balance',
  firstName: 'Ada',
  lastName: 'King',
};
const client = { clientId: 'assay-admin', clientSecret: 'a secret of the operator' };

/** Against the embedded provider, through the adapter. */
describe('passwords', () => {
  let api: TestApi;
  /** A token of a sign-in at this moment. */
  let newToken: () => Promise<string>;
  let userId: string;
  const closers: (() => Promise<void>)[] = [];
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
      admin: client,
    });
    api = await startTestApi({
      env: {
        OIDC_ISSUER: issuer,
        OIDC_AUDIENCE: audience,
        OIDC_ADMIN_KIND: 'keycloak',
        OIDC_ADMIN_URL: `${issuer}/realms/assay`,
        OIDC_ADMIN_CLIENT_ID: client.clientId,
        OIDC_ADMIN_CLIENT_SECRET: client.clientSecret,
      },
    });
    closers.push(
      () => api.close(),
      () => identity.close(),
      database.drop,
    );
    newToken = () => identity.issueToken({ email: ada.email });
    userId = (await api.call('GET', '/users/me', { token: await newToken() })).json().id;
  });
  afterAll(async () => {
    for (const close of closers) await close();
  });

  const change = async (current_password: string, new_password: string) =>
    api.call('PUT', '/users/me/password', {
      token: await newToken(),
      body: { current_password, new_password },
    });
  const reset = async () => api.call('PUT', '/users/me/reset_password', { token: await newToken() });
  const refusalOf = async (token: string) =>
    (await api.call('GET', '/users/me', { token })).json().errors?.[0].code;
  const newPassword = 'cupel-and-crucible-1';

  it('PUT /users/me/password: 204, the new password works; older tokens are refused at once', async () => {
    const elsewhere = await newToken();
    expect((await change(ada.password, newPassword)).statusCode).toBe(204);
    expect(await refusalOf(elsewhere)).toBe('session_ended');

    expect((await change(newPassword, ada.password)).statusCode).toBe(204);
    expect(await refusalOf(await newToken())).toBeUndefined();
  });

  it('PUT /users/me/password: 400 if the current one is wrong, and it stays', async () => {
    const answer = await change('not-her-password', newPassword);

    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0]).toMatchObject({
      code: 'current_password_wrong',
      meta: { field: 'current_password' },
    });
  });

  it('PUT /users/me/password: 400 with the provider’s text if the new one is too weak', async () => {
    const answer = await change(ada.password, 'short');

    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0]).toMatchObject({
      code: 'new_password_refused',
      meta: { field: 'new_password' },
    });
    expect(answer.json().errors[0].message).not.toBe('');
  });

  it('PUT /users/me/password: 429 for the sixth try in a quarter of an hour', async () => {
    const codes = [];
    for (let i = 0; i < 3; i += 1) codes.push((await change('not-her-password', newPassword)).statusCode);

    expect(codes).toEqual([400, 429, 429]);
  });

  it('never logs a password', () => {
    const logged = JSON.stringify(api.logLines);

    for (const password of [ada.password, newPassword, 'not-her-password']) {
      expect(logged).not.toContain(password);
    }
  });

  it('§6 can_change_password off: 403 for both calls', async () => {
    await setFeatureFlag(api.database.db, userId, { flag: 'can_change_password', isOn: false });

    const answers = [await reset(), await change(ada.password, newPassword)];

    for (const answer of answers) {
      expect(answer.statusCode).toBe(403);
      expect(answer.json().errors[0].code).toBe('password_not_changeable');
    }
    await setFeatureFlag(api.database.db, userId, { flag: 'can_change_password', isOn: true });
  });

  it('§7 PUT /users/me/reset_password: 204, the provider requires a new password, and older tokens are refused', async () => {
    const elsewhere = await newToken();
    expect((await reset()).statusCode).toBe(204);
    expect(await refusalOf(elsewhere)).toBe('session_ended');

    const answer = await fetch(`${api.config.identity.issuer}/realms/assay/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        client_id: client.clientId,
        client_secret: client.clientSecret,
        grant_type: 'password',
        username: ada.email,
        password: ada.password,
      }),
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error_description: 'Account is not fully set up' });
  });
});

describe('passwords of a provider whose accounts we do not manage', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api.close());

  it('are not offered, and both calls answer 403', async () => {
    const token = await api.tokenFor();

    expect((await api.call('GET', '/users/me', { token })).json().feature_flags.can_change_password).toBe(
      false,
    );
    expect((await api.call('PUT', '/users/me/reset_password', { token })).statusCode).toBe(403);
  });
});
