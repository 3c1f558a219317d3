import { UsageError } from './command.ts';

const limitMax = 10_000;

/** How many rows a command prints. */
export function readLimit(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= limitMax) return number;
  throw new UsageError(`--limit takes a whole number from 1 to ${limitMax}.`);
}

/** From which day on. */
export function readDay(text: string): Date {
  const day = new Date(text);
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(day.getTime());
  if (isDay && day.toISOString().startsWith(text)) return day;
  throw new UsageError('--since takes a day such as 2027-01-31.');
}
