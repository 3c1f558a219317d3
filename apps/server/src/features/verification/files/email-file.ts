import type { FileEncoding } from '../../../platform/csv/file-encoding.ts';
import { decodeText, readColumn, readRows } from '../../../platform/csv/read-rows.ts';
import { readSample } from '../../../platform/csv/read-sample.ts';
import type { JobFile } from '../../../platform/reading/index.ts';
import { isTestDomain } from '../../engine/reading.ts';
import {
  cleanRows,
  previewRows,
  RefusedFile,
  type RowsToChooseFrom,
  type SheetChoice,
  sheetFields,
} from '../../uploads/reading.ts';
import { splitAddressList, splitWhole } from './address-list.ts';
import type { AddressReader } from './address-reader.ts';
import { classifyRows, countRows, type FileRow, type KindCounts, type RowCounts } from './classify-rows.ts';
import { type Dialect, type DialectHints, detectDialect } from './dialect.ts';
import { type ExcludedRow, ExclusionExamples } from './exclusions.ts';
import { AskingScreen, countedScreen } from './screen.ts';

/** The rows of a file of email addresses, counted, and how the file is written. */
export interface EmailCounts extends RowCounts {
  readonly dialect: Dialect;
  /** The first rows of the table. */
  readonly firstRows: readonly string[][];
  /** Some of the rows that are left out, with their row in the file. */
  readonly excluded: readonly ExcludedRow[];
  readonly brokenQuotes: BrokenQuotes;
  /** Whether some address is outside `.test`, so that real mail hosts will be asked. */
  readonly hasRealDomain: boolean;
  /** The hashes of the addresses that are suppressed; null if there is none. */
  readonly suppressedHashes: Uint8Array | null;
}

/** Rows with a broken quote, which was read as text. */
interface BrokenQuotes {
  readonly rows: number;
  /** The numbers of the first ones. */
  readonly first: readonly number[];
}

const brokenRowsNamedMax = 5;

export interface EmailReading {
  /** How the text is written, where that is known. */
  readonly dialect?: Dialect | undefined;
  /** The column that the customer chose. */
  readonly emailColumn?: number | undefined;
  /** The sheet that the text was, where it is read again. */
  readonly workbook?: SheetChoice | undefined;
}

export interface EmailFileLimits {
  readonly rowsMax: number;
  /** Accept only addresses that the sandbox knows. */
  readonly isSandbox?: boolean;
}

const sampleLength = 1 << 18;

/** How a stored file is read. */
export interface TextReading {
  readonly encoding: FileEncoding;
  readonly dialect: Dialect;
  /** Of the addresses that are left out because they were suppressed when the file was counted. */
  readonly suppressedHashes: Uint8Array | null;
}

/** The rows of a stored file, classified, without rows above its table and without columns of an earlier export. */
export function readTableRows(
  bytes: AsyncIterable<Buffer>,
  { encoding, dialect, suppressedHashes }: TextReading,
  options: { readonly withHeaders: boolean },
): { readonly rows: AsyncGenerator<FileRow[]>; readonly emailColumn: number } {
  // Without a header, the columns have no names to recognise them by.
  const ownColumns = options.withHeaders ? dialect.ownColumns : [];
  const emailColumn = dialect.emailColumn - ownColumns.filter((own) => own < dialect.emailColumn).length;
  const text = tableText(decodeText(bytes, encoding), dialect);
  const table = withoutFirst(readRows(text, dialect, mending), dialect.skippedRows);
  const screen = countedScreen(suppressedHashes);
  return {
    rows: classifyRows(cleanRows(table, ownColumns), { emailColumn }, { ...options, screen }),
    emailColumn,
  };
}

/** The email cells of a stored file, from the top of its table. */
export const readEmails = (
  bytes: AsyncIterable<Buffer>,
  { encoding, dialect }: TextReading,
): AsyncGenerator<string[]> => emailsOf(decodeText(bytes, encoding), dialect);

/** The preview has named the rows. */
const mending = { onMend: () => {} };

const emailsOf = (
  text: AsyncIterable<string>,
  dialect: Dialect,
  options: { readonly onMend: (row: number) => void } = mending,
): AsyncGenerator<string[]> =>
  withoutFirst(
    readColumn(tableText(text, dialect), dialect, dialect.emailColumn, options),
    dialect.skippedRows,
  );

const tableText = (text: AsyncIterable<string>, { isAddressList }: Dialect): AsyncIterable<string> =>
  isAddressList ? splitAddressList(text) : text;

/** Counts the rows of a text in one pass. The start of the text shows how it is written, unless that is known. */
export const countEmails =
  (
    { rowsMax, isSandbox }: EmailFileLimits,
    known: EmailReading = {},
    /** Answers which addresses are suppressed; missing if none is. */
    ask?: JobFile['ask'],
  ) =>
  async (text: AsyncGenerator<string>, workbook = known.workbook): Promise<EmailCounts> => {
    const sample = await takeSample(text);
    const dialect = known.dialect ?? requireDialect(sample, { emailColumn: known.emailColumn, workbook });
    const none = { billable: 0, nonBillable: 0, duplicated: 0, empty: 0, suppressed: 0 };
    let counts: RowCounts = { ...none, rowCount: 0, belowFirst: none };
    const excluded = new ExclusionExamples();
    const screen = ask && new AskingScreen(ask);
    const checkDomain = isSandbox
      ? (domain: string, row: number) => refuseOutsideSandbox(domain, row + dialect.skippedRows)
      : undefined;
    let hasRealDomain = false;
    const onNew = (address: AddressReader) => {
      hasRealDomain ||= !isTestDomain(address.domain);
    };
    let lastBroken = 0;
    let brokenCount = 0;
    const firstBroken: number[] = [];
    const onMend = (row: number) => {
      if (row === lastBroken) return;
      lastBroken = row;
      brokenCount += 1;
      if (firstBroken.length < brokenRowsNamedMax) firstBroken.push(row);
    };
    const emails = emailsOf(prepended(sample, text), dialect, { onMend });
    for await (counts of countRows(emails, { checkDomain, onExcluded: excluded.add, onNew, screen })) {
      if (listRows(counts) > rowsMax) throw new RefusedFile({ problem: 'file_too_many_rows', rowsMax });
    }
    const firstRows = readFirstRows(sample, dialect);
    return {
      ...counts,
      dialect,
      firstRows,
      excluded: excluded.inFile(dialect.skippedRows),
      brokenQuotes: { rows: brokenCount, first: firstBroken },
      hasRealDomain,
      suppressedHashes: screen?.hashes ?? null,
    };
  };

/** The rows that the list gets: each address of a cell that holds several becomes one, and a header becomes none. */
function listRows({ belowFirst, ...all }: RowCounts): number {
  const addresses = (kinds: KindCounts) => kinds.billable + kinds.duplicated + kinds.suppressed;
  const hasHeader = addresses(all) === addresses(belowFirst);
  const { billable, nonBillable, duplicated } = hasHeader ? belowFirst : all;
  return billable + nonBillable + duplicated;
}

const firstRowsMax = 6;

function readFirstRows(sample: string, dialect: Dialect): string[][] {
  const text = dialect.isAddressList ? splitWhole(sample) : sample;
  return readSample(text, dialect).slice(dialect.skippedRows, dialect.skippedRows + firstRowsMax);
}

async function takeSample(text: AsyncGenerator<string>): Promise<string> {
  let sample = '';
  while (sample.length < sampleLength) {
    const { value, done } = await text.next();
    if (done) break;
    sample += value;
  }
  return sample;
}

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

/** Whether the start of a sheet shows a column with addresses. */
export const hasEmails = async (sample: string, workbook: SheetChoice): Promise<boolean> =>
  detectDialect(sample, { workbook }) !== null;

function requireDialect(sample: string, hints: DialectHints): Dialect {
  if (sample.trim() === '') throw new RefusedFile({ problem: 'file_empty' });
  const dialect = detectDialect(sample, hints);
  if (!dialect)
    throw new RefusedFile({ problem: 'file_no_email_column', ...rowsToChooseFrom(sample, hints) });
  return dialect;
}

/** The first rows as they would be read with some column, so that the customer can choose the right one. */
function rowsToChooseFrom(sample: string, { workbook }: DialectHints): RowsToChooseFrom {
  const dialect = detectDialect(sample, { emailColumn: 0, workbook });
  return {
    ...(dialect && { first_rows: previewRows(readFirstRows(sample, dialect)) }),
    ...(workbook && sheetFields(workbook)),
  };
}

function refuseOutsideSandbox(domain: string, rowNumber: number): void {
  if (!isTestDomain(domain)) throw new RefusedFile({ problem: 'sandbox_address', row: rowNumber + 1 });
}
