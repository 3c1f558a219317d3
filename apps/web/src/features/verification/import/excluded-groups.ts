import type { ListPreview } from '@assay/contract';
import type { FileMetrics } from '../../../shared/bulk-import/bulk-cost.ts';
import type { ExcludedGroup } from '../../../shared/bulk-import/excluded-rows.tsx';

/** The excluded rows by reason. With headers, the first row of the table is none of them. */
export function excludedGroups(
  { excluded, detected }: Pick<ListPreview, 'excluded' | 'detected'>,
  { duplicated, non_billable, no_email = 0, suppressed = 0 }: FileMetrics,
  withHeaders: boolean,
): ExcludedGroup[] {
  const firstRow = detected.skipped_rows + (withHeaders ? 2 : 1);
  const reasons = [
    ['duplicated', 'Duplicated', duplicated],
    ['malformed', 'Not well-formed', non_billable - no_email - suppressed],
    ['no_email', 'Without an email', no_email],
    ['suppressed', 'Suppressed', suppressed],
  ] as const;
  return reasons.map(([reason, title, count]) => ({
    title,
    count,
    examples: excluded
      .filter((one) => one.reason === reason && one.row >= firstRow)
      .map(({ row, email }) => ({ row, text: email })),
  }));
}
