import type { Visitor } from '@assay/pages/testing/visitor';
import { freePort } from '@assay/postgres/testing/free-port';
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { SoftwarePasskey } from '../testing/software-passkey.ts';
import {
  authorize,
  buildPerson,
  exchangeCode,
  identityOfFile,
  redirectUri,
  signIn,
  signUp,
} from '../testing/test-identity.ts';
import { passkeyOptionsOn, recoveryCodesOn } from '../testing/two-step.ts';

const port = await freePort();
// Passkeys belong to a name, never to an address.
const identity = await identityOfFile({ port, issuer: `http://localhost:${port}` });

async function newPerson() {
  const person = buildPerson();
  const visitor = identity.visitor();
  await signUp(identity, visitor, person);
  return { person, visitor };
}

async function addPasskey(visitor: Visitor, passkey: SoftwarePasskey, name = 'Phone') {
  const page = await visitor.follow(await visitor.open('/account'), 'Add a passkey');
  return visitor.submit(page, { name, passkey: passkey.make(passkeyOptionsOn(page)) });
}

async function personWithPasskey() {
  const { person, visitor } = await newPerson();
  const passkey = new SoftwarePasskey(identity.issuer);
  const shown = await addPasskey(visitor, passkey);
  return { person, visitor, passkey, codes: recoveryCodesOn(shown) };
}

/** The sign-in page of a new browser. */
async function atSignIn() {
  const visitor = identity.visitor();
  return { visitor, ...(await authorize(identity, visitor)) };
}

const toPasskey = { actionEndsWith: '/passkey' };

describe('a passkey', () => {
  it('turns two-step verification on, shows recovery codes, and is listed by its name', async () => {
    const { visitor, codes } = await personWithPasskey();

    expect(codes).toHaveLength(10);
    const page = await visitor.open('/account');
    expect(page.text).toContain('It is <strong>on</strong>');
    expect(page.text).toContain('<strong class="address">Phone</strong>');
    expect(page.text).toContain('Not used yet.');
  });

  it('is a second step after the password', async () => {
    const { person, passkey } = await personWithPasskey();
    passkey.isUnlocked = false;
    const visitor = identity.visitor();
    const { page, verifier } = await signIn(identity, visitor, person);
    expect(page.url.pathname).toMatch(/\/second-step$/);
    const back = await visitor.submit(page, { passkey: passkey.use(passkeyOptionsOn(page)) });

    const { body } = await exchangeCode(identity, back, verifier);
    expect(decodeJwt(body.id_token ?? '').amr).toEqual(['pwd', 'pop', 'mfa']);
  });

  it('signs in without a password if the person unlocked it', async () => {
    const { person, passkey } = await personWithPasskey();
    const locked = await atSignIn();
    passkey.isUnlocked = false;
    const refused = await locked.visitor.submit(
      locked.page,
      { passkey: passkey.use(passkeyOptionsOn(locked.page)) },
      toPasskey,
    );
    expect(refused.status).toBe(422);

    passkey.isUnlocked = true;
    const { visitor, page, verifier } = await atSignIn();
    const back = await visitor.submit(page, { passkey: passkey.use(passkeyOptionsOn(page)) }, toPasskey);
    const { body } = await exchangeCode(identity, back, verifier);
    const claims = decodeJwt(body.id_token ?? '');
    expect(claims).toMatchObject({ email: person.email, amr: ['pop', 'mfa'] });
  });

  it('is taken in a new browser after a stranger used up the codes', async () => {
    const { person, passkey } = await personWithPasskey();
    const [stranger, visitor] = [identity.visitor(), identity.visitor()];
    const { page: guessed } = await signIn(identity, stranger, person);
    const statuses: number[] = [];
    while (statuses.length < 11) statuses.push((await stranger.submit(guessed, { code: '000000' })).status);
    expect(statuses.at(-1)).toBe(429);

    const { page } = await signIn(identity, visitor, person);
    const back = await visitor.submit(page, { passkey: passkey.use(passkeyOptionsOn(page)) });
    expect(back.url.href).toContain(redirectUri);
  });

  it('of another person is no second step', async () => {
    const { person } = await personWithPasskey();
    const stranger = await personWithPasskey();
    const visitor = identity.visitor();
    const { page } = await signIn(identity, visitor, person);
    const answer = await visitor.submit(page, { passkey: stranger.passkey.use(passkeyOptionsOn(page)) });

    expect(answer.status).toBe(422);
    expect(answer.text).toContain('This passkey was not accepted.');
  });

  it('422 to an answer for another sign-in, of another site, with another key, or of no shape at all', async () => {
    const { passkey } = await personWithPasskey();
    const [mine, other] = [await atSignIn(), await atSignIn()];
    const options = passkeyOptionsOn(mine.page);
    const forger = new SoftwarePasskey(identity.issuer);
    const forged = JSON.parse(forger.use(options));
    for (const answer of [
      passkey.use(passkeyOptionsOn(other.page)),
      passkey.use(options, { origin: 'http://localhost.evil.test' }),
      JSON.stringify({ ...forged, id: passkey.id, rawId: passkey.id }),
      forger.use(options),
      '',
      'null',
      '[]',
      '{}',
      JSON.stringify({ id: passkey.id }),
      JSON.stringify({ id: { length: 1 }, response: null }),
      JSON.stringify({ ...forged, id: 'a\u0000b' }),
    ]) {
      const page = await mine.visitor.submit(mine.page, { passkey: answer }, toPasskey);
      expect(page.status, answer).toBe(422);
    }
  });

  it('whose counter goes back was copied, and is refused', async () => {
    const { passkey } = await personWithPasskey();
    for (const [counter, isTaken] of [
      [7, true],
      [7, false],
      [6, false],
      [0, false],
      [8, true],
    ] as const) {
      passkey.counter = counter;
      const { visitor, page } = await atSignIn();
      const back = await visitor.submit(page, { passkey: passkey.use(passkeyOptionsOn(page)) }, toPasskey);
      expect(back.url.href.startsWith(redirectUri), `counter ${counter}`).toBe(isTaken);
    }
  });

  it('is added once, by the person whose page made it, at most ten of them', async () => {
    const { visitor, passkey } = await personWithPasskey();
    expect((await addPasskey(visitor, passkey)).status).toBe(422);
    const { visitor: stranger } = await newPerson();
    const [mine, theirs] = [await visitor.open('/account/passkey'), await stranger.open('/account/passkey')];
    const foreign = new SoftwarePasskey(identity.issuer).make(passkeyOptionsOn(mine));
    expect((await stranger.submit(theirs, { name: 'Mine', passkey: foreign })).status).toBe(422);

    for (let count = 2; count <= 10; count += 1)
      await addPasskey(visitor, new SoftwarePasskey(identity.issuer), `Key ${count}`);
    const full = await visitor.open('/account');
    expect(full.text.match(/class="address"/g)).toHaveLength(10);
    expect(full.text).not.toContain('Add a passkey');
    const page = await visitor.open('/account/passkey');
    const eleventh = new SoftwarePasskey(identity.issuer).make(passkeyOptionsOn(page));
    expect((await visitor.submit(page, { name: 'More', passkey: eleventh })).status).toBe(422);
  });

  it.each(['', '  ', 'x'.repeat(51), 'a\u0000b', 'a\u202eb'])('422 with the name %j', async (name) => {
    const { visitor } = await newPerson();
    expect((await addPasskey(visitor, new SoftwarePasskey(identity.issuer), name)).status).toBe(422);
  });

  it('shows its name as text', async () => {
    const { visitor } = await newPerson();
    await addPasskey(visitor, new SoftwarePasskey(identity.issuer), '<b>"Phone"</b>');
    expect((await visitor.open('/account')).text).toContain('&lt;b&gt;&quot;Phone&quot;&lt;/b&gt;');
  });

  it('is removed by its owner only; with the last one two-step verification is off', async () => {
    const { person, visitor, passkey } = await personWithPasskey();
    const stranger = await personWithPasskey();
    const theirs = await stranger.visitor.open('/account');
    await stranger.visitor.submit(theirs, { id: passkey.id }, { actionEndsWith: '/passkey/remove' });
    const page = await visitor.open('/account');
    expect(page.text).toContain('Phone');

    const after = await visitor.submit(page, {}, { actionEndsWith: '/passkey/remove' });
    expect(after.text).toContain('It is <strong>off</strong>');
    const next = await atSignIn();
    const removed = passkey.use(passkeyOptionsOn(next.page));
    expect((await next.visitor.submit(next.page, { passkey: removed }, toPasskey)).status).toBe(422);
    const back = await signIn(identity, identity.visitor(), person);
    expect(back.page.url.href).toContain(redirectUri);
  });
});

describe('the one script', () => {
  it('is the only one that the policy lets in, and pages without passkeys have none', async () => {
    const { page, visitor } = await atSignIn();
    const [, path = ''] = /<script src="([^"]+)"/.exec(page.text) ?? [];
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain(`script-src ${identity.issuer}${path};`);
    const script = await fetch(new URL(path, identity.issuer));
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect((await visitor.follow(page, 'Forgot your password?')).text).not.toContain('<script');
  });
});
