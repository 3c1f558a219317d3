import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import {
  askForTokens,
  authorize,
  buildPerson,
  exchangeCode,
  identityOfFile,
  redirectUri,
  signIn,
  signUp,
} from './testing/test-identity.ts';

const identity = await identityOfFile();

const newPassword = 'a wholly new password';
const requireNewPassword = (email: string) =>
  identity.query('UPDATE identity.accounts SET must_change_password = true WHERE email = $1', [email]);

describe('an account that must change its password', () => {
  it('is asked after the old one, goes on with the new one, and is not asked again', async () => {
    const person = buildPerson();
    await signUp(identity, identity.visitor(), person);
    await requireNewPassword(person.email);

    const visitor = identity.visitor();
    const asked = await signIn(identity, visitor, person);
    expect(asked.page.url.pathname).toMatch(/\/new-password$/);
    expect(asked.page.text).toContain(person.email);
    const back = await visitor.submit(asked.page, { password: newPassword });
    expect(back.url.href).toContain(redirectUri);
    const { status, body } = await exchangeCode(identity, back, asked.verifier);
    expect(status).toBe(200);
    // By this the product ends the sessions from before, too.
    expect(decodeJwt(body.access_token ?? '').sessions_valid_from).toEqual(expect.any(Number));

    expect((await signIn(identity, identity.visitor(), person)).page.status).toBe(422);
    const again = await signIn(identity, identity.visitor(), { ...person, password: newPassword });
    expect(again.page.url.href).toContain(redirectUri);
  });

  it('may not keep the old one, nor choose a weak one', async () => {
    const person = buildPerson();
    await signUp(identity, identity.visitor(), person);
    await requireNewPassword(person.email);
    const visitor = identity.visitor();
    const { page } = await signIn(identity, visitor, person);
    const same = await visitor.submit(page, { password: person.password });
    expect(same.status).toBe(422);
    expect(same.text).toContain('That is the password you have now.');
    expect((await visitor.submit(page, { password: '12345678' })).status).toBe(422);
  });

  it('cannot slip past: neither by the old password’s page nor by a living session', async () => {
    const person = buildPerson();
    const visitor = identity.visitor();
    await signUp(identity, visitor, person);
    await requireNewPassword(person.email);
    const { page } = await authorize(identity, visitor);
    expect(page.url.pathname).toMatch(/\/new-password$/);
    const silent = await authorize(identity, visitor, { prompt: 'none' });
    expect(silent.page.url.searchParams.get('error')).toBe('login_required');
  });

  it('is asked for the old one first in a session whose sign-in is more than ten minutes ago', async () => {
    const person = buildPerson();
    const visitor = identity.visitor();
    await signUp(identity, visitor, person);
    await requireNewPassword(person.email);
    await identity.query(
      `UPDATE identity.records SET payload = jsonb_set(payload, '{loginTs}', to_jsonb((payload->>'loginTs')::int - 601))
       WHERE model = 'Session' AND account_id = (SELECT id::text FROM identity.accounts WHERE email = $1)`,
      [person.email],
    );

    const { page } = await authorize(identity, visitor);
    expect(page.text).toContain('<h1>Sign in</h1>');
    const asked = await visitor.submit(page, { email: person.email, password: person.password });
    expect(asked.url.pathname).toMatch(/\/new-password$/);
    const back = await visitor.submit(asked, { password: newPassword });
    expect(back.url.href).toContain(redirectUri);
  });

  it('is signed out everywhere else, but not where it chose', async () => {
    const person = buildPerson();
    const [here, elsewhere] = [identity.visitor(), identity.visitor()];
    await signUp(identity, here, person);
    const other = await signIn(identity, elsewhere, person);
    const otherTokens = await exchangeCode(identity, other.page, other.verifier);
    await requireNewPassword(person.email);

    const { page } = await authorize(identity, here);
    await here.submit(page, { password: newPassword });

    expect((await authorize(identity, here)).page.url.href).toContain(redirectUri);
    expect((await authorize(identity, elsewhere)).page.text).toContain('<h1>Sign in</h1>');
    const refreshed = await askForTokens(identity, {
      grant_type: 'refresh_token',
      refresh_token: otherTokens.body.refresh_token ?? '',
    });
    expect(refreshed.status).toBe(400);
  });

  it('the page needs a sign-in first', async () => {
    const visitor = identity.visitor();
    const { page } = await authorize(identity, visitor);
    const direct = await visitor.open(`${page.url.pathname}/new-password`);
    expect(direct.status).toBe(400);
    expect(direct.text).toContain('This sign-in has ended');
    const posted = await visitor.post(new URL(`${page.url.pathname}/new-password`, page.url), {
      form_token: /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] ?? '',
      password: newPassword,
    });
    expect(posted.status).toBe(400);
  });
});
