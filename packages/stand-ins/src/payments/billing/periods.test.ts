import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addPeriods, periodEndAfter } from './periods.ts';

const seconds = (iso: string): number => Date.parse(iso) / 1000;
const day = (moment: number): string => new Date(moment * 1000).toISOString().slice(0, 10);
const monthly = { interval: 'month', interval_count: 1 };

function daysOfPeriods(anchor: string, count: number): string[] {
  const days: string[] = [];
  for (let moment = seconds(anchor); days.length < count; days.push(day(moment))) {
    moment = periodEndAfter(moment, seconds(anchor), monthly);
  }
  return days;
}

describe('the end of a period', () => {
  it('falls on the day of the anchor, or on the last day of a shorter month', () => {
    expect(daysOfPeriods('2027-01-31T08:30:00Z', 5)).toEqual([
      '2027-02-28',
      '2027-03-31',
      '2027-04-30',
      '2027-05-31',
      '2027-06-30',
    ]);
  });

  it('knows leap years', () => {
    expect(daysOfPeriods('2028-01-30T00:00:00Z', 2)).toEqual(['2028-02-29', '2028-03-30']);
    const yearly = { interval: 'year', interval_count: 1 };
    expect(day(addPeriods(seconds('2028-02-29T00:00:00Z'), yearly, 1))).toBe('2029-02-28');
  });

  it('keeps the time of day', () => {
    const end = periodEndAfter(seconds('2026-03-05T23:59:59Z'), seconds('2026-03-05T23:59:59Z'), monthly);
    expect(new Date(end * 1000).toISOString()).toBe('2026-04-05T23:59:59.000Z');
  });

  it('is the first one after the start, whatever anchor and interval', () => {
    const moments = fc.integer({
      min: seconds('2020-01-01T00:00:00Z'),
      max: seconds('2060-01-01T00:00:00Z'),
    });
    const intervals = fc.record({
      interval: fc.constantFrom('day', 'week', 'month', 'year'),
      interval_count: fc.integer({ min: 1, max: 6 }),
    });
    fc.assert(
      fc.property(
        moments,
        intervals,
        fc.integer({ min: 0, max: 500 }),
        fc.nat(100_000),
        (anchor, recurrence, n, more) => {
          const start = Math.min(
            addPeriods(anchor, recurrence, n) + more,
            addPeriods(anchor, recurrence, n + 1) - 1,
          );
          expect(periodEndAfter(start, anchor, recurrence)).toBe(addPeriods(anchor, recurrence, n + 1));
        },
      ),
    );
  });
});
