/** How the rows of a file divide. */
export interface FileMetrics {
  readonly billable: number;
  readonly non_billable: number;
  readonly duplicated: number;
  /** How many of `non_billable` have an empty cell, if known. */
  readonly no_email?: number;
  /** How many of `non_billable` have a suppressed address, if known. */
  readonly suppressed?: number;
}

/** The sheet of a workbook, or the file of a zip file, that is read, and those to choose from. */
export interface SheetChoice {
  readonly format?: string | undefined;
  readonly sheet?: string | undefined;
  readonly sheets?: readonly string[] | undefined;
}

/** What the preview of any file says of its cost and its contents. */
export interface PricedPreview {
  /** The most that it can cost. */
  readonly total_credits: number;
  readonly metrics_with_headers: FileMetrics;
  readonly metrics_without_headers: FileMetrics;
  readonly upload_id: string;
  /** The name that the list gets unless the customer chooses another. */
  readonly name?: string | undefined;
  readonly first_rows: readonly (readonly string[])[];
  readonly detected: SheetChoice;
}

export interface BulkCost {
  /** The most that the lists can cost. */
  readonly credits: number;
  /** Rows to process, with or without the first ones. */
  readonly billable: number;
  /** Rows that are left out: what cannot be used, and what appeared before. */
  readonly excluded: number;
  readonly shortCredits: number;
  readonly canConfirm: boolean;
}

type Priced = Pick<PricedPreview, 'total_credits' | 'metrics_with_headers' | 'metrics_without_headers'>;

export const metricsOf = (
  preview: Pick<PricedPreview, 'metrics_with_headers' | 'metrics_without_headers'>,
  withHeaders: boolean,
): FileMetrics => (withHeaders ? preview.metrics_with_headers : preview.metrics_without_headers);

/** What a previewed file means for this balance. */
export const bulkCostOf = (preview: Priced, balance: number | undefined, withHeaders: boolean): BulkCost =>
  totalCostOf([{ preview, withHeaders }], balance);

/**
 * The same for several files together. Each of them must have something to process. Until the balance is known, nothing is
 * short, and nothing can be confirmed.
 */
export function totalCostOf(
  files: readonly { readonly preview: Priced; readonly withHeaders: boolean }[],
  balance: number | undefined,
): BulkCost {
  const metrics = files.map(({ preview, withHeaders }) => metricsOf(preview, withHeaders));
  const sum = (numbers: readonly number[]) => numbers.reduce((left, right) => left + right, 0);
  // `total_credits` is the price with every row. With headers, a first row that holds an email is not verified.
  const credits = sum(
    files.map(({ preview, withHeaders }) =>
      Math.min(preview.total_credits, metricsOf(preview, withHeaders).billable),
    ),
  );
  const shortCredits = balance === undefined ? 0 : Math.max(0, credits - balance);
  return {
    credits,
    billable: sum(metrics.map(({ billable }) => billable)),
    excluded: sum(metrics.map(({ non_billable, duplicated }) => non_billable + duplicated)),
    shortCredits,
    canConfirm:
      balance !== undefined &&
      credits > 0 &&
      shortCredits === 0 &&
      metrics.every(({ billable }) => billable > 0),
  };
}
