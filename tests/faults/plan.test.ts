import { describe, expect, it } from 'vitest';
import { endings } from '../support/product-process.ts';
import { planRound } from './plan.ts';
import { kinds } from './restarts/kinds/index.ts';
import { planRestarts } from './restarts/plan.ts';

/** Seeds from 1 on: odd ones are rounds of lists, even ones of restarts. */
const seeds = (first: 1 | 2, count: number) => Array.from({ length: count }, (_, index) => first + 2 * index);
const pairs = (lefts: readonly string[], rights: readonly string[]) =>
  lefts.flatMap((left) => rights.map((right) => `${left}: ${right}`)).sort();
const distinct = (words: readonly string[]) => [...new Set(words)].sort();

describe('rounds of lists', () => {
  const controls = ['left alone', 'paused and resumed', 'finished', 'deleted'];
  const otherFaults = [
    'worker stopped by SIGSTOP',
    'poison jobs',
    'clock jumps',
    'slow database',
    'network cut',
    'disk full',
  ];

  it('end workers in every way with a list that is left alone, paused, finished and deleted, within 24 rounds', () => {
    const planned = seeds(1, 24).map(planRound);

    expect(distinct(planned.map(({ control, ending }) => `${control}: ${ending}`))).toEqual(
      pairs(controls, endings),
    );
  });

  it('have each of the other faults with every way to end and every control within 72 rounds', () => {
    const planned = seeds(1, 72).map(planRound);
    const together = planned.flatMap(({ control, ending, faults }) =>
      faults.flatMap(({ fault }) => [`${fault}: ${control}`, `${fault}: ${ending}`]),
    );

    expect(distinct(together)).toEqual(expect.arrayContaining(pairs(otherFaults, [...controls, ...endings])));
  });
});

describe('rounds of restarts', () => {
  const interruptions = [...endings, 'SIGSTOP, then SIGCONT'];
  const planned = (count: number) =>
    seeds(2, count).flatMap((seed) =>
      planRestarts(seed).interruptions.map(({ target, how }) => `${target}: ${how}`),
    );

  it('interrupt API, workers and both in every way within 28 rounds', () => {
    const targets = ['the API', 'all workers', 'the API and all workers', 'one of two workers'];

    expect(distinct(planned(28))).toEqual(expect.arrayContaining(pairs(targets, interruptions)));
  });

  it('interrupt npm start in every way within 42 rounds', () => {
    expect(distinct(planned(42))).toEqual(expect.arrayContaining(pairs(['npm start'], interruptions)));
  });

  it('have work of every kind under way in each of them', () => {
    expect(kinds.map(({ name }) => name)).toEqual([
      ...['long lists', 'short lists', 'lists that are prepared', 'guesses', 'single checks that wait'],
      ...['webhooks', 'outcomes', 'downloads', 'purchases', 'automatic top-ups'],
      ...['retention', 'deleted accounts'],
    ]);
  });
});
