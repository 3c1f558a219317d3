import type { Visitor } from '@assay/pages/testing/visitor';
import { freePort } from '@assay/postgres/testing/free-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MovingClock } from './testing/moving-clock.ts';
import {
  authorize,
  buildPerson,
  type Person,
  redirectUri,
  signIn,
  signUp,
  startTestIdentity,
  type TestIdentity,
} from './testing/test-identity.ts';

const clock = new MovingClock();
const limits = {
  signInPerAccountAndNetwork: { name: 'account_network', max: 3, windowMinutes: 15 },
  signInPerKnownDevice: { name: 'device', max: 3, windowMinutes: 15 },
  signInBeforeSlowing: { name: 'slowing', max: 100, windowMinutes: 60 },
  signInPerAccount: { name: 'account', max: 6, windowMinutes: 60 },
  signInPerAddress: { name: 'address', max: 8, windowMinutes: 15 },
  signUpPerAddress: { name: 'sign_up', max: 4, windowMinutes: 60 },
};
let identity: TestIdentity;
let second: TestIdentity;
beforeAll(async () => {
  identity = await startTestIdentity({ clock, limits });
  second = await startTestIdentity({
    clock,
    limits,
    databaseUrl: identity.databaseUrl,
    port: await freePort(),
  });
});
afterAll(async () => {
  await Promise.all([identity.close(), second.close()]);
  expect([...identity.faults, ...second.faults]).toEqual([]);
});

const fail = async (email: string, at: TestIdentity = identity) =>
  (await signIn(at, at.visitor(), { email, password: 'a wrong password' })).page;

/** In a browser that is signed in: asked to sign in all the same. */
async function signInAgain(visitor: Visitor, { email, password }: Pick<Person, 'email' | 'password'>) {
  const { page } = await authorize(identity, visitor, { prompt: 'login' });
  return visitor.submit(page, { email, password });
}

describe('failed sign-ins', () => {
  it('of one account are paused after the limit, for the right password too, and across processes', async () => {
    const person = buildPerson();
    await signUp(identity, identity.visitor(), person);
    clock.advanceMinutes(60);

    expect((await fail(person.email)).status).toBe(422);
    clock.advanceMinutes(5);
    expect((await fail(person.email, second)).status).toBe(422);
    expect((await fail(person.email)).status).toBe(422);

    const paused = await signIn(second, second.visitor(), person);
    expect(paused.page.status).toBe(429);
    expect(paused.page.text).toContain('Please try again in <strong>10 minutes</strong>');
    expect(paused.page.headers.get('retry-after')).toBe('600');

    // A refused attempt does not lengthen the pause: it ends when it was said to end.
    clock.advanceMinutes(10);
    const { page } = await signIn(identity, identity.visitor(), person);
    expect(page.url.href).toContain(redirectUri);
  });

  it('on a device that was used before are paused too', async () => {
    const person = buildPerson();
    const visitor = identity.visitor();
    await signUp(identity, visitor, person);
    clock.advanceMinutes(120);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect((await signInAgain(visitor, { ...person, password: 'a wrong password' })).status).toBe(422);
    }
    expect((await signInAgain(visitor, person)).status).toBe(429);
  });

  it('of an unknown address are paused just the same', async () => {
    clock.advanceMinutes(60);
    const { email } = buildPerson();
    for (let attempt = 0; attempt < 3; attempt += 1) expect((await fail(email)).status).toBe(422);
    expect((await fail(email)).status).toBe(429);
  });

  it('are forgotten after the right password', async () => {
    clock.advanceMinutes(60);
    const person = buildPerson();
    await signUp(identity, identity.visitor(), person);
    for (let round = 0; round < 2; round += 1) {
      await fail(person.email);
      await fail(person.email);
      const { page } = await signIn(identity, identity.visitor(), person);
      expect(page.url.href).toContain(redirectUri);
    }
  });

  it('from one network address are paused whatever the account; right ones do not count', async () => {
    clock.advanceMinutes(60);
    const person = buildPerson();
    await signUp(identity, identity.visitor(), person);
    for (let attempt = 0; attempt < 8; attempt += 1) {
      expect((await fail(buildPerson().email)).status).toBe(422);
      if (attempt === 3) await signIn(identity, identity.visitor(), person);
    }
    expect((await fail(buildPerson().email)).status).toBe(429);
    clock.advanceMinutes(15);
    expect((await fail(buildPerson().email)).status).toBe(422);
  });

  it('at the same time cannot slip past the limit together', async () => {
    clock.advanceMinutes(60);
    const { email } = buildPerson();
    const pages = await Promise.all(Array.from({ length: 6 }, () => fail(email)));
    expect(pages.filter(({ status }) => status === 422)).toHaveLength(3);
    expect(pages.filter(({ status }) => status === 429)).toHaveLength(3);
  });

  it('leave no address in the database', async () => {
    clock.advanceMinutes(60);
    const { email } = buildPerson();
    await fail(email);
    const rows = await identity.query('SELECT * FROM identity.attempts');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(email);
  });
});

describe('sign-ups', () => {
  it('from one network address are limited; a form with a mistake does not count', async () => {
    clock.advanceMinutes(120);
    for (let count = 0; count < 4; count += 1) {
      expect((await signUp(identity, identity.visitor(), buildPerson({ first_name: '' }))).page.status).toBe(
        422,
      );
      const { page } = await signUp(identity, identity.visitor(), buildPerson());
      expect(page.url.href).toContain(redirectUri);
    }
    expect((await signUp(identity, identity.visitor(), buildPerson())).page.status).toBe(429);
  });
});

describe('failed sign-ins that a clock a day ahead counted', () => {
  it('pause nobody once the clock is right', async () => {
    clock.advanceMinutes(61);
    const person = buildPerson();
    await signUp(identity, identity.visitor(), person);
    clock.advanceMinutes(24 * 60);
    for (let attempt = 0; attempt < 4; attempt += 1) await fail(person.email);
    clock.advanceMinutes(-24 * 60);

    const { page } = await signIn(identity, identity.visitor(), person);

    expect(page.url.searchParams.get('code')).toBeTruthy();
  });
});
