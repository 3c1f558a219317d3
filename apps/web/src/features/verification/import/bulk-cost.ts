import type { ListPreview } from '@assay/contract';

export interface BulkCost {
  /** The most that the list can cost. */
  readonly credits: number;
  /** Rows that are not verified: what is no address, and what appeared before. */
  readonly excludedEmails: number;
  readonly shortCredits: number;
  readonly canConfirm: boolean;
}

/** What a previewed file means for this balance. */
export function bulkCostOf(
  preview: Pick<ListPreview, 'total_credits' | 'metrics'>,
  balance: number,
): BulkCost {
  const { total_credits: credits, metrics } = preview;
  const shortCredits = Math.max(0, credits - balance);
  return {
    credits,
    excludedEmails: metrics.non_billable + metrics.duplicated,
    shortCredits,
    canConfirm: credits > 0 && shortCredits === 0,
  };
}
