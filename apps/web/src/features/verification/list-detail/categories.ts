import { type ValidationList, VERDICTS, type Verdict } from '@assay/contract';
import { emailsText } from '../count-words.ts';

export interface Category {
  readonly verdict: Verdict;
  readonly count: number;
}

/** The four counts of a list, in the order in which the product always names them. */
export function categoriesOf({ email_metrics: counts }: Pick<ValidationList, 'email_metrics'>): Category[] {
  const countOf: Record<Verdict, number> = {
    VALID: counts.valid_emails,
    INVALID: counts.invalid_emails,
    CATCH_ALL: counts.catch_all_emails,
    UNKNOWN: counts.unknown_emails,
  };
  return VERDICTS.map((verdict) => ({ verdict, count: countOf[verdict] }));
}

/** Categories that have emails: only these are shown as cards and can be downloaded. */
export const filledCategories = (categories: readonly Category[]): Category[] =>
  categories.filter(({ count }) => count > 0);

/** What is selected: what somebody chose, or else the only category there is. Given the categories that have emails. */
export function selectedOf(filled: readonly Category[], chosen: readonly Verdict[] | undefined): Category[] {
  if (chosen === undefined) return filled.length === 1 ? [...filled] : [];
  return filled.filter(({ verdict }) => chosen.includes(verdict));
}

export const downloadLabel = (selected: readonly Category[]): string =>
  selected.length === 0
    ? 'Select to download'
    : `Download ${emailsText(selected.reduce((sum, { count }) => sum + count, 0))}`;
