import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addMonths, monthFrom } from './periods.ts';

const seconds = (iso: string): number => Date.parse(iso) / 1000;
const day = (moment: number): string => new Date(moment * 1000).toISOString().slice(0, 10);

function endsOfMonths(anchor: string, count: number): string[] {
  const days: string[] = [];
  for (let moment = seconds(anchor); days.length < count; days.push(day(moment))) {
    moment = monthFrom(moment, seconds(anchor)).end;
  }
  return days;
}

describe('the end of a month', () => {
  it('falls on the day of the anchor, or on the last day of a shorter month, also in leap years', () => {
    const days = ['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31', '2027-06-30'];
    expect(endsOfMonths('2027-01-31T08:30:00Z', 5)).toEqual(days);
    expect(endsOfMonths('2028-01-30T00:00:00Z', 2)).toEqual(['2028-02-29', '2028-03-30']);
  });

  it('keeps the time of day', () => {
    const start = seconds('2026-03-05T23:59:59Z');
    expect(new Date(monthFrom(start, start).end * 1000).toISOString()).toBe('2026-04-05T23:59:59.000Z');
  });

  it('is the first one after the start, for every anchor', () => {
    const moments = fc.integer({
      min: seconds('2020-01-01T00:00:00Z'),
      max: seconds('2060-01-01T00:00:00Z'),
    });
    fc.assert(
      fc.property(moments, fc.integer({ min: 0, max: 500 }), fc.nat(100_000), (anchor, n, more) => {
        const start = Math.min(addMonths(anchor, n) + more, addMonths(anchor, n + 1) - 1);
        expect(monthFrom(start, anchor).end).toBe(addMonths(anchor, n + 1));
      }),
    );
  });
});
