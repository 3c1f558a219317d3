import { describe, expect, it } from 'vitest';
import { parseAddress } from '../../address/parse-address.ts';
import { inventMailboxName, shapeOf } from './proof-name.ts';

describe.each(['jane.doe', 'jdoe', 'jane.doe.smith', 'jane.doe47', 'janedoesmith1', 'x'])(
  'names invented in the shape of %s',
  (accepted) => {
    const shape = shapeOf(accepted);
    const names = Array.from({ length: 500 }, () => inventMailboxName(shape));

    it('have its shape, and look like names of people', () => {
      for (const name of names) {
        expect(shapeOf(name)).toMatchObject({ hasDigits: shape.hasDigits, hasDot: shape.hasDot });
        expect(name).toMatch(/^[a-z]+\.?[a-z]+(?:\d\d)?$/);
        expect(name.length).toBeLessThanOrEqual(shape.isLong ? 21 : 14);
        expect(parseAddress(`${name}@example.com`)).toMatchObject({ ok: true, local: name });
      }
    });

    it('differ from each other, in length as well', () => {
      expect(new Set(names).size).toBeGreaterThan(400);
      expect(new Set(names.map((name) => name.length)).size).toBeGreaterThan(3);
    });
  },
);

it.each([
  ['jane.doe', { hasDigits: false, hasDot: true, isLong: false }],
  ['janedoesmith', { hasDigits: false, hasDot: false, isLong: false }],
  ['janedoesmith1', { hasDigits: true, hasDot: false, isLong: true }],
])('the shape of %s', (name, shape) => {
  expect(shapeOf(name)).toEqual(shape);
});

it.each([
  ['jane.doe.smith', 0, 'barabach.adele'],
  ['jane.doe.smith', 0.5, 'jonas.loranmann'],
  ['jane.doe.smith47', 0.999_999, 'zita.welorworth98'],
  ['jdoe47', 0, 'abarabach11'],
])('the whole range of words and numbers is used: %s, %d', (accepted, random, name) => {
  expect(inventMailboxName(shapeOf(accepted), () => random)).toBe(name);
});
