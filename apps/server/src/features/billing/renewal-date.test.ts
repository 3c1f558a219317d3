import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renewalAfter } from './renewal-date.ts';

/** The renewals of more than a year, each computed at the moment of the previous one. */
function renewalsFrom(anchor: string, count: number): string[] {
  const dates: string[] = [];
  let now = new Date(anchor);
  for (let renewal = 0; renewal < count; renewal += 1) {
    now = renewalAfter(new Date(anchor), now);
    dates.push(now.toISOString().slice(0, 10));
  }
  return dates;
}

describe('renewalAfter', () => {
  it('keeps the day of the month after shorter months', () => {
    expect(renewalsFrom('2026-01-31T10:00:00Z', 13)).toEqual([
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
      '2026-05-31',
      '2026-06-30',
      '2026-07-31',
      '2026-08-31',
      '2026-09-30',
      '2026-10-31',
      '2026-11-30',
      '2026-12-31',
      '2027-01-31',
      '2027-02-28',
    ]);
  });

  it('renews on 29 February in leap years', () => {
    expect(renewalsFrom('2027-12-31T10:00:00Z', 2)).toEqual(['2028-01-31', '2028-02-29']);
    expect(renewalsFrom('2028-02-29T10:00:00Z', 12).slice(-2)).toEqual(['2029-01-29', '2029-02-28']);
    expect(renewalAfter(new Date('2028-02-29T10:00:00Z'), new Date('2032-02-01T00:00:00Z'))).toEqual(
      new Date('2032-02-29T10:00:00Z'),
    );
  });

  it('keeps the time of day, and renews at that moment and not before', () => {
    const anchor = new Date('2026-01-15T23:59:59.999Z');

    expect(renewalAfter(anchor, new Date('2026-02-15T23:59:59.998Z')).toISOString()).toBe(
      '2026-02-15T23:59:59.999Z',
    );
    expect(renewalAfter(anchor, new Date('2026-02-15T23:59:59.999Z')).toISOString()).toBe(
      '2026-03-15T23:59:59.999Z',
    );
  });

  it('returns the next date after many missed months', () => {
    expect(renewalAfter(new Date('2026-01-31T10:00:00Z'), new Date('2026-06-15T00:00:00Z'))).toEqual(
      new Date('2026-06-30T10:00:00Z'),
    );
  });

  it('is always in the future, by at most a month', () => {
    const moment = fc.date({
      min: new Date('2020-01-01T00:00:00Z'),
      max: new Date('2060-01-01T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(moment, moment, (one, other) => {
        const [anchor, now] = one < other ? [one, other] : [other, one];
        const daysAhead = (renewalAfter(anchor, now).getTime() - now.getTime()) / 86_400_000;
        expect(daysAhead).toBeGreaterThan(0);
        expect(daysAhead).toBeLessThanOrEqual(31);
      }),
    );
  });
});
