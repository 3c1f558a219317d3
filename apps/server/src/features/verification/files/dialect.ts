import { countTitleRows, readSeparatorLine } from '../../../platform/csv/above-table.ts';
import {
  type CsvFormat,
  columnsMax,
  type Delimiter,
  delimiters,
  detectQuote,
  evenness,
} from '../../../platform/csv/csv-format.ts';
import { readSample } from '../../../platform/csv/read-sample.ts';
import { findOwnColumns, RefusedFile, type SheetChoice } from '../../uploads/reading.ts';
import { isAddressList } from './address-list.ts';
import { readMessyCell } from './messy-cell.ts';

/** How a file is written, and where its addresses are. */
export interface Dialect extends CsvFormat {
  readonly emailColumn: number;
  /** The column's name in the first row, or null when that row already holds an address. */
  readonly emailColumnName: string | null;
  /** Rows above the table, such as Excel's `sep=;` and titles. */
  readonly skippedRows: number;
  /** Every column that holds addresses, by name or number, including the one that is read. */
  readonly emailColumnNames: readonly string[];
  /** Columns that an earlier export added. */
  readonly ownColumns: readonly number[];
  /** Whether the text is no table, but addresses with separators between them. */
  readonly isAddressList: boolean;
  /** The sheet that the text was, if the file was a workbook. */
  readonly workbook?: SheetChoice | undefined;
}

export interface DialectHints {
  /** The column that the customer chose. */
  readonly emailColumn?: number | undefined;
  readonly workbook?: SheetChoice | undefined;
}

/** The share of filled cells that must look like addresses in a column whose name does not say so. */
const addressShareMin = 0.2;
/** Rows that are wider than a header of one cell count more against a delimiter than whole addresses count for it. */
const widerRowWeight = 0.7;
/** A cell such as `a@b.test;12` is probably two cells with another delimiter. */
const dividedCellPenalty = 0.5;

const addressShape = /^[^\s@,;|"'<>()]+@[^\s@,;|"'<>()]+\.[^\s@,;|"'<>().]+$/;
const emailHeader =
  /^(e-?mail|mail|e-?mail[ _-]?(address|id)|email_?addresses?|contact[ _-]?e-?mail|work[ _-]?e-?mail|correo( electr[oó]nico)?|courriel|adresse[ _-]?(e-?)?mail|e-?mail[ _-]?adresse|emails)$/i;
const emailHeaderLengthMax = 40;

/**
 * Detects delimiter, quoting and email column from the first rows: of four delimiters, the one that gives the column with
 * the most addresses (or with such a name), and among equals the one that gives the most even rows.
 * Null when no column holds addresses and the customer chose none.
 */
export function detectDialect(sample: string, hints: DialectHints = {}): Dialect | null {
  const { emailColumn, workbook } = hints;
  const isSheet = workbook !== undefined && !workbook.isText;
  if (!isSheet && !emailColumn && isAddressList(sample)) return { ...addressList, workbook };
  const quote = isSheet ? '"' : detectQuote(sample);
  const separator = isSheet ? sheetSeparator : readSeparatorLine(sample);
  const readings = separator.delimiters.map((delimiter) =>
    read(sample, { delimiter, quote }, separator.rowCount),
  );
  const best = readings.reduce((left, right) => (right.score > left.score ? right : left));
  const column = emailColumn === undefined ? best.column : requireColumn(best, emailColumn);
  if (column === null) return null;

  const { delimiter, table, skippedRows, columns } = best;
  const [head = [], ...body] = table;
  const ownColumns = findOwnColumns(head, body);
  return {
    delimiter,
    quote,
    emailColumn: column.index,
    emailColumnName: column.name,
    skippedRows,
    emailColumnNames: columns.map(({ name, index }) => name || String(index + 1)),
    // A customer who wants our suggestions verified chooses a column that we added. Then all of them stay.
    ownColumns: ownColumns.includes(column.index) ? [] : ownColumns,
    isAddressList: false,
    workbook,
  };
}

/** How we write a sheet as text. */
const sheetSeparator = { delimiters: [','], rowCount: 0 } as const;

const addressList: Dialect = {
  delimiter: ',',
  quote: '"',
  emailColumn: 0,
  emailColumnName: null,
  skippedRows: 0,
  emailColumnNames: ['1'],
  ownColumns: [],
  isAddressList: true,
};

/** The column that the customer chose, whatever it holds. */
function requireColumn({ table, columns }: Reading, index: number): EmailColumn {
  const columnCount = widthOf(table);
  if (index >= columnCount) throw new RefusedFile({ problem: 'file_column_not_found', columnCount });
  const found = columns.find((column) => column.index === index);
  if (found) return found;
  const first = table[0]?.[index]?.trim() ?? '';
  return { index, name: columns.some(({ name }) => name === null) ? null : first, score: 0 };
}

interface EmailColumn {
  readonly index: number;
  readonly name: string | null;
  readonly score: number;
}

interface Reading {
  readonly delimiter: Delimiter;
  readonly skippedRows: number;
  /** The sample without the rows above the table. */
  readonly table: string[][];
  readonly columns: readonly EmailColumn[];
  readonly column: EmailColumn | null;
  readonly score: number;
}

function read(sample: string, format: CsvFormat, separatorRows: number): Reading {
  const rows = readSample(sample, format).slice(separatorRows);
  const titleRows = countTitleRows(rows, { isName: isEmailHeader, isValue: holdsAddress });
  const table = rows.slice(titleRows);
  const [head = [], ...body] = table;
  // Our own suggestions are addresses too.
  const own = new Set(findOwnColumns(head, body));
  const columns = findEmailColumns(table).filter(({ index }) => !own.has(index));
  const column = bestOf(columns);
  return {
    delimiter: format.delimiter,
    skippedRows: separatorRows + titleRows,
    table,
    columns,
    column,
    // Without addresses anywhere, the most even rows decide.
    score:
      column === null ? evenness(table) - 2 : column.score + evenness(table) / 10 - widerRows(table, column),
  };
}

const bestOf = (columns: readonly EmailColumn[]): EmailColumn | null =>
  columns.reduce<EmailColumn | null>(
    (best, column) => (best === null || column.score > best.score ? column : best),
    null,
  );

function findEmailColumns(rows: string[][]): EmailColumn[] {
  return Array.from({ length: widthOf(rows) }, (_, index) => scoreColumn(rows, index)).filter(
    (column) => column !== null,
  );
}

const widthOf = (rows: string[][]): number =>
  Math.min(columnsMax, Math.max(0, ...rows.map((row) => row.length)));

function scoreColumn(rows: string[][], index: number): EmailColumn | null {
  const [first = '', ...others] = rows.map((row) => row[index]?.trim() ?? '');
  const isNamed = isEmailHeader(first);
  const holdsFirst = holdsAddress(first);
  const filled = (holdsFirst ? [first, ...others] : others).filter((cell) => cell !== '');
  const addresses = filled.filter(holdsAddress);
  const shareOf = (count: number) => (filled.length === 0 ? 0 : count / filled.length);
  if (!isNamed && shareOf(addresses.length) < addressShareMin) return null;
  const divided = addresses.filter(holdsDelimiter).length;
  const score = shareOf(addresses.length - divided * dividedCellPenalty) + (isNamed ? 0.5 : 0);
  return { index, name: holdsFirst ? null : first, score };
}

const holdsDelimiter = (cell: string): boolean => delimiters.some((delimiter) => cell.includes(delimiter));

const isEmailHeader = (cell: string): boolean =>
  cell.length <= emailHeaderLengthMax && emailHeader.test(cell);

const holdsAddress = (cell: string): boolean =>
  cell.includes('@') && readMessyCell(cell).some((address) => addressShape.test(address));

/** `a@b.test; c@d.test` below `email` is one cell with two addresses, not a column that the header lacks. */
function widerRows(rows: string[][], { name }: EmailColumn): number {
  const [head = [], ...others] = rows;
  if (name === null || head.length > 1 || others.length === 0) return 0;
  return (others.filter((row) => row.length > 1).length / others.length) * widerRowWeight;
}
