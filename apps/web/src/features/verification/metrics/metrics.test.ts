import type { MetricsEntry } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { countTicksUpTo, layOut, ticksOf } from '../../../shared/charts/line-layout.ts';
import { pointsOf, totalsOf } from './metrics-data.ts';
import { DEFAULT_METRICS_RANGE, metricsQueryOf, metricsRanges } from './metrics-range.ts';

const entry = (date: string, counts: Partial<MetricsEntry['validation_list_email_metrics']> = {}) => ({
  date,
  validation_list_email_metrics: {
    pending_emails: 0,
    valid_emails: 0,
    invalid_emails: 0,
    unknown_emails: 0,
    catch_all_emails: 0,
    ...counts,
  },
});

describe('§9 metric ranges', () => {
  const now = new Date(2026, 10, 15, 13, 45);

  it('WEEK is the default: the last 7 days by DAY, from the start of the first', () => {
    expect(DEFAULT_METRICS_RANGE).toBe('WEEK');
    expect(metricsQueryOf('WEEK', now)).toEqual({
      from_date: new Date(2026, 10, 9),
      to_date: now,
      group_by: 'DAY',
    });
  });

  it('MONTH is the last 30 days by DAY', () => {
    expect(metricsQueryOf('MONTH', now)).toEqual({
      from_date: new Date(2026, 9, 17),
      to_date: now,
      group_by: 'DAY',
    });
  });

  it('YEAR is the last year by MONTH', () => {
    expect(metricsQueryOf('YEAR', now)).toEqual({
      from_date: new Date(2025, 11, 1),
      to_date: now,
      group_by: 'MONTH',
    });
  });

  it('§2 the select offers them as emails verified last week, month and year', () => {
    expect(Object.values(metricsRanges).map(({ label }) => label)).toEqual([
      'Emails verified last week',
      'Emails verified last month',
      'Emails verified last year',
    ]);
  });
});

describe('§9 points of the chart', () => {
  it('days are labelled MMM D, months MMM YY', () => {
    expect(pointsOf([entry('2026-11-05T00:00:00+00:00')], 'WEEK')[0]?.label).toBe('Nov 5');
    expect(pointsOf([entry('2026-11-05T00:00:00+00:00')], 'MONTH')[0]?.label).toBe('Nov 5');
    expect(pointsOf([entry('2026-11-01T00:00:00+00:00')], 'YEAR')[0]?.label).toBe('Nov 26');
  });

  it.each(['+13:00', '-11:00', '+00:00'])('a day of %s keeps its name in every other zone', (offset) => {
    expect(pointsOf([entry(`2026-01-01T00:00:00${offset}`)], 'WEEK')[0]?.label).toBe('Jan 1');
  });

  it('§2 y is the emails of the bucket, pending ones too', () => {
    const counts = {
      pending_emails: 1,
      valid_emails: 2,
      invalid_emails: 4,
      unknown_emails: 8,
      catch_all_emails: 16,
    };

    expect(pointsOf([entry('2026-11-05T00:00:00+00:00', counts)], 'WEEK')[0]?.count).toBe(31);
  });
});

describe('§9 ticks', () => {
  it('6 for a week, every day before today, which is named by a word', () => {
    const { tickCount, lastName } = metricsRanges.WEEK;
    const days = Array.from({ length: 7 }, (_, index) => ({ label: `Nov ${10 + index}`, count: index }));
    const box = { width: 600, height: 160, highestTick: 10, tickCount, lastName };
    expect(layOut(days, box).ticks).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect([tickCount, lastName]).toEqual([6, 'Today']);
  });

  it('12 for a month, spread from the first day to the last', () => {
    const ticks = ticksOf(30, metricsRanges.MONTH.tickCount);

    expect(ticks).toHaveLength(12);
    expect(new Set(ticks).size).toBe(12);
    expect([ticks[0], ticks.at(-1)]).toEqual([0, 29]);
  });

  it('12 for a year: every month', () => {
    expect(ticksOf(12, metricsRanges.YEAR.tickCount)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it('no more than there are points', () => {
    expect(ticksOf(1, 6)).toEqual([0]);
    expect(ticksOf(0, 6)).toEqual([]);
  });
});

it.each([
  [1, [0, 1]],
  [5, [0, 2, 4, 6]],
  [40, [0, 10, 20, 30, 40]],
  [41, [0, 20, 40, 60]],
  [2_530, [0, 1_000, 2_000, 3_000]],
  [1_000_000, [0, 500_000, 1_000_000]],
])('the count axis up to %i has whole, round numbers that reach it', (highest, ticks) => {
  expect(countTicksUpTo(highest)).toEqual(ticks);
});

it('totals are summed over the range, verdict by verdict', () => {
  const entries = [
    entry('2026-11-04T00:00:00Z', { valid_emails: 3, pending_emails: 1 }),
    entry('2026-11-05T00:00:00Z', {
      valid_emails: 2,
      unknown_emails: 7,
      catch_all_emails: 5,
      invalid_emails: 4,
    }),
  ];

  expect(totalsOf(entries)).toEqual({ PENDING: 1, VALID: 5, INVALID: 4, CATCH_ALL: 5, UNKNOWN: 7 });
});
