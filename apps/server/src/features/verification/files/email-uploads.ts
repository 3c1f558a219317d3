import type { ListPreview } from '@assay/contract';
import type { Db } from '../../../platform/database/database.ts';
import type { AccountId } from '../../../platform/ids.ts';
import { type ListPlace, nameFromFile } from '../../lists/index.ts';
import {
  countAgain,
  type FileTaking,
  findUpload,
  findUploadOfList,
  type IncomingFile,
  removeUpload,
  storeUncounted,
  storeUpload,
  type TakenUpload,
  takeUpload,
  type UncountedUpload,
  type Upload,
  type UploadParts,
} from '../../uploads/index.ts';
import { previewMetrics, previewRows, type SheetChoice, sheetFields } from '../../uploads/reading.ts';
import { sandboxMark, withinSandbox } from '../sandbox.ts';
import type { KindCounts } from './classify-rows.ts';
import type { Dialect } from './dialect.ts';
import type { EmailCounts } from './email-file.ts';
import { countEmailsJob } from './email-jobs.ts';
import { openScreen } from './open-screen.ts';

export interface EmailUploadParts extends UploadParts {
  readonly limits: UploadParts['limits'] & { readonly rowsMax: number };
}

export type EmailUpload = Upload<Dialect>;

export const takeEmailFile = (
  parts: EmailUploadParts,
  ownerId: AccountId,
  file: IncomingFile,
  options: FileOptions,
): Promise<TakenUpload<EmailCounts>> => takeUpload(parts, ownerId, file, readingOf(parts, ownerId, options));

/** The same without keeping the upload. */
export const storeEmailFile = (
  parts: EmailUploadParts,
  ownerId: AccountId,
  file: IncomingFile,
  options: FileOptions,
): Promise<TakenUpload<EmailCounts>> => storeUpload(parts, ownerId, file, readingOf(parts, ownerId, options));

const readingOf = (
  parts: EmailUploadParts,
  ownerId: AccountId,
  { isSandbox, ignoresSuppression = false, ...known }: FileOptions,
) => ({
  kind: 'emails' as const,
  job: countEmailsJob,
  counting: { limits: limitsOf(parts, isSandbox), known },
  isSandbox,
  openScreen: openScreen(parts, ownerId, { isSandbox, ignoresSuppression }),
});

interface FileOptions {
  readonly isSandbox: boolean;
  readonly ignoresSuppression?: boolean | undefined;
  readonly dialect?: Dialect;
  readonly emailColumn?: number | undefined;
  readonly workbook?: SheetChoice | undefined;
}

const limitsOf = ({ limits: { rowsMax } }: EmailUploadParts, isSandbox: boolean) =>
  isSandbox ? withinSandbox({ rowsMax }) : { rowsMax };

/** How a call wants its file to be read. */
interface FileFields {
  readonly sheet?: string | undefined;
  readonly email_column?: number | undefined;
  readonly ignore_suppression?: boolean | undefined;
}

/** For a call that keeps its file as an upload. */
export const takingUpload = (
  parts: EmailUploadParts,
  ownerId: AccountId,
  isSandbox: boolean,
): FileTaking<TakenUpload<EmailCounts>, FileFields> => ({
  take: (file, { sheet, email_column: column, ignore_suppression: ignoresSuppression }) =>
    takeEmailFile(
      parts,
      ownerId,
      { ...file, sheet },
      { isSandbox, emailColumn: indexOf(column), ignoresSuppression },
    ),
  discard: ({ upload }) => removeUpload(parts, { ownerId, ...upload }),
});

/** Longer forms are stored as they come, and a job counts their file. A workbook of this size is read within a second. */
const formBytesCountedMax = 2_000_000;

/** The same for a call that makes a list of its file at once. */
export const takingCreation = (
  parts: EmailUploadParts,
  ownerId: AccountId,
  isSandbox: boolean,
): FileTaking<EmailUpload | UncountedUpload, FileFields> => {
  const { take } = takingUpload(parts, ownerId, isSandbox);
  return {
    take: async (file, fields) => {
      if ((file.bytesAtMost ?? Infinity) <= formBytesCountedMax) return (await take(file, fields)).upload;
      const wish = {
        sheet: fields.sheet,
        emailColumn: indexOf(fields.email_column),
        ignoresSuppression: fields.ignore_suppression ?? false,
      };
      const stored = await storeUncounted(parts, ownerId, file, { isSandbox, wish });
      if (stored.byteCount > formBytesCountedMax) return stored;
      // The length of the form was not given, and the file is short after all.
      try {
        return (await take({ ...file, bytes: parts.files.read(stored.fileKey) }, fields)).upload;
      } finally {
        await removeUpload(parts, { ownerId, ...stored });
      }
    },
    discard: (upload) => removeUpload(parts, { ownerId, ...upload }),
  };
};

/** Columns count from 1 in the API. */
const indexOf = (column: number | undefined): number | undefined =>
  column === undefined ? undefined : column - 1;

/** Reads an upload again, as another call wants it. */
export const readAgain = (
  parts: EmailUploadParts,
  ownerId: AccountId,
  upload: EmailUpload,
  {
    column,
    ignoresSuppression,
    signal,
  }: {
    readonly column: number | undefined;
    readonly ignoresSuppression: boolean;
    readonly signal: AbortSignal;
  },
): Promise<TakenUpload<EmailCounts>> => {
  const { isSandbox } = upload;
  const { workbook, emailColumn } = upload.reading.dialect;
  const known = { emailColumn: indexOf(column) ?? emailColumn, workbook };
  const reading = readingOf(parts, ownerId, { isSandbox, ignoresSuppression, ...known });
  return countAgain(parts, ownerId, upload, { ...reading, signal });
};

export const findEmailUpload = (
  parts: Pick<UploadParts, 'db' | 'clock'>,
  ownerId: AccountId,
  id: string,
): Promise<EmailUpload> => findUpload(parts, { kind: 'emails', ownerId, id }, readDialect);

/** The upload that a list is made of. */
export const findUploadOf = (db: Db, place: ListPlace): Promise<EmailUpload> =>
  findUploadOfList(db, place, readDialect);

const readDialect = (stored: unknown): Dialect => ({
  ...laterFields,
  ...(stored as Omit<Dialect, keyof typeof laterFields>),
});

/** Uploads that are older than these fields have none of them. */
const laterFields = { skippedRows: 0, emailColumnNames: [], ownColumns: [], isAddressList: false };

/** The name of its list. Several files of a zip file become lists with different names. */
export const nameOfUpload = ({ fileName, reading: { dialect } }: EmailUpload): string =>
  nameFromFile(dialect.workbook?.format === 'zip' ? dialect.workbook.sheet : fileName);

export function previewAnswer({ upload, counts }: TakenUpload<EmailCounts>): ListPreview {
  const { encoding, dialect } = upload.reading;
  const hasHeaderRow = dialect.emailColumnName !== null;
  const metrics = { withHeaders: metricsOf(counts.belowFirst), withoutHeaders: metricsOf(counts) };
  return {
    total_credits: upload.isSandbox ? 0 : counts.billable,
    ...previewMetrics(metrics, hasHeaderRow),
    name: nameOfUpload(upload),
    upload_id: upload.id,
    detected: {
      encoding,
      delimiter: dialect.delimiter,
      ...formatOf(dialect),
      email_column: dialect.emailColumnName || String(dialect.emailColumn + 1),
      email_column_number: dialect.emailColumn + 1,
      email_columns: [...dialect.emailColumnNames],
      has_header_row: hasHeaderRow,
      skipped_rows: dialect.skippedRows,
      broken_quotes: { ...counts.brokenQuotes, first: [...counts.brokenQuotes.first] },
      rows: counts.rowCount,
    },
    first_rows: previewRows(counts.firstRows),
    excluded: [...counts.excluded],
    ...sandboxMark(upload.isSandbox),
  };
}

const formatOf = ({
  workbook,
  isAddressList,
}: Dialect): Pick<ListPreview['detected'], 'format' | 'sheet' | 'sheets'> =>
  workbook ? sheetFields(workbook) : { format: isAddressList ? 'addresses' : 'csv' };

const metricsOf = ({
  billable,
  nonBillable,
  duplicated,
  empty,
  suppressed,
}: KindCounts): ListPreview['metrics'] => ({
  billable,
  non_billable: nonBillable,
  duplicated,
  no_email: empty,
  suppressed,
});
