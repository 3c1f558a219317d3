import { randomUUID } from 'node:crypto';
import { usersRoutes } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/api.ts';

describe('GET /users/me', () => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api.close());

  it('§3 User: 200 with the customer of the token, created at the first call', async () => {
    const email = `${randomUUID()}@example.com`;
    const token = await api.tokenFor({ email, given_name: 'Ada', family_name: 'Lovelace' });

    const answer = await api.call('GET', '/users/me', { token });

    expect(answer.statusCode).toBe(200);
    const user = answer.json();
    expect(user).toEqual({
      id: expect.any(String),
      first_name: 'Ada',
      last_name: 'Lovelace',
      email_address: email,
      phone: null,
      identities: ['email'],
      creation_date: expect.any(String),
      feature_flags: { guessing_enabled: false, can_change_password: false },
    });
    expect(usersRoutes.getMe.success.schema.safeParse(user).success).toBe(true);
    expect((await api.call('GET', '/users/me', { token })).json()).toEqual(user);
  });

  it('200 without the parts of the profile that cannot be stored', async () => {
    const email = `${randomUUID()}@example.com`;
    const token = await api.tokenFor({
      email,
      given_name: 'A\0da',
      phone_number: '+34\0',
      identities: ['\0'],
    });

    const answer = await api.call('GET', '/users/me', { token });

    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      first_name: '',
      last_name: 'Assayer',
      email_address: email,
      phone: null,
      identities: ['email'],
    });
  });

  it('200 for fifty simultaneous first calls, with one customer and one grant of 1,000', async () => {
    const token = await api.tokenFor();

    const answers = await Promise.all(
      Array.from({ length: 50 }, () => api.call('GET', '/users/me', { token })),
    );

    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => answer.json().id)).size).toBe(1);
    expect((await api.call('GET', '/billing/me', { token })).json().balance).toBe(1_000);
  });

  it('200 with the profile of userinfo if the token has none', async () => {
    const sub = randomUUID();
    const email = `${sub}@example.com`;
    api.issuer.setUserinfo(sub, { sub, email, email_verified: true, name: 'Ada King Lovelace' });
    const token = await api.issuer.tokenFor({ sub });

    expect((await api.call('GET', '/users/me', { token })).json()).toMatchObject({
      first_name: 'Ada',
      last_name: 'King Lovelace',
      email_address: email,
    });
  });

  it('401 when signed out', async () => {
    expect((await api.call('GET', '/users/me')).statusCode).toBe(401);
  });

  it('401 with an unknown API key alone', async () => {
    const answer = await api.call('GET', '/users/me', { headers: { 'x-api-key': 'key-of-nobody' } });

    expect(answer.statusCode).toBe(401);
    expect(usersRoutes.getMe.auth).toBe('user');
  });
});
