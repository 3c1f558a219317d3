import { describe, expect, it } from 'vitest';
import { parseAddress } from '../address/parse-address.ts';
import { inventMailboxName } from './proof-name.ts';

describe.each([
  ['numbered', /^[a-z]+\.?[a-z]+\d\d$/],
  ['plain', /^[a-z]+[.-]?[a-z]+$/],
] as const)('an invented mailbox name, %s', (shape, pattern) => {
  const names = Array.from({ length: 500 }, () => inventMailboxName(shape));

  it('looks like a name of a person', () => {
    for (const name of names) {
      expect(name).toMatch(pattern);
      expect(name.length).toBeLessThanOrEqual(24);
      expect(parseAddress(`${name}@example.com`)).toMatchObject({ ok: true, local: name });
    }
    expect(new Set(names).size).toBeGreaterThan(450);
  });

  it('varies in shape and length', () => {
    expect(names.some((name) => name.includes('.'))).toBe(true);
    expect(names.some((name) => !name.includes('.'))).toBe(true);
    expect(new Set(names.map((name) => name.length)).size).toBeGreaterThan(6);
  });
});

it.each([
  ['numbered', 0, 'adele.barabach11'],
  ['numbered', 0.999_999, 'welorworth98'],
  ['plain', 0, 'adele.barabach'],
  ['plain', 0.5, 'loranmann.jonas'],
  ['plain', 0.999_999, 'zita-welorworth'],
] as const)('%s uses the whole range of words, numbers and shapes: %d', (shape, random, name) => {
  expect(inventMailboxName(shape, () => random)).toBe(name);
});
