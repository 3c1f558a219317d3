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

  it('one in a million is still a slice of 3 degrees', () => {
    const [, small] = slicesOf([999_999, 1]);

    expect(small?.end).toBeCloseTo(1 - 1.5 / 360);
    expect(small?.start).toBeCloseTo(1 - 4.5 / 360);
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
