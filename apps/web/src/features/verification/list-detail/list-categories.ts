import { type ValidationList, VERDICTS, type Verdict } from '@assay/contract';
import type { Category } from '../../../shared/list-summary/categories.ts';

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
