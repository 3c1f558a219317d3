import { describe, expect, it } from 'vitest';
import { areaPath, layOut, linePath, nearestPoint } from './line-layout.ts';

const points = [0, 5, 10].map((count, index) => ({ label: `${index}`, count }));
const layout = layOut(points, { width: 500, height: 224, highestTick: 10, tickCount: 3 });

describe('the line of the chart', () => {
  it('goes from edge to edge, and from the bottom to the highest tick', () => {
    const [first, , last] = layout.places;
    expect([first?.x, last?.x]).toEqual([layout.left, layout.right]);
    expect([first?.y, last?.y]).toEqual([layout.bottom, layout.top]);
    expect(linePath(layout)).toMatch(/^M60\.0 [\d.]+L270\.0 [\d.]+L480\.0 10\.0$/);
    expect(areaPath(layout)).toBe(`${linePath(layout)}V${layout.bottom}H60.0Z`);
  });

  it.each([
    // The charts of a desktop, a phone of 390 px and one of 320 px.
    [620, 'a week', 7, { count: 7, isStacked: false }],
    [326, 'a week', 7, { count: 7, isStacked: false }],
    [256, 'a week', 7, { count: 7, isStacked: true }],
    [620, 'a month', 30, { count: 12, isStacked: true }],
    [700, 'a month', 30, { count: 12, isStacked: false }],
    [326, 'a month', 30, { count: 10, isStacked: true }],
    [256, 'a month', 30, { count: 8, isStacked: true }],
  ])('in %i px, names as many days of %s as fit, level', (width, _what, dayCount, expected) => {
    const days = Array.from({ length: dayCount }, (_, index) => ({
      label: `Nov ${1 + index}`,
      count: index,
    }));
    const tickCount = dayCount === 7 ? 6 : 12;
    const box = {
      width,
      height: 160,
      highestTick: 10,
      tickCount,
      lastName: dayCount === 7 ? 'Today' : undefined,
    };
    const { ticks, isStacked, places } = layOut(days, box);
    expect({ count: ticks.length, isStacked }).toEqual(expected);
    expect([ticks[0], ticks.at(-1)]).toEqual([0, dayCount - 1]);
    const gaps = ticks.slice(1).map((tick, at) => (places[tick]?.x ?? 0) - (places[ticks[at] ?? 0]?.x ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(isStacked ? 20 : 36);
  });

  it.each([
    [-50, 0],
    [60, 0],
    [164, 0],
    [166, 1],
    [480, 2],
    [9_999, 2],
  ])('the point nearest to %i is number %i', (x, point) => {
    expect(nearestPoint(layout, x)).toBe(point);
  });

  it('holds with one point and without any', () => {
    const one = layOut(points.slice(0, 1), { width: 0, height: 224, highestTick: 1, tickCount: 12 });
    expect(nearestPoint(one, 100)).toBe(0);
    expect(areaPath(layOut([], { width: 500, height: 224, highestTick: 1, tickCount: 12 }))).toBe('');
  });
});
