import { describe, expect, it } from 'vitest';
import { readEmailAddress } from './email-address.ts';

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
    expect(readEmailAddress(address)).toBe(address);
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
  ])("does not take '%s'", (address) => {
    expect(readEmailAddress(address)).toBeUndefined();
  });

  it('is given without the space around it', () => {
    expect(readEmailAddress('  jane@exists.test ')).toBe('jane@exists.test');
  });
});
