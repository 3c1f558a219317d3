import type { Seconds } from '../clock.ts';

export interface Recurrence {
  interval: string;
  interval_count: number;
}

const daySeconds = 24 * 60 * 60;

/**
 * The first end of a period after `start`, counted from the anchor. Months are counted from the anchor and not from
 * one end to the next, so that a subscription begun on 31 January ends on 28 February and then on 31 March.
 */
export function periodEndAfter(start: Seconds, anchor: Seconds, recurrence: Recurrence): Seconds {
  let count = Math.max(0, Math.floor(roughPeriodsBetween(anchor, start, recurrence)) - 1);
  while (addPeriods(anchor, recurrence, count) <= start) count += 1;
  return addPeriods(anchor, recurrence, count);
}

export function addPeriods(from: Seconds, { interval, interval_count }: Recurrence, count: number): Seconds {
  const steps = count * interval_count;
  if (interval === 'day') return from + steps * daySeconds;
  if (interval === 'week') return from + steps * 7 * daySeconds;
  return addMonths(from, interval === 'year' ? steps * 12 : steps);
}

function addMonths(from: Seconds, months: number): Seconds {
  const date = new Date(from * 1000);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  date.setUTCDate(Math.min(day, daysInMonth(date.getUTCFullYear(), date.getUTCMonth())));
  return Math.floor(date.getTime() / 1000);
}

const daysInMonth = (year: number, month: number): number =>
  new Date(Date.UTC(year, month + 1, 0)).getUTCDate();

// The longest a period of each kind can be, so that the count it gives is never past the one looked for.
const longestDays: Record<string, number> = { day: 1, week: 7, month: 31, year: 366 };

function roughPeriodsBetween(from: Seconds, to: Seconds, { interval, interval_count }: Recurrence): number {
  return (to - from) / ((longestDays[interval] ?? 1) * interval_count * daySeconds);
}
