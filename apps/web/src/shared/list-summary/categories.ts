import type { Verdict } from '@assay/contract';
import { emailsText } from '../format/count-words.ts';

/** One of the four kinds of result, under the mark of its verdict. */
export interface Category {
  readonly verdict: Verdict;
  readonly count: number;
  /** Its word where that is not the verdict's own. */
  readonly label?: string;
}

/** Categories that have emails: only these are shown as cards and can be downloaded. */
export const filledCategories = (categories: readonly Category[]): Category[] =>
  categories.filter(({ count }) => count > 0);

/** The selected categories: the person's choice, or else the only category that has emails. */
export function selectedOf(filled: readonly Category[], chosen: readonly Verdict[] | undefined): Category[] {
  if (chosen === undefined) return filled.length === 1 ? [...filled] : [];
  return filled.filter(({ verdict }) => chosen.includes(verdict));
}

/** What is chosen after a click on the card of a verdict. */
export function toggleCategory(
  filled: readonly Category[],
  chosen: readonly Verdict[] | undefined,
  toggled: Verdict,
): Verdict[] {
  const selected = selectedOf(filled, chosen).map(({ verdict }) => verdict);
  return selected.includes(toggled)
    ? selected.filter((verdict) => verdict !== toggled)
    : [...selected, toggled];
}

export const downloadLabel = (selected: readonly Category[], countText = emailsText): string =>
  selected.length === 0
    ? 'Select to download'
    : `Download ${countText(selected.reduce((sum, { count }) => sum + count, 0))}`;

/** '46%'; rounding never makes a share 0% or 100%, and small shares differ: '0.1%', '0.003%'. */
export function shareText(count: number, total: number): string {
  const percent = (count / Math.max(1, total)) * 100;
  if (percent >= 1) return `${percent === 100 ? 100 : Math.min(99, Math.round(percent))}%`;
  return `${Number(percent.toPrecision(1))}%`.replace(/^\d(\.\d)?e-\d+%$/, 'less than 0.00001%');
}
