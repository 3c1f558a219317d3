import { describe, expect, it } from 'vitest';
import { areaPath, layOut, linePath, nearestPoint } from './line-layout.ts';

const points = [0, 5, 10].map((count, index) => ({ label: `${index}`, count }));
const layout = layOut(points, { width: 500, height: 224, highestTick: 10, ticks: [0, 1, 2] });

describe('the line of the chart', () => {
  it('goes from edge to edge, and from the bottom to the highest tick', () => {
    const [first, , last] = layout.places;
    expect([first?.x, last?.x]).toEqual([layout.left, layout.right]);
    expect([first?.y, last?.y]).toEqual([layout.bottom, layout.top]);
    expect(linePath(layout)).toMatch(/^M60\.0 [\d.]+L270\.0 [\d.]+L480\.0 10\.0$/);
    expect(areaPath(layout)).toBe(`${linePath(layout)}V${layout.bottom}H60.0Z`);
  });

  it('tilts the labels of dates where they would touch each other', () => {
    expect(layout.isTilted).toBe(false);
    const days = Array.from({ length: 7 }, (_, index) => ({ label: `Nov ${10 + index}`, count: index }));
    const week = { height: 224, highestTick: 10, ticks: [1, 2, 3, 4, 5, 6] };
    const narrow = layOut(days, { width: 301, ...week });
    expect(narrow.isTilted).toBe(true);
    expect(layOut(days, { width: 350, ...week }).isTilted).toBe(false);
    expect(narrow.bottom).toBeLessThan(layout.bottom);
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
    const one = layOut(points.slice(0, 1), { width: 0, height: 224, highestTick: 1, ticks: [0] });
    expect(nearestPoint(one, 100)).toBe(0);
    expect(areaPath(layOut([], { width: 500, height: 224, highestTick: 1, ticks: [] }))).toBe('');
  });
});
