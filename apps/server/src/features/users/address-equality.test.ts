import { describe, expect, it } from 'vitest';
import { canonicalMailbox, normaliseAddress } from './address-equality.ts';

describe('normaliseAddress', () => {
  it('ignores case, surrounding space and Unicode composition, and nothing else', () => {
    expect(normaliseAddress(' Jane.Doe+News@Example.COM ')).toBe('jane.doe+news@example.com');
    expect(normaliseAddress('e\u0301ric@example.com')).toBe(normaliseAddress('\u00c9ric@example.com'));
  });
});

describe('canonicalMailbox', () => {
  it.each([
    ['Jane@Example.com', 'jane@example.com'],
    ['jane+one@gmail.com', 'jane@gmail.com'],
    ['j.a.n.e+two@googlemail.com', 'jane@gmail.com'],
    ['jane+one@outlook.com', 'jane@outlook.com'],
    ['jane+one@protonmail.com', 'jane@proton.me'],
    ['jane+one@me.com', 'jane@icloud.com'],
    ['jane@mac.com', 'jane@icloud.com'],
    ['jane-doe@ya.ru', 'jane.doe@yandex.ru'],
    ['jane@example.com.', 'jane@example.com'],
  ])('knows %s for %s', (address, mailbox) => {
    expect(canonicalMailbox(address)).toBe(mailbox);
  });

  it.each(['jane+one@example.com', 'j.ane@outlook.com'])(
    'leaves %s unchanged, because its domain is not known to have aliases',
    (address) => {
      expect(canonicalMailbox(address)).toBe(address);
    },
  );
});
