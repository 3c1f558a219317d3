import { describe, expect, it } from 'vitest';
import { parseAddress } from '../address/parse-address.ts';
import { inventMailboxName } from './proof-name.ts';

describe('an invented mailbox name', () => {
  it('looks like a person with a number', () => {
    const names = Array.from({ length: 500 }, () => inventMailboxName());
    for (const name of names) {
      expect(name).toMatch(/^[a-z]{3,8}\.[a-z]{6,12}\d\d$/);
      expect(parseAddress(`${name}@example.com`)).toMatchObject({ ok: true, local: name });
    }
    expect(new Set(names).size).toBeGreaterThan(450);
  });

  it.each([
    [0, 'adele.barabach11'],
    [0.5, 'jonas.loranmann55'],
    [0.999_999, 'zita.welorworth98'],
  ])('uses the whole range of the words and numbers: %d', (random, name) => {
    expect(inventMailboxName(() => random)).toBe(name);
  });
});
