import {
  type CsvFormat,
  type Delimiter,
  delimiters,
  detectQuote,
  evenness,
  readSample,
} from '../../../platform/csv/csv-format.ts';

/** How a file is written, and where its addresses stand. */
export interface Dialect extends CsvFormat {
  readonly emailColumn: number;
  /** The column's name as the first row has it, or null when that row holds an address already. */
  readonly emailColumnName: string | null;
}

/** The least share of a column's filled cells that must look like addresses when its name does not say so. */
const addressShareMin = 0.2;

const addressShape = /^[^\s@,;|"'<>()]+@[^\s@,;|"'<>()]+\.[^\s@,;|"'<>().]+$/;
const emailHeader =
  /^(e-?mail|mail|e-?mail[ _-]?(address|id)|email_?addresses?|contact[ _-]?e-?mail|work[ _-]?e-?mail|correo( electr[oó]nico)?|courriel|adresse[ _-]?(e-?)?mail|e-?mail[ _-]?adresse|emails)$/i;

/**
 * Reads a file's delimiter, quoting and email column off its first rows: of the four delimiters the one under which
 * some column holds the most addresses (or is named like one), and, among equals, the one that cuts rows most evenly.
 * Null when no column holds addresses.
 */
export function detectDialect(sample: string): Dialect | null {
  const quote = detectQuote(sample);
  const readings = delimiters.map((delimiter) => read(sample, delimiter, quote));
  const best = readings.reduce((left, right) => (right.score > left.score ? right : left));
  if (best.column === null) return null;

  const { delimiter, column } = best;
  return { delimiter, quote, emailColumn: column.index, emailColumnName: column.name };
}

interface EmailColumn {
  readonly index: number;
  readonly name: string | null;
  readonly score: number;
}

function read(sample: string, delimiter: Delimiter, quote: CsvFormat['quote']) {
  const rows = readSample(sample, { delimiter, quote });
  const column = findEmailColumn(rows);
  return { delimiter, column, score: column === null ? -1 : column.score + evenness(rows) / 10 };
}

function findEmailColumn(rows: string[][]): EmailColumn | null {
  const width = Math.max(0, ...rows.map((row) => row.length));
  const candidates = Array.from({ length: width }, (_, index) => scoreColumn(rows, index));
  const usable = candidates.filter((column) => column !== null);
  return usable.length === 0
    ? null
    : usable.reduce((left, right) => (right.score > left.score ? right : left));
}

function scoreColumn(rows: string[][], index: number): EmailColumn | null {
  const [first = '', ...others] = rows.map((row) => row[index]?.trim() ?? '');
  const isNamed = emailHeader.test(first);
  const filled = (addressShape.test(first) ? [first, ...others] : others).filter((cell) => cell !== '');
  const addresses = filled.filter((cell) => addressShape.test(cell)).length;
  const share = filled.length === 0 ? 0 : addresses / filled.length;
  if (!isNamed && share < addressShareMin) return null;
  return {
    index,
    name: addressShape.test(first) ? null : first,
    score: share + (isNamed ? 0.5 : 0),
  };
}
