import type { ValidationList } from '@assay/contract';

/** How many rows the file has, and how many of them were not verified; null for lists that did not count them. */
export function fileRowsOf({
  total_emails,
  excluded_emails: excluded,
}: Pick<ValidationList, 'total_emails' | 'excluded_emails'>) {
  if (excluded === null) return null;
  const left = excluded.duplicated + excluded.non_billable;
  return { all: total_emails + left, excluded: left };
}
