import { describe, expect, it } from 'vitest';
import { emailAddressSchema } from './email-address.ts';

describe('§5 Single email', () => {
  it.each([
    'jane@exists.test',
    'JANE+news@EXISTS.test',
    "o'brien@exists.test",
    '"jane doe"@exists.test',
    'first.last@mail.example.co.uk',
    'jürgen@müller.example',
    'почта@пример.рф',
    'jane@xn--bcher-kva.xn--p1ai',
  ])('takes %s', (address) => {
    expect(emailAddressSchema.safeParse(address).success).toBe(true);
  });

  it.each([
    '',
    ' ',
    'jane',
    'jane@',
    '@exists.test',
    'jane@exists',
    'ja ne@exists.test',
    'jane@ex ists.test',
    'a@b@c.test',
    'jane.@exists.test',
    '.jane@exists.test',
    'jane@exists..test',
    `${'x'.repeat(250)}@a.test`,
  ])("answers 'Enter a valid email' to '%s'", (address) => {
    expect(emailAddressSchema.safeParse(address).error?.issues[0]?.message).toBe('Enter a valid email');
  });

  it('is given without the space around it', () => {
    expect(emailAddressSchema.parse('  jane@exists.test ')).toBe('jane@exists.test');
  });
});
