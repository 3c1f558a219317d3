import { describe, expect, it } from 'vitest';
import { kindOfToken, newScopedToken, newUnscopedToken } from './key-token.ts';

describe('kindOfToken', () => {
  it('tells new keys apart by their form', () => {
    expect(newScopedToken('live')).toMatch(/^assay_live_[0-9a-f]{56}$/);
    expect(newScopedToken('test')).toMatch(/^assay_test_[0-9a-f]{56}$/);
    expect(kindOfToken(newScopedToken('live'))).toBe('scoped');
    expect(kindOfToken(newScopedToken('test'))).toBe('scoped');
    expect(kindOfToken(newUnscopedToken())).toBe('unscoped');
  });

  it('refuses a scoped key with any one character changed, two swapped, or another prefix', () => {
    const token = newScopedToken('live');
    const changed = [...token].map((character, place) => {
      const other = character === '0' ? '1' : '0';
      return `${token.slice(0, place)}${other}${token.slice(place + 1)}`;
    });
    const swapped = [...token].flatMap((character, place) => {
      const next = token[place + 1];
      return next === undefined || next === character
        ? []
        : [`${token.slice(0, place)}${next}${character}${token.slice(place + 2)}`];
    });

    for (const mistyped of [...changed, ...swapped, token.replace('live', 'test')]) {
      expect(kindOfToken(mistyped), mistyped).toBeNull();
    }
  });

  it.each(['', 'assay_live_', 'web-app', 'assay_test_'.padEnd(59, '0'), `${'0'.repeat(100_000)}`])(
    'refuses %j',
    (text) => expect(kindOfToken(text)).toBeNull(),
  );
});
