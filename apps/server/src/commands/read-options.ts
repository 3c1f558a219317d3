import { uuid } from '../platform/database/uuid.ts';
import { UsageError } from './command.ts';

export function readNumber(option: string, text: string | undefined, max: number): number {
  const number = Number(text);
  if (text !== undefined && /^\d+$/.test(text) && number >= 1 && number <= max) return number;
  throw new UsageError(`--${option} takes a whole number from 1 to ${max}.`);
}

/** How many rows a command prints. */
export const readLimit = (text: string): number => readNumber('limit', text, 10_000);

/** From which day on. */
export function readDay(text: string): Date {
  const day = new Date(text);
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(day.getTime());
  if (isDay && day.toISOString().startsWith(text)) return day;
  throw new UsageError('--since takes a day such as 2027-01-31.');
}

/** The one word of a command, the id of what it is about. */
export function readId([id = '', ...others]: readonly string[], hint: string): string {
  if (others.length === 0 && uuid.test(id)) return id.toLowerCase();
  throw new UsageError(hint);
}
