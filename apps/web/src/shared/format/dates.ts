const MS_PER_DAY = 24 * 60 * 60 * 1000;

/** An ISO date with offset, as it travels on the wire, or a date. */
type DateLike = string | Date;

// Every screen is in English. Dates are shown in the reader's own time zone; tests name one.
function formatter(options: Intl.DateTimeFormatOptions) {
  const format = new Intl.DateTimeFormat('en-US', options);
  return (date: DateLike, timeZone?: string): string => {
    const chosen =
      timeZone === undefined ? format : new Intl.DateTimeFormat('en-US', { ...options, timeZone });
    return chosen.format(new Date(date));
  };
}

/** MMM DD: `Nov 05`. */
export const formatMonthDay = formatter({ month: 'short', day: '2-digit' });

/** MMM DD, YYYY: `Nov 05, 2026`. */
export const formatDate = formatter({ month: 'short', day: '2-digit', year: 'numeric' });

/** To the second, for logs of the last weeks: `Nov 05, 14:03:09`. */
export const formatDateTime = formatter({
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** The time of day: `14:03`. */
export const formatTime = formatter({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** MMM D: `Nov 5`, on charts of days. */
export const formatChartDay = formatter({ month: 'short', day: 'numeric' });

/** MMM YY: `Nov 26`, on charts of months. */
export const formatChartMonth = formatter({ month: 'short', year: '2-digit' });

/** Whole days left, a begun one counted; 0 once the date has passed. */
export function daysUntil(date: DateLike, now: Date): number {
  const msLeft = new Date(date).getTime() - now.getTime();
  return Math.max(0, Math.ceil(msLeft / MS_PER_DAY));
}
