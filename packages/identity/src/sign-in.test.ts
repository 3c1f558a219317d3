import { type Page, unescapeText } from '@assay/pages/testing/visitor';
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import {
  audience,
  authorize,
  buildPerson,
  clientId,
  exchangeCode,
  getJson,
  identityOfFile,
  redirectUri,
  signIn,
  signUp,
} from './testing/test-identity.ts';

// The usual cost, unlike other files.
const identity = await identityOfFile({ passwordCost: undefined });

const isAtWebApp = (page: Page) => `${page.url.origin}${page.url.pathname}` === redirectUri;

describe('signing up', () => {
  it('leads to a code, the code to tokens, the token to userinfo', async () => {
    const person = buildPerson({ email: 'First.Person@Exists.test' });
    const { page, verifier } = await signUp(identity, identity.visitor(), person);

    expect(isAtWebApp(page)).toBe(true);
    expect(page.url.searchParams.get('state')).toBe('the-state');
    const { status, body } = await exchangeCode(identity, page, verifier);
    expect(status).toBe(200);

    const discovery = await getJson<{ jwks_uri: string; userinfo_endpoint: string }>(
      `${identity.issuer}/.well-known/openid-configuration`,
    );
    const keys = createLocalJWKSet(await getJson(discovery.jwks_uri));
    const { payload, protectedHeader } = await jwtVerify(body.access_token ?? '', keys, {
      issuer: identity.issuer,
      audience,
      algorithms: ['RS256'],
    });
    expect(protectedHeader.typ).toBe('at+jwt');
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(30 * 60);
    const claims = {
      sub: payload.sub,
      name: 'Marta Nowak',
      given_name: 'Marta',
      family_name: 'Nowak',
      email: 'First.Person@Exists.test',
      email_verified: true,
      identities: ['email'],
    };
    expect(payload).toMatchObject({ ...claims, client_id: clientId, scope: 'openid profile email phone' });
    expect(decodeJwt(body.id_token ?? '')).toMatchObject({ ...claims, aud: clientId, amr: ['pwd'] });

    const authorization = `Bearer ${body.access_token}`;
    expect(await getJson(discovery.userinfo_endpoint, { authorization })).toEqual(claims);
  });

  it('§5 names and email are checked with the words of the specification, and what was typed stays', async () => {
    const visitor = identity.visitor();
    const { page } = await authorize(identity, visitor);
    const form = await visitor.follow(page, 'Create an account');
    const problemsOf = async (typed: Record<string, string>) => {
      const answer = await visitor.submit(form, { ...buildPerson(), ...typed });
      expect(answer.status).toBe(422);
      return [...answer.text.matchAll(/<p class="field-error"[^>]*>(.*?)<\/p>/g)].map(([, text = '']) =>
        unescapeText(text),
      );
    };

    expect(await problemsOf({ first_name: ' ', last_name: '' })).toEqual([
      'First name required',
      'Last name required',
    ]);
    expect(await problemsOf({ first_name: 'A' })).toEqual(['First name requires at least 2 characters']);
    expect(await problemsOf({ last_name: 'x'.repeat(51) })).toEqual([
      'Last name requires no more than 50 characters',
    ]);
    expect(await problemsOf({ first_name: 'R2D2' })).toEqual(['First name requires valid characters']);
    for (const email of ['nobody', 'a@b', 'two@at@x.test', 'a b@x.test', `${'a'.repeat(250)}@x.test`]) {
      expect(await problemsOf({ email }), email).toEqual(['Enter a valid email']);
    }

    const answer = await visitor.submit(
      form,
      buildPerson({ first_name: '"><script>', last_name: "O'Neil-Świątek, Jr." }) as never,
    );
    expect(answer.text).not.toContain('<script>');
    expect(unescapeText(answer.text)).toContain('value="O\'Neil-Świątek, Jr."');
    expect(answer.text).toContain('aria-invalid="true"');
  });

  it('refuses a password that is short, obvious or the address itself, and never sends it back', async () => {
    const visitor = identity.visitor();
    const { page } = await authorize(identity, visitor);
    const form = await visitor.follow(page, 'Create an account');
    for (const [password, words] of [
      ['', 'Password required'],
      ['seven77', 'Use at least 8 characters'],
      ['Password1!', 'among the first that are guessed'],
      ['exists-person', 'too close to your name or address'],
    ] as const) {
      const answer = await visitor.submit(form, {
        ...buildPerson({ email: 'exists.person@exists.test' }),
        password,
      });
      expect(answer.status).toBe(422);
      expect(answer.text).toContain(words);
      if (password) expect(answer.text).not.toContain(password);
    }
  });

  it('refuses an address that has an account, however it is spelled', async () => {
    const person = buildPerson();
    await signUp(identity, identity.visitor(), person);
    const { page } = await signUp(identity, identity.visitor(), {
      ...person,
      email: ` ${person.email.toUpperCase()} `,
    });
    expect(page.status).toBe(422);
    expect(page.text).toContain('This address has an account already. Sign in instead.');
  });

  it('promises the free credits once per address: who signs up again after deleting the account gets none', async () => {
    const visitor = identity.visitor();
    const { page } = await authorize(identity, visitor);
    const form = await visitor.follow(page, 'Create an account');

    expect(form.text).toContain('You get 1,000 free credits, once per email address.');
  });

  it('makes one account of many concurrent sign-ups with one address', async () => {
    const person = buildPerson();
    const pages = await Promise.all(
      Array.from({ length: 4 }, () => signUp(identity, identity.visitor(), person)),
    );
    expect(pages.filter(({ page }) => isAtWebApp(page))).toHaveLength(1);
    const rows = await identity.query('SELECT 1 FROM identity.accounts WHERE email = $1', [person.email]);
    expect(rows).toHaveLength(1);
  });
});

describe('signing in', () => {
  it('works with the password, in any case of the address, and gives the same subject', async () => {
    const person = buildPerson();
    const first = await signUp(identity, identity.visitor(), person);
    const firstTokens = await exchangeCode(identity, first.page, first.verifier);
    const again = await signIn(identity, identity.visitor(), {
      ...person,
      email: person.email.toUpperCase(),
    });
    const tokens = await exchangeCode(identity, again.page, again.verifier);
    expect(decodeJwt(tokens.body.access_token ?? '').sub).toBe(
      decodeJwt(firstTokens.body.access_token ?? '').sub,
    );
  });

  it('answers a wrong password and an unknown address alike', async () => {
    const person = buildPerson();
    await signUp(identity, identity.visitor(), person);
    const wrong = await signIn(identity, identity.visitor(), { ...person, password: 'not the password' });
    const unknown = await signIn(identity, identity.visitor(), buildPerson());

    const neutral = (page: Page) => page.text.replace(/person\d+|value="[^"]*"|\/interaction\/[\w-]+/g, '…');
    expect(wrong.page.status).toBe(422);
    expect(wrong.page.text).toContain('The email or the password is not right.');
    expect(unknown.page.status).toBe(422);
    expect(neutral(unknown.page)).toBe(neutral(wrong.page));
  });

  it('is not asked for again while the session lives', async () => {
    const visitor = identity.visitor();
    await signUp(identity, visitor, buildPerson());
    const { page } = await authorize(identity, visitor);
    expect(isAtWebApp(page)).toBe(true);
    expect(page.url.searchParams.get('code')).toBeTruthy();
  });

  it('prompt=none answers login_required to who is signed out', async () => {
    const { page } = await authorize(identity, identity.visitor(), { prompt: 'none' });
    expect(page.url.searchParams.get('error')).toBe('login_required');
  });

  it('prompt=login asks again, and another person who then signs in gets a session of their own', async () => {
    const [first, second] = [buildPerson(), buildPerson()];
    await signUp(identity, identity.visitor(), second);
    const visitor = identity.visitor();
    const { page: firstPage, verifier: firstVerifier } = await signUp(identity, visitor, first);
    const firstTokens = await exchangeCode(identity, firstPage, firstVerifier);

    const { page, verifier } = await authorize(identity, visitor, {
      prompt: 'login',
      login_hint: second.email,
    });
    expect(page.text).toContain(`value="${second.email}"`);
    const back = await visitor.submit(page, { email: second.email, password: second.password });
    const tokens = await exchangeCode(identity, back, verifier);

    expect(decodeJwt(tokens.body.id_token ?? '').email).toBe(second.email);
    expect(decodeJwt(tokens.body.id_token ?? '').sub).not.toBe(
      decodeJwt(firstTokens.body.id_token ?? '').sub,
    );
    const sessions = await identity.query<{ sub: string }>(
      "SELECT account_id AS sub FROM identity.records WHERE model = 'Session' AND account_id = $1",
      [decodeJwt(firstTokens.body.id_token ?? '').sub],
    );
    expect(sessions).toEqual([]);
  });

  it('keeps passwords as argon2id hashes and no usable token in the database', async () => {
    const visitor = identity.visitor();
    const person = buildPerson();
    const { page, verifier } = await signUp(identity, visitor, person);
    const { body } = await exchangeCode(identity, page, verifier);
    const [account] = await identity.query<{ password_hash: string }>(
      'SELECT password_hash FROM identity.accounts WHERE email = $1',
      [person.email],
    );
    expect(account?.password_hash).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$/);

    const records = await identity.query('SELECT * FROM identity.records');
    const stored = JSON.stringify(records);
    const sessionId =
      visitor.cookies.find(({ name }) => name.endsWith('_session'))?.value ?? 'no session cookie';
    expect(stored).not.toContain(body.refresh_token);
    expect(stored).not.toContain(sessionId);
  });

  it('issueToken gives an access token of an existing account, and none of an unknown one', async () => {
    const person = buildPerson();
    await signUp(identity, identity.visitor(), person);
    const token = await identity.issueToken({ email: person.email });
    expect(decodeJwt(token)).toMatchObject({ aud: audience, email: person.email, identities: ['email'] });
    const userinfo = await getJson(`${identity.issuer}/me`, { authorization: `Bearer ${token}` });
    expect(userinfo).toMatchObject({ email: person.email });
    await expect(identity.issueToken({ email: 'nobody@exists.test' })).rejects.toThrow(
      'No account has the address',
    );
  });
});

describe('signing in again', () => {
  const screen = async (extra: Record<string, string>) => {
    const { page } = await authorize(identity, identity.visitor(), extra);
    return unescapeText(page.text);
  };

  it('says that a session has ended, with the address, and offers no new account', async () => {
    const text = await screen({ max_age: '0', login_hint: 'ada@exists.test', reason: 'session_ended' });
    expect(text).toContain(
      'Your session has ended: it was closed on another device, the password was changed',
    );
    expect(text).toContain('value="ada@exists.test"');
    expect(text).not.toContain('Create an account');
  });

  it('says that a recent sign-in is needed, also when the client names another reason', async () => {
    for (const reason of ['confirm', '<script>']) {
      expect(await screen({ max_age: '0', reason })).toContain('For your safety, confirm that it is you.');
    }
  });

  it('a first sign-in says neither, whatever reason it names', async () => {
    const text = await screen({ reason: 'session_ended' });
    expect(text).toContain('Create an account');
    expect(text).not.toContain('Your session has ended');
  });
});

describe('a forgotten password, without a relay', () => {
  it('says what to do, because no code can be sent', async () => {
    const visitor = identity.visitor();
    const { page } = await authorize(identity, visitor);
    const forgot = await visitor.follow(page, 'Forgot your password?');

    expect(forgot.status).toBe(200);
    expect(forgot.text).toContain('This installation sends no mail');
    expect(forgot.text).toContain('Reset Password on the Account page');
    expect(forgot.text).toContain('SMTP_RELAY_URL');
    expect(forgot.text).not.toContain('<form');
  });
});
