import { expect, it } from 'vitest';
import { readTopUp, type TypedTopUp } from './top-up-order.ts';

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
