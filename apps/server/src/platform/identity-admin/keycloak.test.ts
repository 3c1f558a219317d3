import { startIdentity } from '@assay/sandbox/identity';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBareDatabase } from '../../testing/database.ts';
import { freePort } from '../../testing/free-port.ts';
import { createIdentityAdmin, type IdentityAdmin } from './index.ts';

const client = { clientId: 'assay-admin', clientSecret: 'a secret of the operator' };
const ada = {
  email: 'ada@exists.test',
  password: 'plumb-line-and-balance',
  firstName: 'Ada',
  lastName: 'King',
};

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
      connection: '',
      ...client,
      ...other,
    });
  const check = (password: string) => admin.checkPassword({ address: ada.email, password });

  it('know a right password from a wrong one', async () => {
    expect(await check(ada.password)).toBe('right');
    expect(await check('not-her-password')).toBe('wrong');
  });

  it('take a new password', async () => {
    expect(await admin.setPassword(subject, 'cupel-and-crucible-1')).toEqual({ isTaken: true });

    expect(await check(ada.password)).toBe('wrong');
    expect(await check('cupel-and-crucible-1')).toBe('right');
  });

  it('say in their own words why a password is not taken', async () => {
    const answer = await admin.setPassword(subject, 'short');

    expect(answer).toEqual({ isTaken: false, why: expect.stringMatching(/\w+/) });
  });

  it('ask for a new password from then on', async () => {
    await admin.requireNewPassword(subject);

    expect(await check('cupel-and-crucible-1')).toBe('expired');
  });

  it('are not open to another secret, which is our trouble and not the customer’s', async () => {
    const stranger = adminWith({ clientSecret: 'a guess' });

    await expect(stranger.requireNewPassword(subject)).rejects.toMatchObject({
      code: 'service_unavailable',
      details: { part: 'identity', call: 'token' },
    });
  });

  it('that cannot be reached are told as such', async () => {
    const nowhere = adminWith({ url: `http://127.0.0.1:${await freePort()}/realms/assay` });

    await expect(nowhere.deleteUser(subject)).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('are deleted, once and again', async () => {
    await admin.deleteUser(subject);
    await admin.deleteUser(subject);

    await expect(issueToken()).rejects.toThrow();
  });
});
