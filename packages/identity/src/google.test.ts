import type { Visitor } from '@assay/pages/testing/visitor';
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import {
  authorize,
  buildPerson,
  exchangeCode,
  identityOfFile,
  redirectUri,
  signIn,
  signUp,
} from './testing/test-identity.ts';

const identity = await identityOfFile();

async function openChooser(visitor: Visitor) {
  const { page, verifier } = await authorize(identity, visitor);
  return { chooser: await visitor.follow(page, 'Continue with Google'), verifier };
}

const withoutPassword = ({ email, first_name, last_name }: ReturnType<typeof buildPerson>) => ({
  email,
  first_name,
  last_name,
});

describe('Continue with Google', () => {
  it('makes an account whose identity is google, and finds it again', async () => {
    const person = withoutPassword(buildPerson());
    const subjects: (string | undefined)[] = [];
    for (let round = 0; round < 2; round += 1) {
      const visitor = identity.visitor();
      const { chooser, verifier } = await openChooser(visitor);
      const back = await visitor.submit(chooser, person);
      const { body } = await exchangeCode(identity, back, verifier);
      const claims = decodeJwt(body.access_token ?? '');
      expect(claims).toMatchObject({ email: person.email, email_verified: true, identities: ['google'] });
      expect(decodeJwt(body.id_token ?? '').amr).toEqual(['fed']);
      subjects.push(claims.sub);
    }
    expect(subjects[0]).toBe(subjects[1]);
  });

  it('offers people to pick, and later those whom this browser picked', async () => {
    const visitor = identity.visitor();
    const { chooser } = await openChooser(visitor);
    expect(chooser.text).toContain('ines.carvalho@gmail.test');
    const typed = withoutPassword(buildPerson());
    await visitor.submit(chooser, typed);

    const again = await authorize(identity, visitor, { prompt: 'login' });
    const known = await visitor.follow(again.page, 'Continue with Google');
    expect(known.text).toContain(typed.email);
    expect(known.text).not.toContain('ines.carvalho@gmail.test');
    const back = await visitor.submit(known, {});
    expect(back.url.href).toContain(redirectUri);
  });

  it('does not open an account that has a password', async () => {
    const person = buildPerson();
    await signUp(identity, identity.visitor(), person);
    const visitor = identity.visitor();
    const { chooser } = await openChooser(visitor);
    const answer = await visitor.submit(chooser, withoutPassword(person));
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('This address signs in with a password.');
  });

  it('leaves an account that no password opens, and no sign-up takes over', async () => {
    const person = buildPerson();
    const visitor = identity.visitor();
    const { chooser } = await openChooser(visitor);
    await visitor.submit(chooser, withoutPassword(person));
    expect((await signIn(identity, identity.visitor(), person)).page.status).toBe(422);
    expect((await signUp(identity, identity.visitor(), person)).page.text).toContain(
      'has an account already',
    );
  });

  it('says that it is a stand-in, and checks what is typed', async () => {
    const visitor = identity.visitor();
    const { chooser } = await openChooser(visitor);
    expect(chooser.text).toContain('A stand-in for Google');
    const answer = await visitor.submit(chooser, { email: 'nobody', first_name: '', last_name: 'Nowak' });
    expect(answer.text).toContain('Enter a valid email');
    expect(answer.text).toContain('First name required');
  });
});
