import { describe, expect, it } from 'vitest';
import { ringPath, slicesOf } from './donut-slices.ts';

describe('slices of a donut', () => {
  it('one count is the whole ring', () => {
    expect(slicesOf([7])).toEqual([{ start: 0, end: 1 }]);
    expect(slicesOf([])).toEqual([]);
  });

  it('equal counts are equal slices with equal gaps, once round', () => {
    const gap = 1.5 / 360;

    expect(slicesOf([5, 5]).flatMap(({ start, end }) => [start, end])).toEqual(
      [0, 0.5 - gap, 0.5, 1 - gap].map((turn) => expect.closeTo(turn)),
    );
  });

  it('one in a million is still a slice, and a hundred and three thousand are visibly more', () => {
    const degreesOf = (count: number) => {
      const [, small = { start: 0, end: 0 }] = slicesOf([3_100_000 - count, count]);
      return (small.end - small.start) * 360;
    };

    expect(degreesOf(1)).toBeCloseTo(1.5, 1);
    expect(degreesOf(106)).toBeGreaterThan(degreesOf(1) + 2);
    expect(degreesOf(3_200)).toBeGreaterThan(degreesOf(106) + 2);
  });
});

describe('the path of a slice', () => {
  const shape = { size: 100, thickness: 10 };

  it('goes from the top, clockwise', () => {
    expect(ringPath({ start: 0, end: 0.25 }, shape)).toBe(
      'M50.00 0.00 A50 50 0 0 1 100.00 50.00 L90.00 50.00 A40 40 0 0 0 50.00 10.00 Z',
    );
  });

  it('takes the long way round beyond half a turn', () => {
    expect(ringPath({ start: 0, end: 0.75 }, shape)).toContain('A50 50 0 1 1 0.00 50.00');
  });

  it('a whole ring is drawn as two halves, because an arc that ends where it starts is empty', () => {
    expect(ringPath({ start: 0, end: 1 }, shape).match(/M/g)).toHaveLength(2);
  });
});
