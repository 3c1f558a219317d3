import type { Seconds } from '../clock.ts';

const longestMonthSeconds = 31 * 24 * 60 * 60;

export interface Period {
  start: Seconds;
  end: Seconds;
}

/**
 * The month that begins at `start`. Months are counted from the anchor and not from one end to the next, so that a
 * subscription begun on 31 January ends on 28 February and then on 31 March.
 */
export function monthFrom(start: Seconds, anchor: Seconds): Period {
  let count = Math.max(0, Math.floor((start - anchor) / longestMonthSeconds) - 1);
  while (addMonths(anchor, count) <= start) count += 1;
  return { start, end: addMonths(anchor, count) };
}

export function addMonths(from: Seconds, months: number): Seconds {
  const date = new Date(from * 1000);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  date.setUTCDate(Math.min(day, daysInMonth(date.getUTCFullYear(), date.getUTCMonth())));
  return Math.floor(date.getTime() / 1000);
}

const daysInMonth = (year: number, month: number): number =>
  new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
