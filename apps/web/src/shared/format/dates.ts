const MS_PER_MINUTE = 60_000;
const MS_PER_DAY = 24 * 60 * MS_PER_MINUTE;

/** An ISO date with offset, as it travels on the wire, or a date. */
type DateLike = string | Date;

/** Dates are shown in the reader's own time zone; days that are days of the server, in UTC. */
type Zone = 'reader' | 'UTC';

interface Parts {
  readonly year: string;
  /** `Nov`. */
  readonly month: string;
  /** `5`. */
  readonly day: string;
  /** `05`. */
  readonly day2: string;
  /** `14:03`. */
  readonly time: string;
  readonly second: string;
}

/**
 * Not by `Intl`, although it could: its first formatter takes a phone a tenth of a second, before the first page. Every
 * screen is in English.
 */
const formatter =
  (write: (parts: Parts) => string) =>
  (date: DateLike, zone: Zone = 'reader'): string =>
    write(partsOf(new Date(date), zone));

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

function partsOf(date: Date, zone: Zone): Parts {
  const offsetMs = zone === 'UTC' ? 0 : date.getTimezoneOffset() * MS_PER_MINUTE;
  // Moved by the offset, so that one set of getters reads both zones.
  const moved = new Date(date.getTime() - offsetMs);
  const day = String(moved.getUTCDate());
  return {
    year: String(moved.getUTCFullYear()),
    month: months[moved.getUTCMonth()] ?? '',
    day,
    day2: day.padStart(2, '0'),
    time: `${twoDigits(moved.getUTCHours())}:${twoDigits(moved.getUTCMinutes())}`,
    second: twoDigits(moved.getUTCSeconds()),
  };
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** MMM DD: `Nov 05`. */
export const formatMonthDay = formatter(({ month, day2 }) => `${month} ${day2}`);

/** MMM DD, YYYY: `Nov 05, 2026`. */
export const formatDate = formatter(({ month, day2, year }) => `${month} ${day2}, ${year}`);

/** To the second, for logs of the last weeks: `Nov 05, 14:03:09`. */
export const formatDateTime = formatter(
  ({ month, day2, time, second }) => `${month} ${day2}, ${time}:${second}`,
);

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
