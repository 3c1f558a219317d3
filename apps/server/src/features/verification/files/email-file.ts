import type { FileEncoding } from '../../../platform/csv/file-encoding.ts';
import { readColumn } from '../../../platform/csv/read-column.ts';
import { readRows } from '../../../platform/csv/read-rows.ts';
import { isTestDomain } from '../../engine/index.ts';
import {
  type CountText,
  cleanRows,
  RefusedFile,
  readStoredText,
  type StoredFile,
} from '../../uploads/index.ts';
import { classifyRows, countRows, type FileRow, type RowCounts } from './classify-rows.ts';
import { type Dialect, detectDialect } from './dialect.ts';

/** The rows of a file of email addresses, counted, and how the file is written. */
export interface EmailCounts extends RowCounts {
  readonly dialect: Dialect;
}

interface EmailFileLimits {
  readonly rowsMax: number;
  /** Accept only addresses that the sandbox knows. */
  readonly isSandbox?: boolean;
}

const sampleLength = 1 << 18;

/** The rows of a stored file, classified, without rows above its table and without columns of an earlier export. */
export function readStoredRows(
  store: StoredFile,
  { encoding, dialect }: { readonly encoding: FileEncoding; readonly dialect: Dialect },
  options: { readonly withHeaders: boolean },
): { readonly rows: AsyncGenerator<FileRow[]>; readonly emailColumn: number } {
  // Without a header, the columns have no names to recognise them by.
  const ownColumns = options.withHeaders ? dialect.ownColumns : [];
  const emailColumn = dialect.emailColumn - ownColumns.filter((own) => own < dialect.emailColumn).length;
  const table = withoutFirst(readRows(readStoredText(store, encoding), dialect), dialect.skippedRows);
  return { rows: classifyRows(cleanRows(table, ownColumns), { emailColumn }, options), emailColumn };
}

/** Counts the rows of a text in one pass. The start of the text shows how it is written, unless that is known. */
export const countEmails =
  ({ rowsMax, isSandbox }: EmailFileLimits, knownDialect?: Dialect): CountText<EmailCounts> =>
  async (text) => {
    const sample = knownDialect === undefined ? await takeSample(text) : '';
    const dialect = knownDialect ?? requireDialect(sample);
    const none = { billable: 0, nonBillable: 0, duplicated: 0, empty: 0 };
    let counts: RowCounts = { ...none, rowCount: 0, belowFirst: none };
    const check = isSandbox
      ? (domain: string, row: number) => refuseOutsideSandbox(domain, row + dialect.skippedRows)
      : undefined;
    const emails = readColumn(prepended(sample, text), dialect, dialect.emailColumn);
    for await (counts of countRows(withoutFirst(emails, dialect.skippedRows), check)) {
      // Each address of a cell that holds several becomes a row.
      const listRows = counts.billable + counts.nonBillable + counts.duplicated;
      if (listRows > rowsMax) throw new RefusedFile({ problem: 'file_too_many_rows', rowsMax });
    }
    return { ...counts, dialect };
  };

async function takeSample(text: AsyncGenerator<string>): Promise<string> {
  let sample = '';
  while (sample.length < sampleLength) {
    const { value, done } = await text.next();
    if (done) break;
    sample += value;
  }
  return sample;
}

/** Batches without the first `count` items. */
async function* withoutFirst<Item>(batches: AsyncIterable<Item[]>, count: number): AsyncGenerator<Item[]> {
  let left = count;
  for await (const batch of batches) {
    const dropped = Math.min(left, batch.length);
    left -= dropped;
    if (dropped < batch.length) yield dropped === 0 ? batch : batch.slice(dropped);
  }
}

async function* prepended(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

function requireDialect(sample: string): Dialect {
  if (sample.trim() === '') throw new RefusedFile({ problem: 'file_empty' });
  const dialect = detectDialect(sample);
  if (!dialect) throw new RefusedFile({ problem: 'file_no_email_column' });
  return dialect;
}

function refuseOutsideSandbox(domain: string, rowNumber: number): void {
  if (!isTestDomain(domain)) throw new RefusedFile({ problem: 'sandbox_address', row: rowNumber + 1 });
}
