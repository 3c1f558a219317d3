import { formatCredits } from '../format/counts.ts';
import type { AnyList } from './any-list.ts';

type PreparedList = Pick<AnyList, 'preparation'>;

/** 'Preparing… 12,000 of 1,000,000'; null once the rows of the list are there, or if they never will be. */
export function preparingWords(
  { preparation }: PreparedList,
  format: (count: number) => string = formatCredits,
): string | null {
  if (preparation === null || preparation.problem !== null) return null;
  if (preparation.total_rows === 0) return 'Reading the file…';
  return `Preparing… ${format(preparation.copied_rows)} of ${format(preparation.total_rows)}`;
}

/** How many of the rows are copied, rounded down. */
export function percentPrepared({ preparation }: PreparedList): number {
  if (preparation === null || preparation.total_rows === 0) return 0;
  return Math.floor((preparation.copied_rows / preparation.total_rows) * 100);
}
