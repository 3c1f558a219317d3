import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  daysUntil,
  formatChartDay,
  formatChartMonth,
  formatDate,
  formatDateTime,
  formatMonthDay,
  formatTime,
} from './dates.ts';

afterEach(() => vi.restoreAllMocks());

const november5 = '2026-11-05T22:30:00+00:00';

describe('dates as the specification writes them', () => {
  it("§2 Sidebar: 'Until' date is MMM DD", () => {
    expect(formatMonthDay(november5, 'UTC')).toBe('Nov 05');
  });
  it('§2 Single tab grid: Date is MMM DD, YYYY', () => {
    expect(formatDate(november5, 'UTC')).toBe('Nov 05, 2026');
  });
  it('a log tells the second, on a clock of 24 hours, and the year unless it is this one', () => {
    expect(formatDateTime(november5, 'UTC', new Date('2026-12-31'))).toBe('Nov 05, 22:30:00');
    expect(formatDateTime(november5, 'UTC', new Date('2027-01-01'))).toBe('Nov 05, 2026, 22:30:00');
    expect(formatDateTime(november5, 'UTC', new Date('2025-12-31'))).toBe('Nov 05, 2026, 22:30:00');
  });
  it('§9 metric range by DAY is labelled MMM D', () => {
    expect(formatChartDay(november5, 'UTC')).toBe('Nov 5');
  });
  it('§9 metric range by MONTH is labelled MMM YY', () => {
    expect(formatChartMonth(november5, 'UTC')).toBe('Nov 26');
  });
  it('a date is shown in the time zone of its reader', () => {
    vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(-9 * 60);

    expect(formatMonthDay(november5)).toBe('Nov 06');
    expect(formatTime(november5)).toBe('07:30');
  });
  it('a date with an offset is the same instant as in UTC', () => {
    expect(formatMonthDay('2026-11-06T00:30:00+02:00', 'UTC')).toBe('Nov 05');
  });
});

it('every month has its name', () => {
  const names = Array.from({ length: 12 }, (_, month) =>
    formatChartDay(new Date(Date.UTC(2026, month, 1)), 'UTC').slice(0, 3),
  );
  expect(names.join(' ')).toBe('Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec');
});

describe('§2 Sidebar: days to renewal', () => {
  const now = new Date('2026-11-05T12:00:00Z');
  it.each([
    ['2026-12-05T12:00:00Z', 30],
    ['2026-11-06T12:00:00Z', 1],
    ['2026-11-06T12:00:01Z', 2],
    ['2026-11-05T12:00:01Z', 1],
    ['2026-11-05T12:00:00Z', 0],
    ['2026-11-01T12:00:00Z', 0],
  ])('until %s: %i', (date, days) => {
    expect(daysUntil(date, now)).toBe(days);
  });
});
