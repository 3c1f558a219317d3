import { describe, expect, it } from 'vitest';
import { objectionToPassword } from './password-policy.ts';
import { hashPassword, verifyPassword } from './passwords.ts';

describe('a password hash', () => {
  it('verifies its password and no other, and differs each time', async () => {
    const hash = await hashPassword('copper beads in a cupel');
    expect(await verifyPassword('copper beads in a cupel', hash)).toBe(true);
    expect(await verifyPassword('copper beads in a cupe', hash)).toBe(false);
    expect(await hashPassword('copper beads in a cupel')).not.toBe(hash);
  });

  it('does not depend on how an accent was typed', async () => {
    const hash = await hashPassword('caf\u00e9 au lait');
    expect(await verifyPassword('cafe\u0301 au lait', hash)).toBe(true);
  });

  it('made elsewhere, at another cost, verifies', async () => {
    // From the reference implementation's own tests: two passes over 64 MiB, salt "somesalt".
    const hash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
    expect(await verifyPassword('password', hash)).toBe(true);
    expect(await verifyPassword('passwort', hash)).toBe(false);
  });
});

describe('objectionToPassword', () => {
  const person = { email: 'jane.doe77@exists.test', firstName: 'Jane', lastName: 'Doe-Smith' };

  it.each(['correct horse', 'Tr0ub4dor&3', 'пароль-надёжный', '928374651029384756', 'ab'.repeat(128)])(
    'none to %s',
    (password) => expect(objectionToPassword(password, person)).toBeUndefined(),
  );

  it.each(['a', '1234567', '🙂🙂🙂🙂🙂🙂🙂'])('%s is too short', (password) =>
    expect(objectionToPassword(password, person)).toContain('at least 8 characters'),
  );

  it('257 characters are too many', () => {
    expect(objectionToPassword('ab'.repeat(129), person)).toContain('no more than 256');
  });

  it.each([
    '12345678',
    '11111111',
    '19.08.1984',
    'aaaaaaaaaa',
    'Password1!',
    'qwertyuiop',
    '123qwerty',
    'Assay2026!',
    '!!!!!!!!',
  ])('%s is obvious', (password) =>
    expect(objectionToPassword(password, person)).toContain('first that are guessed'),
  );

  it.each(['jane.doe77@exists.test', 'JaneDoe2026', 'jane-doe-smith', 'DoeSmith99'])(
    '%s names the person',
    (password) => expect(objectionToPassword(password, person)).toContain('your name or address'),
  );
});
