const MS_PER_MINUTE = 60_000;
const MS_PER_DAY = 24 * 60 * MS_PER_MINUTE;

/** An ISO date with offset, as it travels on the wire, or a date. */
type DateLike = string | Date;

/** The reader's own time zone, or UTC for days that the server counts. */
type Zone = 'reader' | 'UTC';

interface Parts {
  readonly year: string;
  /** `Nov`. */
  readonly month: string;
  /** `5`. */
  readonly day: string;
  /** `05`. */
  readonly paddedDay: string;
  /** `14:03`. */
  readonly time: string;
  readonly second: string;
}

/**
 * Avoids `Intl`: its first formatter takes a phone a tenth of a second, before the first page. Every screen is in English, so
 * one format is enough.
 */
const formatter =
  (write: (parts: Parts) => string) =>
  (date: DateLike, zone: Zone = 'reader'): string =>
    write(partsOf(new Date(date), zone));

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

function partsOf(date: Date, zone: Zone): Parts {
  const offsetMs = zone === 'UTC' ? 0 : date.getTimezoneOffset() * MS_PER_MINUTE;
  // Shifted by the offset, so that one set of getters reads both zones.
  const shifted = new Date(date.getTime() - offsetMs);
  return {
    year: String(shifted.getUTCFullYear()),
    month: months[shifted.getUTCMonth()] ?? '',
    day: String(shifted.getUTCDate()),
    paddedDay: twoDigits(shifted.getUTCDate()),
    time: `${twoDigits(shifted.getUTCHours())}:${twoDigits(shifted.getUTCMinutes())}`,
    second: twoDigits(shifted.getUTCSeconds()),
  };
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** MMM DD: `Nov 05`. */
export const formatMonthDay = formatter(({ month, paddedDay }) => `${month} ${paddedDay}`);

/** MMM DD, YYYY: `Nov 05, 2026`. */
export const formatDate = formatter(({ month, paddedDay, year }) => `${month} ${paddedDay}, ${year}`);

/** To the second, for logs: `Nov 05, 14:03:09`, and `Nov 05, 2025, 14:03:09` if that is not this year. */
export function formatDateTime(date: DateLike, zone: Zone = 'reader', now: Date = new Date()): string {
  const { month, paddedDay, year, time, second } = partsOf(new Date(date), zone);
  const day = year === partsOf(now, zone).year ? paddedDay : `${paddedDay}, ${year}`;
  return `${month} ${day}, ${time}:${second}`;
}

/** The time of day: `14:03`. */
export const formatTime = formatter(({ time }) => time);

/** MMM D: `Nov 5`, on charts of days. */
export const formatChartDay = formatter(({ month, day }) => `${month} ${day}`);

/** MMM YY: `Nov 26`, on charts of months. */
export const formatChartMonth = formatter(({ month, year }) => `${month} ${year.slice(-2)}`);

/** Whole days left, a begun one counted; 0 once the date has passed. */
export function daysUntil(date: DateLike, now: Date): number {
  const msLeft = new Date(date).getTime() - now.getTime();
  return Math.max(0, Math.ceil(msLeft / MS_PER_DAY));
}
