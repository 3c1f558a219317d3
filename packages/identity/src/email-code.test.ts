import { codeIn, startTestMailbox, type TestMailbox } from '@assay/stand-ins/testing/mailbox';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MovingClock } from './testing/moving-clock.ts';
import {
  authorize,
  buildPerson,
  exchangeCode,
  goodPassword,
  redirectUri,
  signIn,
  signUp,
  startTestIdentity,
  type TestIdentity,
} from './testing/test-identity.ts';

const clock = new MovingClock();
let mailbox: TestMailbox;
let identity: TestIdentity;
beforeAll(async () => {
  mailbox = await startTestMailbox();
  identity = await startTestIdentity({
    clock,
    smtpRelayUrl: mailbox.url,
    mailFrom: 'Assay <hello@assay.test>',
  });
});
afterAll(async () => {
  await identity.close();
  await mailbox.close();
  expect(identity.faults).toEqual([]);
});

const wrongFor = (code: string) => (code === '000000' ? '000001' : '000000');

/** An account made with the code that was mailed. */
async function provedPerson() {
  const person = buildPerson();
  const visitor = identity.visitor();
  const { page, verifier } = await signUp(identity, visitor, person);
  const back = await visitor.submit(page, { code: codeIn(await mailbox.take(person.email)) });
  return { person, visitor, page: back, verifier };
}

describe('with a mail relay', () => {
  it('addresses are not trusted', () => {
    expect(identity.trustsAddresses).toBe(false);
  });

  it('sign-up mails a code, and the account exists only once it is entered', async () => {
    const person = buildPerson();
    const visitor = identity.visitor();
    const { page, verifier } = await signUp(identity, visitor, person);
    expect(page.url.pathname).toMatch(/\/code$/);
    expect(page.text).toContain(person.email);
    const accounts = () => identity.query('SELECT 1 FROM identity.accounts WHERE email = $1', [person.email]);
    expect(await accounts()).toEqual([]);

    const mail = await mailbox.take(person.email);
    expect(mail.source).toContain('From: Assay <hello@assay.test>');
    const code = codeIn(mail);
    const back = await visitor.submit(page, { code: `${code.slice(0, 3)} ${code.slice(3)}` });
    const { body } = await exchangeCode(identity, back, verifier);
    expect(decodeJwt(body.access_token ?? '')).toMatchObject({ email: person.email, email_verified: true });
    expect(await accounts()).toHaveLength(1);
  });

  it('keeps neither the code nor a plain hash of it', async () => {
    const person = buildPerson();
    await signUp(identity, identity.visitor(), person);
    const code = codeIn(await mailbox.take(person.email));
    const [step] = await identity.query('SELECT * FROM identity.pending_steps WHERE step->>$1 = $2', [
      'email',
      person.email,
    ]);
    expect(JSON.stringify(step)).not.toContain(code);
    expect(JSON.stringify(step)).not.toContain(goodPassword);
  });

  it('a wrong code costs an attempt, five end it, also for the right one', async () => {
    const person = buildPerson();
    const visitor = identity.visitor();
    const { page } = await signUp(identity, visitor, person);
    const code = codeIn(await mailbox.take(person.email));
    const answers: string[] = [];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      answers.push((await visitor.submit(page, { code: wrongFor(code) })).text);
    }
    expect(answers[0]).toContain('You have 4 attempts left');
    expect(answers[3]).toContain('You have 1 attempt left');
    expect(answers[4]).toContain('This code no longer works');
    expect((await visitor.submit(page, { code })).text).toContain('This code no longer works');
  });

  it('guesses at the same time cannot exceed the attempts', async () => {
    const person = buildPerson();
    const visitor = identity.visitor();
    const { page } = await signUp(identity, visitor, person);
    const code = codeIn(await mailbox.take(person.email));
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => visitor.submit(page, { code: wrongFor(code) })),
    );
    expect(answers.filter(({ text }) => text.includes('left.'))).toHaveLength(4);
  });

  it('a new code can be sent, and makes the one before worthless', async () => {
    const person = buildPerson();
    const visitor = identity.visitor();
    const { page } = await signUp(identity, visitor, person);
    const first = codeIn(await mailbox.take(person.email));
    const resent = await visitor.submit(page, {}, { actionEndsWith: '/resend' });
    expect(resent.url.pathname).toMatch(/\/code$/);
    const second = codeIn(await mailbox.take(person.email));
    if (first !== second) expect((await visitor.submit(page, { code: first })).status).toBe(422);
    clock.advanceMinutes(9);
    const back = await visitor.submit(page, { code: second });
    expect(back.url.href).toContain(redirectUri);
  });

  it('a code that is entered too late leads to a fresh start', async () => {
    const person = buildPerson();
    const visitor = identity.visitor();
    const { page } = await signUp(identity, visitor, person);
    const code = codeIn(await mailbox.take(person.email));
    clock.advanceMinutes(11);
    const gone = await visitor.submit(page, { code });
    expect(gone.status).toBe(400);
    expect(gone.text).toContain('This sign-in has ended');
  });

  it('a code belongs to the browser that asked for it', async () => {
    const person = buildPerson();
    await signUp(identity, identity.visitor(), person);
    const code = codeIn(await mailbox.take(person.email));
    const other = identity.visitor();
    const { page } = await signUp(identity, other, buildPerson());
    expect((await other.submit(page, { code })).status).toBe(422);
  });

  it('sign-up with a taken address looks the same, but the owner gets a mail and no code works', async () => {
    const { person } = await provedPerson();
    const visitor = identity.visitor();
    const { page } = await signUp(identity, visitor, { ...person, password: 'the thief’s own password' });
    expect(page.url.pathname).toMatch(/\/code$/);
    const mail = (await mailbox.take(person.email)).source;
    expect(mail).toContain('already has an account');
    expect(mail).toContain('Sign in:\r\nhttp://app.test/\r\n');
    expect(mail).toContain('href=3D"http://app.test/"');
    expect((await visitor.submit(page, { code: '123456' })).status).toBe(422);
    expect((await signIn(identity, identity.visitor(), person)).page.url.href).toContain(redirectUri);
  });

  it('Google’s stand-in asks for the code every time', async () => {
    const { email, first_name, last_name } = buildPerson();
    for (let round = 0; round < 2; round += 1) {
      const visitor = identity.visitor();
      const { page, verifier } = await authorize(identity, visitor);
      const chooser = await visitor.follow(page, 'Continue with Google');
      expect(chooser.text).not.toContain('gmail.test');
      const asked = await visitor.submit(chooser, { email, first_name, last_name });
      const back = await visitor.submit(asked, { code: codeIn(await mailbox.take(email)) });
      const { body } = await exchangeCode(identity, back, verifier);
      expect(decodeJwt(body.access_token ?? '')).toMatchObject({
        identities: ['google'],
        email_verified: true,
      });
    }
  });

  it('codes to one address are limited', async () => {
    const person = buildPerson();
    const visitor = identity.visitor();
    const { page } = await signUp(identity, visitor, person);
    const resend = () => visitor.submit(page, {}, { actionEndsWith: '/resend' });
    for (let count = 0; count < 4; count += 1) expect((await resend()).status).toBe(200);
    const paused = await resend();
    expect(paused.status).toBe(429);
    expect(paused.text).toContain('60 minutes');
    clock.advanceMinutes(61);
  });
});

describe('Forgot your password?', () => {
  async function askForReset(email: string) {
    const visitor = identity.visitor();
    const { page, verifier } = await authorize(identity, visitor);
    const form = await visitor.follow(page, 'Forgot your password?');
    return { visitor, verifier, page: await visitor.submit(form, { email }) };
  }

  it('mails a code, asks for a new password and signs in', async () => {
    const { person } = await provedPerson();
    const { visitor, verifier, page } = await askForReset(person.email);
    const choose = await visitor.submit(page, { code: codeIn(await mailbox.take(person.email)) });
    expect(choose.text).toContain('Choose a new password');
    const back = await visitor.submit(choose, { password: 'something else entirely' });
    expect((await exchangeCode(identity, back, verifier)).status).toBe(200);
    expect((await signIn(identity, identity.visitor(), person)).page.status).toBe(422);
    const { source } = await mailbox.take(person.email);
    expect(source).toContain('Subject: Your Assay password was changed');
  });

  it('looks the same for an address without an account, and sends no mail', async () => {
    const { email } = buildPerson();
    const { visitor, page } = await askForReset(email);
    expect(page.text).toContain('We sent a six-digit code to');
    expect((await visitor.submit(page, { code: '123456' })).text).toContain('That code is not right');
    // Whatever was to be sent before this one has been sent by the time this one arrives.
    await provedPerson();
    expect(mailbox.mails.some(({ to }) => to.includes(email))).toBe(false);
  });
});

describe('an account from before the relay', () => {
  it('proves its address at the next sign-in, once', async () => {
    const trusting = await startTestIdentity({ databaseUrl: identity.databaseUrl });
    const person = buildPerson();
    await signUp(trusting, trusting.visitor(), person);
    await trusting.close();

    const visitor = identity.visitor();
    const { page } = await signIn(identity, visitor, person);
    const back = await visitor.submit(page, { code: codeIn(await mailbox.take(person.email)) });
    expect(back.url.href).toContain(redirectUri);
    expect((await signIn(identity, identity.visitor(), person)).page.url.href).toContain(redirectUri);
  });
});

describe('a relay that refuses', () => {
  it('is shown on the page, and reported to the operator without the address', async () => {
    const broken = await startTestMailbox();
    const other = await startTestIdentity({ smtpRelayUrl: broken.url });
    broken.refuse();
    const person = buildPerson();
    const { page } = await signUp(other, other.visitor(), person);
    expect(page.status).toBe(422);
    expect(page.text).toContain('We could not send the mail.');
    expect(other.faults).toHaveLength(1);
    expect(other.faults[0]?.message).toContain('The mail relay failed');
    expect(other.faults[0]?.message).not.toContain(person.email);
    await other.close();
    await broken.close();
  });
});
