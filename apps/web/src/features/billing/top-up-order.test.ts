import { expect, it } from 'vitest';
import { buysAtOnce, readTopUp, type TypedTopUp } from './top-up-order.ts';

const typed: TypedTopUp = { isOn: true, below: '1,000', pack: '10K', capDollars: '100' };

it('reads what was typed', () => {
  expect(readTopUp(typed)).toEqual({
    order: { is_on: true, below: 1_000, pack: '10K', monthly_cap_in_cents: 10_000 },
  });
});

it.each<[Partial<TypedTopUp>, object]>([
  [{ below: '' }, { below: 'Enter a whole number above 0' }],
  [{ below: '1.5' }, { below: 'Enter a whole number above 0' }],
  [{ capDollars: '0' }, { cap: 'Enter whole dollars above 0' }],
  [{ capDollars: '29' }, { cap: 'The cap is below the price of the pack' }],
  [
    { below: 'x', capDollars: 'y' },
    { below: 'Enter a whole number above 0', cap: 'Enter whole dollars above 0' },
  ],
  [{ capDollars: '999999999' }, { cap: 'Enter smaller numbers' }],
])('%j is refused', (change, errors) => {
  expect(readTopUp({ ...typed, ...change })).toEqual({ errors });
});

it('a cap below the price can be kept while it is off', () => {
  expect(readTopUp({ ...typed, isOn: false, capDollars: '1' })).toMatchObject({ order: { is_on: false } });
});

it.each([
  ['a low balance', {}, 0, 999, true],
  ['a balance that is not low', {}, 0, 1_000, false],
  ['a top-up that is off', { is_on: false }, 0, 999, false],
  ['a cap that is used up', {}, 7_001, 999, false],
  ['a cap with room for one more', {}, 7_000, 999, true],
] as const)('with %s, saving charges at once: %o %i %s %s', (_, change, spent, balance, isCharged) => {
  const order = { is_on: true, below: 1_000, pack: '10K', monthly_cap_in_cents: 10_000, ...change } as const;
  expect(buysAtOnce(order, { spent_this_month_in_cents: spent }, balance)).toBe(isCharged);
});
