import { describe, expect, it } from 'vitest';
import { type Category, downloadLabel, filledCategories, selectedOf, toggleCategory } from './categories.ts';

const listWith = (valid: number, invalid: number, catchAll = 0, unknown = 0): Category[] => [
  { verdict: 'VALID', count: valid },
  { verdict: 'INVALID', count: invalid },
  { verdict: 'CATCH_ALL', count: catchAll },
  { verdict: 'UNKNOWN', count: unknown },
];

describe('§2 List detail: the categories', () => {
  it('each is shown only if its count is above 0', () => {
    expect(filledCategories(listWith(3, 0, 0, 1))).toEqual([
      { verdict: 'VALID', count: 3 },
      { verdict: 'UNKNOWN', count: 1 },
    ]);
  });

  it('the only one that has emails is preselected', () => {
    const filled = filledCategories(listWith(0, 7));
    expect(selectedOf(filled, undefined)).toEqual([{ verdict: 'INVALID', count: 7 }]);
  });

  it('of several none is preselected', () => {
    expect(selectedOf(filledCategories(listWith(1, 7)), undefined)).toEqual([]);
  });

  it('keeps the choice, even an empty one', () => {
    const filled = filledCategories(listWith(1, 7, 2));
    expect(selectedOf(filled, ['CATCH_ALL', 'VALID']).map(({ verdict }) => verdict)).toEqual([
      'VALID',
      'CATCH_ALL',
    ]);
    expect(selectedOf(filledCategories(listWith(1, 0)), [])).toEqual([]);
  });
});

describe('a click on a card', () => {
  const filled = filledCategories(listWith(1, 7, 2));

  it('adds its category to those chosen last, or takes it back', () => {
    const one = toggleCategory(filled, undefined, 'INVALID');
    expect(one).toEqual(['INVALID']);
    const two = toggleCategory(filled, one, 'VALID');
    expect(two.toSorted()).toEqual(['INVALID', 'VALID']);
    expect(toggleCategory(filled, two, 'INVALID')).toEqual(['VALID']);
  });

  it('takes back the only category, which was preselected, and chooses it again', () => {
    const only = filledCategories(listWith(3, 0));
    const none = toggleCategory(only, undefined, 'VALID');
    expect(none).toEqual([]);
    expect(toggleCategory(only, none, 'VALID')).toEqual(['VALID']);
  });

  it('drops what the address names and the list does not have', () => {
    expect(toggleCategory(filled, ['UNKNOWN'], 'VALID')).toEqual(['VALID']);
  });
});

describe('§2 List detail: the download button', () => {
  it("reads 'Select to download' until a category is selected", () => {
    expect(downloadLabel([])).toBe('Select to download');
  });

  it("then 'Download N email(s)', all selected categories together", () => {
    expect(downloadLabel([{ verdict: 'VALID', count: 1 }])).toBe('Download 1 email');
    expect(
      downloadLabel([
        { verdict: 'VALID', count: 1_200 },
        { verdict: 'UNKNOWN', count: 34 },
      ]),
    ).toBe('Download 1,234 emails');
  });
});
