import type { ListPreview } from '@assay/contract';

type FileMetrics = Pick<ListPreview['metrics'], 'billable' | 'duplicated'>;

/**
 * The metrics of a preview, with and without the first row. The first row counts as billable, so that the preview shows
 * the highest price. A first row that names the columns is not a row that was left out.
 */
export const previewMetrics = <Metrics extends FileMetrics>(
  { withHeaders, withoutHeaders }: { readonly withHeaders: Metrics; readonly withoutHeaders: Metrics },
  hasHeaderRow: boolean,
) => ({
  metrics: {
    ...(hasHeaderRow ? withHeaders : withoutHeaders),
    billable: withoutHeaders.billable,
    duplicated: withoutHeaders.duplicated,
  },
  metrics_with_headers: withHeaders,
  metrics_without_headers: withoutHeaders,
});
