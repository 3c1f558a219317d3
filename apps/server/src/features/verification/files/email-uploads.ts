import type { ListPreview } from '@assay/contract';
import {
  type FileTaking,
  findUpload,
  type IncomingFile,
  previewMetrics,
  removeUpload,
  type TakenUpload,
  takeUpload,
  type Upload,
  type UploadParts,
} from '../../uploads/index.ts';
import { sandboxMark, withinSandbox } from '../sandbox.ts';
import type { KindCounts } from './classify-rows.ts';
import type { Dialect } from './dialect.ts';
import { countEmails, type EmailCounts } from './email-file.ts';

export interface EmailUploadParts extends UploadParts {
  readonly limits: UploadParts['limits'] & { readonly rowsMax: number };
}

export type EmailUpload = Upload<Dialect>;

export function takeEmailFile(
  parts: EmailUploadParts,
  ownerId: string,
  file: IncomingFile,
  { isSandbox, dialect }: { readonly isSandbox: boolean; readonly dialect?: Dialect },
): Promise<TakenUpload<EmailCounts>> {
  const limits = isSandbox ? withinSandbox(parts.limits) : parts.limits;
  return takeUpload(parts, ownerId, file, { count: countEmails(limits, dialect), isSandbox });
}

/** For a call that keeps its file as an upload. */
export const takingUpload = (
  parts: EmailUploadParts,
  ownerId: string,
  isSandbox: boolean,
): FileTaking<TakenUpload<EmailCounts>> => ({
  take: (file) => takeEmailFile(parts, ownerId, file, { isSandbox }),
  discard: ({ upload }) => removeUpload(parts, { ownerId, ...upload }),
});

export const findEmailUpload = (
  parts: Pick<UploadParts, 'db' | 'clock'>,
  ownerId: string,
  id: string,
): Promise<EmailUpload> =>
  findUpload(parts, ownerId, id, (stored) => ({
    ...laterFields,
    ...(stored as Omit<Dialect, keyof typeof laterFields>),
  }));

/** Uploads that are older than these fields have none of them. */
const laterFields = { skippedRows: 0, emailColumnNames: [], ownColumns: [] };

export function previewAnswer({ upload, counts }: TakenUpload<EmailCounts>): ListPreview {
  const { encoding, dialect } = upload.reading;
  const hasHeaderRow = dialect.emailColumnName !== null;
  const metrics = { withHeaders: metricsOf(counts.belowFirst), withoutHeaders: metricsOf(counts) };
  return {
    total_credits: upload.isSandbox ? 0 : counts.billable,
    ...previewMetrics(metrics, hasHeaderRow),
    upload_id: upload.id,
    detected: {
      encoding,
      delimiter: dialect.delimiter,
      email_column: dialect.emailColumnName || String(dialect.emailColumn + 1),
      email_columns: [...dialect.emailColumnNames],
      has_header_row: hasHeaderRow,
      skipped_rows: dialect.skippedRows,
      rows: counts.rowCount,
    },
    ...sandboxMark(upload.isSandbox),
  };
}

const metricsOf = ({ billable, nonBillable, duplicated, empty }: KindCounts): ListPreview['metrics'] => ({
  billable,
  non_billable: nonBillable,
  duplicated,
  no_email: empty,
});
