import { describe, expect, it } from 'vitest';
import { type ListTraits, scoreHarvest } from './harvest-signs.ts';

const addresses = (count: number, of: (place: number) => string, isRole = false) =>
  Array.from({ length: count }, (_, place) => ({ address: of(place), isRole, isFree: false }));
const ordinary: ListTraits = {
  addresses: 5_000,
  completed: 5_000,
  invalid: 250,
  malformed: 20,
  accountAgeDays: 100,
  questions: 6_000,
  unknown: 300,
  sample: addresses(200, (place) => `person${place}@company${place % 90}.example`),
};

describe('scoreHarvest', () => {
  it('is 0 for an ordinary list, and for one that is too short to say anything', () => {
    expect(scoreHarvest(ordinary)).toEqual({ score: 0, reasons: [] });
    expect(scoreHarvest({ ...ordinary, addresses: 99, completed: 99, invalid: 99 }).score).toBe(0);
  });

  it('counts recipients that nobody knows without any list', () => {
    const guessed = { ...ordinary, addresses: 0, completed: 0, sample: [], questions: 1_000, unknown: 900 };
    expect(scoreHarvest(guessed)).toEqual({
      score: 36,
      reasons: ['mail hosts did not know 90% of 1,000 recipients'],
    });
    expect(scoreHarvest({ ...guessed, questions: 400, unknown: 400 }).score).toBe(0);
  });

  it.each<[string, Partial<ListTraits>, number]>([
    ['40% of the results are invalid', { invalid: 2_000 }, 24],
    ['mail hosts did not know 50% of 2,000 recipients', { questions: 2_000, unknown: 1_000 }, 20],
    ['17% of the cells are no address', { malformed: 1_000 }, 10],
    ['20,000 addresses in the first days', { addresses: 20_000, accountAgeDays: 2 }, 20],
    [
      '100% are addresses of roles, such as info@',
      { sample: addresses(200, (place) => `r${place}@c${place}.example`, true) },
      30,
    ],
    ['100% are at one company', { sample: addresses(200, (place) => `p${place}@one.example`) }, 30],
    [
      '100% have the same name at different domains',
      { sample: addresses(200, (place) => `jane@c${place}.example`) },
      25,
    ],
  ])('says %s', (reason, traits, score) => {
    expect(scoreHarvest({ ...ordinary, ...traits })).toEqual({ score, reasons: [reason] });
  });

  it('adds the signs up to 100, the same whatever their order', () => {
    const sample = addresses(200, () => 'info@one.example', true);
    const worst = {
      ...ordinary,
      invalid: 5_000,
      questions: 6_000,
      unknown: 6_000,
      malformed: 5_000,
      addresses: 20_000,
      accountAgeDays: 1,
      sample,
    };

    expect(scoreHarvest(worst)).toMatchObject({ score: 100 });
    expect(scoreHarvest(worst).reasons).toHaveLength(7);
  });
});
