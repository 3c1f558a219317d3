import type { Page, Visitor } from '@assay/pages/testing/visitor';
import { codeIn, type Mail, startTestMailbox, type TestMailbox } from '@assay/stand-ins/testing/mailbox';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TwoStepChange } from './options.ts';
import { MovingClock } from './testing/moving-clock.ts';
import {
  authorize,
  buildPerson,
  exchangeCode,
  type Person,
  redirectUri,
  signIn,
  signUp,
  startTestIdentity,
  type TestIdentity,
} from './testing/test-identity.ts';
import { recoveryCodesOn, setUpApp } from './testing/two-step.ts';

const clock = new MovingClock();
const now = () => clock.now();
const limits = {
  secondStep: { name: 'second', max: 4, windowMinutes: 15 },
  secondStepPerDay: { name: 'second_day', max: 7, windowMinutes: 24 * 60 },
  secondStepOfAllDevices: { name: 'second_all', max: 9, windowMinutes: 24 * 60 },
};
let mailbox: TestMailbox;
let identity: TestIdentity;
const changes: TwoStepChange[] = [];
beforeAll(async () => {
  mailbox = await startTestMailbox();
  const onTwoStepChange = async (change: TwoStepChange) => {
    changes.push(change);
  };
  identity = await startTestIdentity({ clock, limits, smtpRelayUrl: mailbox.url, onTwoStepChange });
});
afterAll(async () => {
  await identity.close();
  await mailbox.close();
  expect(identity.faults).toEqual([]);
});

/** Signed up, in a browser that knows the account. */
async function newPerson() {
  const person = buildPerson();
  const visitor = identity.visitor();
  const { page } = await signUp(identity, visitor, person);
  await visitor.submit(page, { code: codeIn(await mailbox.take(person.email)) });
  return { person, visitor };
}

/** The same with an authenticator app. Half a minute later its next code is new. */
async function personWithApp() {
  const { person, visitor } = await newPerson();
  const { app, codes } = await setUpApp(visitor, now);
  await mailbox.take(person.email);
  clock.advanceMinutes(0.5);
  return { person, visitor, app, codes };
}

/** Without the line breaks that quoted-printable adds. */
const textOf = ({ source }: Mail) => source.replace(/=\r?\n/g, '');
const wayOutOfLock = 'write to the people who run this installation of Assay: they can turn it off';
const wayByPassword = 'choose a new password now';

const wrongCode = '000000';
/** A browser that nobody used before, after the password. */
async function atSecondStep(person: Pick<Person, 'email' | 'password'>) {
  const visitor = identity.visitor();
  const { page, verifier } = await signIn(identity, visitor, person);
  return { visitor, page, verifier };
}

describe('the page about two-step verification', () => {
  it('turns it on with a code of the app, and shows ten recovery codes once', async () => {
    const { person, visitor } = await newPerson();
    const page = await visitor.open('/account');
    expect(page.text).toContain('It is <strong>off</strong>');
    const { shown, codes } = await setUpApp(visitor, now);

    expect(shown.status).toBe(200);
    expect(shown.headers.get('cache-control')).toBe('no-store');
    expect(new Set(codes).size).toBe(10);
    const after = await visitor.open('/account');
    expect(after.text).toContain('It is <strong>on</strong>');
    expect(after.text).toContain('You have 10 left');
    expect(recoveryCodesOn(after)).toEqual([]);
    const mail = textOf(await mailbox.take(person.email));
    expect(mail).toContain('Two-step verification was turned on');
    // Whoever is locked out by a thief's app would be asked for its code before a new password.
    expect(mail).toContain(wayOutOfLock);
    expect(mail).not.toContain(wayByPassword);
  });

  it('tells the product of each change, with the browser that made it', async () => {
    const { person, visitor } = await newPerson();
    changes.length = 0;
    await setUpApp(visitor, now);
    for (const actionEndsWith of ['/recovery-codes', '/authenticator/remove'])
      await visitor.submit(await visitor.open('/account'), {}, { actionEndsWith });

    expect(changes.map(({ what }) => what)).toEqual([
      'authenticator_added',
      'recovery_codes_renewed',
      'authenticator_removed',
    ]);
    const rows = await identity.query<{ id: string }>('SELECT id FROM identity.accounts WHERE email = $1', [
      person.email,
    ]);
    const caller = { address: '127.0.0.1', agent: expect.any(String) };
    expect(changes[0]).toMatchObject({ subject: rows[0]?.id, caller, now: now() });
    for (const _ of changes) await mailbox.take(person.email);
  });

  it('422 with a code that is not the app’s, and the same key again', async () => {
    const { visitor } = await newPerson();
    const page = await visitor.follow(await visitor.open('/account'), 'Set up an app');
    const again = await visitor.submit(page, { code: wrongCode });

    expect(again.status).toBe(422);
    const keyOn = (text: string) => /class="key"><code>([^<]+)/.exec(text)?.[1];
    expect(keyOn(again.text)).toBe(keyOn(page.text));
    expect((await visitor.open('/account')).text).toContain('It is <strong>off</strong>');
  });

  it('keeps neither the secret nor the recovery codes as they are', async () => {
    const { app, codes } = await personWithApp();
    const kept = await identity.query(
      `SELECT encode(sealed_secret, 'hex') AS kept FROM identity.authenticators
       UNION ALL SELECT code_hash FROM identity.recovery_codes`,
    );
    const text = JSON.stringify(kept);
    for (const code of codes) expect(text).not.toContain(code.replace('-', ''));
    expect(text).not.toContain(app.secretHex);
  });

  it('leads to the sign-in without a session, and back', async () => {
    const { person } = await newPerson();
    const visitor = identity.visitor();
    const page = await visitor.open('/account');
    expect(page.url.pathname).toMatch(/^\/interaction\//);
    const back = await visitor.submit(page, { email: person.email, password: person.password });
    expect(back.url.pathname).toBe('/account');
    expect(back.text).toContain('Two-step verification');
  });

  it('asks to sign in again when that was more than ten minutes ago, before showing or changing anything', async () => {
    const { person, visitor } = await personWithApp();
    const page = await visitor.open('/account');
    await identity.query(
      `UPDATE identity.records SET payload = jsonb_set(payload, '{loginTs}', to_jsonb((payload->>'loginTs')::int - 601))
       WHERE model = 'Session' AND account_id = (SELECT id::text FROM identity.accounts WHERE email = $1)`,
      [person.email],
    );

    const asked = await visitor.open('/account');
    expect(asked.text).toContain('confirm that it is you');
    expect(asked.text).toContain(`value="${person.email}"`);
    await visitor.submit(page, {}, { actionEndsWith: '/authenticator/remove' });
    expect(await atSecondStep(person)).toMatchObject({ page: { status: 200 } });
    const step = await visitor.submit(asked, { password: person.password });
    expect(step.url.pathname).toMatch(/\/second-step$/);
  });

  it('400 to a form of another site, and to a key that was offered to another person', async () => {
    const [mine, theirs] = [await newPerson(), await newPerson()];
    const page = await mine.visitor.follow(await mine.visitor.open('/account'), 'Set up an app');
    const theirPage = await theirs.visitor.follow(await theirs.visitor.open('/account'), 'Set up an app');
    const [, offer = ''] = /name="offer" value="([^"]+)"/.exec(theirPage.text) ?? [];

    expect((await mine.visitor.submit(page, { form_token: 'forged', code: wrongCode })).status).toBe(400);
    expect((await mine.visitor.submit(page, { offer, code: wrongCode })).status).toBe(400);
    expect((await mine.visitor.open('/account/nothing')).status).toBe(400);
  });

  it('of a person who signs in with Google says that the second step is Google’s', async () => {
    const visitor = identity.visitor();
    const { page } = await authorize(identity, visitor);
    const chooser = await visitor.follow(page, 'Continue with Google');
    const email = `google-${Date.now()}@gmail.test`;
    const asked = await visitor.submit(chooser, { email, first_name: 'Ines', last_name: 'Carvalho' });
    await visitor.submit(asked, { code: codeIn(await mailbox.take(email)) });

    expect((await visitor.open('/account')).text).toContain('the second step is Google');
  });

  it('removes the app: the password alone signs in, old recovery codes are gone, and a mail says so', async () => {
    const { person, visitor } = await personWithApp();
    const page = await visitor.open('/account');
    expect(page.text).toContain('This turns two-step verification off.');
    const after = await visitor.submit(page, {}, { actionEndsWith: '/authenticator/remove' });

    expect(after.text).toContain('It is <strong>off</strong>');
    const mail = textOf(await mailbox.take(person.email));
    expect(mail).toContain('Two-step verification was turned off');
    expect(mail).toContain(wayByPassword);
    expect((await atSecondStep(person)).page.url.href).toContain(redirectUri);
    const left = await identity.query(
      'SELECT 1 FROM identity.recovery_codes JOIN identity.accounts ON account_id = id WHERE email = $1',
      [person.email],
    );
    expect(left).toEqual([]);
  });
});

describe('the second step', () => {
  it('asks after the password for the code of the app; the tokens say how the person signed in', async () => {
    const { person, app } = await personWithApp();
    const { visitor, page, verifier } = await atSecondStep(person);
    expect(page.url.pathname).toMatch(/\/second-step$/);
    const back = await visitor.submit(page, { code: app.code() });
    const { body } = await exchangeCode(identity, back, verifier);

    expect(decodeJwt(body.id_token ?? '').amr).toEqual(['pwd', 'otp', 'mfa']);
  });

  it('cannot be left out: no other page of the sign-in goes on without it', async () => {
    const { person } = await personWithApp();
    const { visitor, page } = await atSecondStep(person);
    for (const name of ['code', 'new-password']) {
      expect((await visitor.open(new URL(page.url.href.replace('second-step', name)))).status).toBe(400);
    }
    const back = await visitor.open('/account');
    expect(back.url.pathname).toMatch(/^\/interaction\//);
  });

  it('takes a code once, also in another browser', async () => {
    const { person, app } = await personWithApp();
    const [first, second] = [await atSecondStep(person), await atSecondStep(person)];
    const code = app.code();

    expect((await first.visitor.submit(first.page, { code })).url.href).toContain(redirectUri);
    const replayed = await second.visitor.submit(second.page, { code });
    expect(replayed.status).toBe(422);
    expect(replayed.text).toContain('it was used before');
  });

  it('takes a code once when it comes 16 times at once, from four browsers', async () => {
    const generous = await startTestIdentity({
      clock,
      databaseUrl: identity.databaseUrl,
      smtpRelayUrl: mailbox.url,
      limits: { secondStep: { name: 'race', max: 100, windowMinutes: 15 } },
    });
    const { person, app, codes } = await personWithApp();
    for (const code of [app.code(), codes[0] ?? '']) {
      const visits: { visitor: Visitor; page: Page }[] = [];
      for (let browser = 0; browser < 4; browser += 1) {
        const visitor = generous.visitor();
        visits.push({ visitor, ...(await signIn(generous, visitor, person)) });
      }
      const times = visits.flatMap((visit) => [visit, visit, visit, visit]);
      const answers = await Promise.all(times.map(({ visitor, page }) => visitor.submit(page, { code })));
      expect(answers.filter(({ url }) => url.href.startsWith(redirectUri))).toHaveLength(1);
    }
    await generous.close();
    expect(generous.faults).toEqual([]);
  });

  it('takes a recovery code in any spelling, once, and tells by mail', async () => {
    const { person, codes } = await personWithApp();
    const [first, second] = [await atSecondStep(person), await atSecondStep(person)];
    const code = codes[3] ?? '';

    const back = await first.visitor.submit(first.page, { code: ` ${code.toUpperCase().replace('-', ' ')}` });
    expect(back.url.href).toContain(redirectUri);
    expect((await mailbox.take(person.email)).source).toContain('A recovery code was used');
    expect((await second.visitor.submit(second.page, { code })).status).toBe(422);
  });

  it('new recovery codes make the old ones worthless', async () => {
    const { person, visitor, codes } = await personWithApp();
    const shown = await visitor.submit(
      await visitor.open('/account'),
      {},
      { actionEndsWith: '/recovery-codes' },
    );
    const fresh = recoveryCodesOn(shown);
    expect(fresh).toHaveLength(10);
    const step = await atSecondStep(person);

    expect((await step.visitor.submit(step.page, { code: codes[0] ?? '' })).status).toBe(422);
    const back = await step.visitor.submit(step.page, { code: fresh[0] ?? '' });
    expect(back.url.href).toContain(redirectUri);
  });

  it('pauses after wrong codes, for the right one too; a browser that signed in before is not paused', async () => {
    const { person, visitor, app } = await personWithApp();
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const step = await atSecondStep(person);
      expect((await step.visitor.submit(step.page, { code: wrongCode })).status).toBe(422);
    }
    const paused = await atSecondStep(person);
    const answer = await paused.visitor.submit(paused.page, { code: app.code() });
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);

    const { page } = await authorize(identity, visitor, { prompt: 'login' });
    const own = await visitor.submit(page, { email: person.email, password: person.password });
    expect((await visitor.submit(own, { code: app.code() })).url.href).toContain(redirectUri);
  });

  it('bounds wrong codes of a day, however patient', async () => {
    const { person } = await personWithApp();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 8; attempt += 1) {
      clock.advanceMinutes(20);
      const step = await atSecondStep(person);
      statuses.push((await step.visitor.submit(step.page, { code: wrongCode })).status);
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 422, 422, 429]);
  });

  it('bounds wrong codes of a day over all browsers that signed in before it was turned on', async () => {
    const { person, visitor } = await newPerson();
    const browsers = [identity.visitor(), identity.visitor(), identity.visitor()];
    for (const browser of browsers) await signIn(identity, browser, person);
    await setUpApp(visitor, now);
    const statuses: number[] = [];
    for (const browser of browsers) {
      const { page } = await authorize(identity, browser, { prompt: 'login' });
      const step = await browser.submit(page, { email: person.email, password: person.password });
      for (let attempt = 0; attempt < 4; attempt += 1)
        statuses.push((await browser.submit(step, { code: wrongCode })).status);
    }
    expect(statuses).toEqual([...Array(9).fill(422), 429, 429, 429]);
  });

  it('is asked for before a new password is chosen with a mailed code, and stays on', async () => {
    const { person, app } = await personWithApp();
    const visitor = identity.visitor();
    const { page } = await authorize(identity, visitor);
    const sent = await visitor.submit(
      await visitor.follow(page, 'Forgot your password?'),
      { email: person.email },
      { actionEndsWith: '/forgot' },
    );
    const step = await visitor.submit(sent, { code: codeIn(await mailbox.take(person.email)) });
    expect(step.url.pathname).toMatch(/\/second-step$/);
    const choose = new URL(step.url.href.replace('second-step', 'new-password'));
    expect((await visitor.open(choose)).status).toBe(400);

    const asked = await visitor.submit(step, { code: app.code() });
    expect(asked.url.pathname).toMatch(/\/new-password$/);
    const password = 'a wholly new password';
    expect((await visitor.submit(asked, { password })).url.href).toContain(redirectUri);
    expect(textOf(await mailbox.take(person.email))).toContain(wayOutOfLock);
    const again = await atSecondStep({ ...person, password });
    expect(again.page.url.pathname).toMatch(/\/second-step$/);
  });

  it('that took too long begins again', async () => {
    const { person, app } = await personWithApp();
    const { visitor, page } = await atSecondStep(person);
    clock.advanceMinutes(11);
    expect((await visitor.submit(page, { code: app.code() })).status).not.toBe(303);
    expect((await visitor.open(page.url)).text).toContain('This sign-in has ended');
  });
});

it('deleting the account deletes its second factors', async () => {
  const { person } = await personWithApp();
  await identity.query('DELETE FROM identity.accounts WHERE email = $1', [person.email]);
  const left = await identity.query(
    'SELECT account_id FROM identity.authenticators UNION SELECT account_id FROM identity.recovery_codes EXCEPT SELECT id FROM identity.accounts',
  );
  expect(left).toEqual([]);
});
