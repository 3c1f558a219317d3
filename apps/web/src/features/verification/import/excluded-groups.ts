import type { ListPreview } from '@assay/contract';
import type { FileMetrics } from '../../../shared/bulk-import/bulk-cost.ts';
import { formatCredits } from '../../../shared/format/counts.ts';

type Excluded = ListPreview['excluded'][number];

interface ExcludedGroup {
  readonly title: string;
  readonly examples: readonly Excluded[];
  /** How many more there are; nothing when all are shown. */
  readonly rest: string | null;
}

/** The excluded rows by reason. With headers, the first row of the table is none of them. */
export function excludedGroups(
  { excluded, detected }: Pick<ListPreview, 'excluded' | 'detected'>,
  { duplicated, non_billable, no_email = 0 }: FileMetrics,
  withHeaders: boolean,
): ExcludedGroup[] {
  const firstRow = detected.skipped_rows + (withHeaders ? 2 : 1);
  const reasons = [
    ['duplicated', 'Duplicated', duplicated],
    ['malformed', 'Not well-formed', non_billable - no_email],
    ['no_email', 'Without an email', no_email],
  ] as const;
  return reasons.flatMap(([reason, title, count]) => {
    const examples = excluded.filter((one) => one.reason === reason && one.row >= firstRow);
    const more = count - examples.length;
    const rest = more > 0 ? `and ${formatCredits(more)} more` : null;
    return count > 0 ? [{ title: `${title}: ${formatCredits(count)}`, examples, rest }] : [];
  });
}
