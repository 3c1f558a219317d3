/** How the rows of a file divide. */
export interface FileMetrics {
  readonly billable: number;
  readonly non_billable: number;
  readonly duplicated: number;
  /** How many of `non_billable` have an empty cell, if known. */
  readonly no_email?: number;
}

/** What the preview of any file says of its cost. */
export interface PricedPreview {
  /** The most that it can cost. */
  readonly total_credits: number;
  readonly metrics_with_headers: FileMetrics;
  readonly metrics_without_headers: FileMetrics;
  readonly upload_id: string;
}

export interface BulkCost {
  /** The most that the list can cost. */
  readonly credits: number;
  /** Rows to process, with or without the first one. */
  readonly billable: number;
  /** Rows that are left out: what cannot be used, and what appeared before. */
  readonly excluded: number;
  readonly shortCredits: number;
  readonly canConfirm: boolean;
}

export const metricsOf = (
  preview: Pick<PricedPreview, 'metrics_with_headers' | 'metrics_without_headers'>,
  withHeaders: boolean,
): FileMetrics => (withHeaders ? preview.metrics_with_headers : preview.metrics_without_headers);

/** What a previewed file means for this balance. */
export function bulkCostOf(
  preview: Omit<PricedPreview, 'upload_id'>,
  balance: number,
  withHeaders: boolean,
): BulkCost {
  const { total_credits: credits } = preview;
  const { billable, non_billable, duplicated } = metricsOf(preview, withHeaders);
  const shortCredits = Math.max(0, credits - balance);
  return {
    credits,
    billable,
    excluded: non_billable + duplicated,
    shortCredits,
    canConfirm: credits > 0 && billable > 0 && shortCredits === 0,
  };
}
