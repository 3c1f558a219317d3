import type { BulkWords } from '../bulk-import/bulk-words.ts';
import { exclusionWords } from '../format/exclusion-words.ts';

/** The rows of a file that became no row of the list; null for lists that did not count them. */
type Excluded = {
  readonly duplicated: number;
  readonly non_billable: number;
  readonly no_email?: number;
  readonly suppressed?: number;
} | null;

/** How many rows the file of a list with this many rows has, and how many of them were left out. */
export function fileRowsOf(listed: number, excluded: Excluded) {
  if (excluded === null) return null;
  const left = excluded.duplicated + excluded.non_billable;
  return { all: listed + left, excluded: left };
}

/** What of the file was left out, as the offer said before; nothing where that is nothing. */
export function excludedWords(
  excluded: Excluded,
  words: Pick<BulkWords<never>, 'excluded' | 'unusable'>,
): string | null {
  if (excluded === null) return null;
  const reasons = exclusionWords(excluded, words.unusable);
  return reasons === null ? null : `${words.excluded}: ${reasons}.`;
}
