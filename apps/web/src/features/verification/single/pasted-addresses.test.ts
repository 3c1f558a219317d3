import { describe, expect, it } from 'vitest';
import { countAddresses } from './pasted-addresses.ts';

describe('addresses in a pasted text', () => {
  it.each([
    ['jane@exists.test', 1],
    ['Jane <jane@exists.test>', 1],
    ['no address', 0],
    ['a@b.test, c@d.test', 2],
    ['a@b.test\nc@d.test\r\ne@f.test', 3],
    ['Jane <a@b.test>; "Doe, Max" <c@d.test>', 2],
  ])('%j holds %i', (text, count) => {
    expect(countAddresses(text)).toBe(count);
  });
});
