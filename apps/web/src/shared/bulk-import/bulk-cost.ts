/** What the preview of any file says of its cost. */
export interface PricedPreview {
  /** The most that it can cost. */
  readonly total_credits: number;
  readonly metrics: { readonly billable: number; readonly non_billable: number; readonly duplicated: number };
  readonly upload_id: string;
}

export interface BulkCost {
  /** The most that the list can cost. */
  readonly credits: number;
  /** Rows that are left out: what cannot be used, and what appeared before. */
  readonly excluded: number;
  readonly shortCredits: number;
  readonly canConfirm: boolean;
}

/** What a previewed file means for this balance. */
export function bulkCostOf(
  preview: Pick<PricedPreview, 'total_credits' | 'metrics'>,
  balance: number,
): BulkCost {
  const { total_credits: credits, metrics } = preview;
  const shortCredits = Math.max(0, credits - balance);
  return {
    credits,
    excluded: metrics.non_billable + metrics.duplicated,
    shortCredits,
    canConfirm: credits > 0 && shortCredits === 0,
  };
}
