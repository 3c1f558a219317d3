import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import {
  askForTokens,
  authorize,
  buildPerson,
  exchangeCode,
  goodPassword,
  identityOfFile,
  type Person,
  redirectUri,
  signIn,
  signUp,
} from './testing/test-identity.ts';
import { setUpApp } from './testing/two-step.ts';

const admin = { clientId: 'assay-admin', clientSecret: 'a secret of the operator' };
const identity = await identityOfFile({ admin });

const tokenUrl = () => `${identity.issuer}/realms/assay/protocol/openid-connect/token`;

async function askKeycloakForToken(fields: Record<string, string>, client: Partial<typeof admin> = {}) {
  const { clientId, clientSecret } = { ...admin, ...client };
  const response = await fetch(tokenUrl(), {
    method: 'POST',
    body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret, ...fields }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const checkPassword = ({ email, password }: Pick<Person, 'email' | 'password'>) =>
  askKeycloakForToken({ grant_type: 'password', username: email, password });

async function callAdmin(method: string, path: string, body?: unknown, token?: string) {
  const authorization = `Bearer ${token ?? (await askKeycloakForToken({ grant_type: 'client_credentials' })).body.access_token}`;
  const response = await fetch(`${identity.issuer}/admin/realms/assay/users/${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text ? (JSON.parse(text) as Record<string, unknown>) : undefined };
}

/** Signed up and with tokens in hand; `id` is the subject, as the product knows it. */
async function signedUpPerson(overrides: Partial<Person> = {}) {
  const person = buildPerson(overrides);
  const visitor = identity.visitor();
  const { page, verifier } = await signUp(identity, visitor, person);
  const { body } = await exchangeCode(identity, page, verifier);
  return {
    ...person,
    id: decodeJwt(body.access_token ?? '').sub ?? '',
    visitor,
    refreshToken: body.refresh_token ?? '',
  };
}

describe('who may', () => {
  it('the admin client gets a token by its secret, in the body or in the header', async () => {
    const inBody = await askKeycloakForToken({ grant_type: 'client_credentials' });
    expect(inBody).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 60 } });
    const response = await fetch(tokenUrl(), {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`${admin.clientId}:${encodeURIComponent(admin.clientSecret)}`)}`,
      },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    expect(response.status).toBe(200);
  });

  it('401 with a wrong secret, without a token, and with a customer’s token', async () => {
    const wrong = await askKeycloakForToken({ grant_type: 'client_credentials' }, { clientSecret: 'guess' });
    expect(wrong).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    const { id, email } = await signedUpPerson();
    expect((await callAdmin('GET', id, undefined, 'nothing')).status).toBe(401);
    expect((await callAdmin('DELETE', id, undefined, await identity.issueToken({ email }))).status).toBe(401);
    expect((await callAdmin('GET', id)).status).toBe(200);
  });

  it('the web app may use neither grant', async () => {
    const { email, password } = await signedUpPerson();
    const direct = await askForTokens(identity, { grant_type: 'password', username: email, password });
    expect(direct).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    const own = await askForTokens(identity, { grant_type: 'client_credentials' });
    expect(own.status).toBe(400);
  });
});

describe('GET users/{id}', () => {
  it('200 with the fields that Keycloak returns', async () => {
    const { id, email } = await signedUpPerson();
    const { body } = await callAdmin('GET', id);
    expect(body).toMatchObject({
      id,
      username: email,
      email,
      emailVerified: true,
      firstName: 'Marta',
      lastName: 'Nowak',
      enabled: true,
      requiredActions: [],
      federatedIdentities: [],
    });
  });

  it('404 for an unknown user, whatever the id looks like', async () => {
    for (const id of [crypto.randomUUID(), 'not-a-uuid', '%27']) {
      expect(await callAdmin('GET', id)).toEqual({ status: 404, body: { error: 'User not found' } });
    }
  });
});

describe('PUT users/{id}', () => {
  it('204 requires a new password at the next sign-in, and also in a session that lives on', async () => {
    const person = await signedUpPerson();
    expect((await callAdmin('PUT', person.id, { requiredActions: ['UPDATE_PASSWORD'] })).status).toBe(204);
    expect((await callAdmin('GET', person.id)).body).toMatchObject({ requiredActions: ['UPDATE_PASSWORD'] });

    const again = await signIn(identity, identity.visitor(), person);
    expect(again.page.text).toContain('Choose a new password');
    const living = await authorize(identity, person.visitor);
    expect(living.page.text).toContain('Choose a new password');
    const back = await person.visitor.submit(living.page, { password: 'another fine password' });
    expect(back.url.href).toContain(redirectUri);
    expect((await callAdmin('GET', person.id)).body).toMatchObject({ requiredActions: [] });
  });

  it('204 changes names and phone and keeps the other fields', async () => {
    const { id, email } = await signedUpPerson();
    await callAdmin('PUT', id, { firstName: 'Maria', attributes: { phoneNumber: ['+41446681800'] } });
    expect((await callAdmin('GET', id)).body).toMatchObject({ firstName: 'Maria', lastName: 'Nowak', email });
    const claims = decodeJwt(await identity.issueToken({ email }));
    expect(claims).toMatchObject({ given_name: 'Maria', phone_number: '+41446681800' });
    await callAdmin('PUT', id, { attributes: { phoneNumber: [] } });
    expect(decodeJwt(await identity.issueToken({ email })).phone_number).toBeUndefined();
  });

  it('400 for an action that does not exist here', async () => {
    const { id } = await signedUpPerson();
    expect((await callAdmin('PUT', id, { requiredActions: ['CONFIGURE_TOTP'] })).status).toBe(400);
  });
});

describe('PUT users/{id}/reset-password', () => {
  it('204 sets it; temporary asks for another at the next sign-in', async () => {
    const person = await signedUpPerson();
    const path = `${person.id}/reset-password`;
    const value = 'a second good password';
    expect((await callAdmin('PUT', path, { type: 'password', value, temporary: false })).status).toBe(204);
    expect((await checkPassword({ ...person, password: value })).status).toBe(200);
    expect((await checkPassword(person)).status).toBe(401);

    expect(
      (await callAdmin('PUT', path, { type: 'password', value: goodPassword, temporary: true })).status,
    ).toBe(204);
    const { page } = await signIn(identity, identity.visitor(), person);
    expect(page.text).toContain('Choose a new password');
  });

  it('400 says why a password will not do', async () => {
    const { id } = await signedUpPerson();
    const { status, body } = await callAdmin('PUT', `${id}/reset-password`, {
      type: 'password',
      value: 'short',
    });
    expect(status).toBe(400);
    expect(body?.error_description).toContain('at least 8 characters');
  });
});

describe('grant_type=password', () => {
  it('200 when the password is right, 401 when it is wrong or the address has no account', async () => {
    const person = await signedUpPerson();
    expect(await checkPassword(person)).toMatchObject({ status: 200, body: { token_type: 'Bearer' } });
    const refusal = {
      status: 401,
      body: { error: 'invalid_grant', error_description: 'Invalid user credentials' },
    };
    expect(await checkPassword({ ...person, password: 'wrong one' })).toEqual(refusal);
    expect(await checkPassword(buildPerson())).toEqual(refusal);
  });

  it('400 when a new password is required first', async () => {
    const person = await signedUpPerson();
    await callAdmin('PUT', person.id, { requiredActions: ['UPDATE_PASSWORD'] });
    expect(await checkPassword(person)).toMatchObject({
      status: 400,
      body: { error_description: 'Account is not fully set up' },
    });
  });

  it('is limited by itself: guessing here does not close the sign-in page', async () => {
    const person = await signedUpPerson();
    for (let attempt = 0; attempt < 10; attempt += 1) await checkPassword({ ...person, password: 'a guess' });
    expect((await checkPassword(person)).status).toBe(401);
    const { page } = await signIn(identity, identity.visitor(), person);
    expect(page.url.href).toContain(redirectUri);
  });
});

describe('ending sessions and accounts', () => {
  const refresh = (token: string) =>
    askForTokens(identity, { grant_type: 'refresh_token', refresh_token: token });

  it('GET users/{id}/sessions lists them by the sid of their tokens, and DELETE sessions/{id} ends one', async () => {
    const person = await signedUpPerson();
    const elsewhere = identity.visitor();
    const { page, verifier } = await signIn(identity, elsewhere, person);
    const other = (await exchangeCode(identity, page, verifier)).body;
    const otherSid = decodeJwt(other.access_token ?? '').sid;
    const sids = ((await callAdmin('GET', `${person.id}/sessions`)).body as unknown as { id: string }[]).map(
      ({ id }) => id,
    );
    expect(sids).toHaveLength(2);
    expect(sids).toContain(otherSid);

    const end = () => callAdmin('DELETE', `../sessions/${otherSid}`);
    expect((await end()).status).toBe(204);
    expect((await end()).status).toBe(404);
    expect((await refresh(other.refresh_token ?? '')).status).toBe(400);
    expect((await authorize(identity, elsewhere)).page.text).toContain('<h1>Sign in</h1>');
    expect((await refresh(person.refreshToken)).status).toBe(200);
    expect((await authorize(identity, person.visitor)).page.url.href).toContain(redirectUri);
  });

  it('GET users/{id}/sessions tells the program, the network, and when it signed in and was last used', async () => {
    const person = await signedUpPerson();
    const list = async () =>
      (await callAdmin('GET', `${person.id}/sessions`)).body as unknown as Record<string, unknown>[];
    const [before] = await list();
    expect(before).toMatchObject({ ipAddress: '127.0.0.1', userAgent: 'node' });
    expect(before?.start).toBeGreaterThan(Date.now() - 60_000);

    const headers = { 'user-agent': `Firefox/140 ${'x'.repeat(1_000)}` };
    const renewal = { grant_type: 'refresh_token', refresh_token: person.refreshToken };
    expect((await askForTokens(identity, renewal, headers)).status).toBe(200);
    const [after] = await list();
    expect(String(after?.userAgent)).toMatch(/^Firefox\/140 x+$/);
    expect(String(after?.userAgent)).toHaveLength(300);
    expect(Number(after?.lastAccess)).toBeGreaterThan(Number(before?.lastAccess));
    expect(after?.start).toBe(before?.start);
  });

  it('keeps program and network when a sign-in gives the session a new cookie', async () => {
    const person = await signedUpPerson();
    const { page } = await authorize(identity, person.visitor, { prompt: 'login' });
    await person.visitor.submit(page, { email: person.email, password: person.password });
    expect((await callAdmin('GET', `${person.id}/sessions`)).body).toMatchObject([{ userAgent: 'node' }]);
  });

  it('POST users/{id}/logout ends the session and its refresh tokens', async () => {
    const person = await signedUpPerson();
    expect((await callAdmin('POST', `${person.id}/logout`)).status).toBe(204);
    expect((await refresh(person.refreshToken)).status).toBe(400);
    const { page } = await authorize(identity, person.visitor);
    expect(page.text).toContain('<h1>Sign in</h1>');
  });

  it('DELETE users/{id} leaves nothing that signs in', async () => {
    const person = await signedUpPerson();
    const token = await identity.issueToken({ email: person.email });
    expect((await callAdmin('DELETE', person.id)).status).toBe(204);
    expect((await callAdmin('GET', person.id)).status).toBe(404);
    expect((await refresh(person.refreshToken)).status).toBe(400);
    expect((await signIn(identity, identity.visitor(), person)).page.status).toBe(422);
    expect((await authorize(identity, person.visitor)).page.text).toContain('<h1>Sign in</h1>');
    const userinfo = await fetch(`${identity.issuer}/me`, { headers: { authorization: `Bearer ${token}` } });
    expect(userinfo.status).toBe(401);
    expect(await identity.query('SELECT 1 FROM identity.records WHERE account_id = $1', [person.id])).toEqual(
      [],
    );
    // The address is free again.
    expect((await signUp(identity, identity.visitor(), person)).page.url.href).toContain(redirectUri);
  });
});

describe('users/{id}/credentials', () => {
  it('tells the second factors without secrets, and DELETE removes one and nothing of others', async () => {
    const [person, other] = [await signedUpPerson(), await signedUpPerson()];
    for (const { visitor } of [person, other]) await setUpApp(visitor, () => new Date());
    const typesOf = async ({ id }: { id: string }) =>
      ((await callAdmin('GET', `${id}/credentials`)).body as unknown as { type: string }[]).map(
        ({ type }) => type,
      );
    expect(await typesOf(person)).toEqual(['otp', 'recovery-authn-codes']);

    for (const { id } of (await callAdmin('GET', `${person.id}/credentials`)).body as unknown as {
      id: string;
    }[])
      expect((await callAdmin('DELETE', `${person.id}/credentials/${id}`)).status).toBe(204);
    expect(await typesOf(person)).toEqual([]);
    expect(await typesOf(other)).toEqual(['otp', 'recovery-authn-codes']);
    expect((await signIn(identity, identity.visitor(), person)).page.url.href).toContain(redirectUri);
  });
});
