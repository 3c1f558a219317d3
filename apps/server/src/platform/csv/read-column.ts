import type { CsvFormat } from './csv-format.ts';
import { PieceParser } from './read-rows.ts';

const lineBreak = 0x0a;

/**
 * One column of the rows that `readRows` gives; a row that is too short has an empty cell. Rows whose quoting is regular,
 * which nearly all are, are read without making a string of any other cell. The parser reads all others, and alone says
 * what is broken.
 */
export async function* readColumn(
  text: AsyncIterable<string>,
  format: CsvFormat,
  column: number,
): AsyncGenerator<string[]> {
  const parser = new PieceParser(format);
  const columnOf = (rows: string[][]): string[] => rows.map((row) => row[column] ?? '');
  for await (const piece of text) {
    const input = parser.rest + piece;
    const { cells, rowCount, end, isRegular } = scanColumn(input, format, column);
    parser.skip(rowCount, isRegular ? input.slice(end) : '');
    if (!isRegular) cells.push(...columnOf(parser.parse(input.slice(end))));
    if (cells.length > 0) yield cells;
  }
  const cells = columnOf(parser.finish());
  if (cells.length > 0) yield cells;
}

interface ScannedColumn {
  /** Of the rows that are not blank. */
  readonly cells: string[];
  readonly rowCount: number;
  /** Behind the last whole row that was read. */
  readonly end: number;
  /** Whether it stopped there for want of text, and not at something that only the parser can judge. */
  readonly isRegular: boolean;
}

function scanColumn(input: string, { delimiter, quote }: CsvFormat, column: number): ScannedColumn {
  const delimiterCode = delimiter.charCodeAt(0);
  const quoteCode = quote.charCodeAt(0);
  const { length } = input;
  const cells: string[] = [];
  let rowCount = 0;
  let rowStart = 0;
  let field = 0;
  let cell = '';
  let at = 0;
  while (at < length) {
    let start = at;
    let end: number;
    let code = input.charCodeAt(at);
    if (code === quoteCode) {
      start = at + 1;
      end = closingQuote(input, start, quote);
      at = end + 1;
      if (end < 0 || at === length) break;
      code = input.charCodeAt(at);
      if (code !== delimiterCode && code !== lineBreak)
        return { cells, rowCount, end: rowStart, isRegular: false };
      if (field === column) cell = input.slice(start, end).replaceAll(quote + quote, quote);
    } else {
      while (code !== delimiterCode && code !== lineBreak && ++at < length) code = input.charCodeAt(at);
      if (at === length) break;
      end = at;
      if (field === column) cell = input.slice(start, end);
    }
    at += 1;
    if (code === delimiterCode) {
      field += 1;
      continue;
    }
    const isBlank = field === 0 && end === start;
    if (!isBlank) cells.push(cell);
    rowCount += 1;
    rowStart = at;
    field = 0;
    cell = '';
  }
  return { cells, rowCount, end: rowStart, isRegular: true };
}

/** The quote that is not one of two; -1 where there is none yet. */
function closingQuote(input: string, start: number, quote: string): number {
  let at = input.indexOf(quote, start);
  while (at >= 0 && input[at + 1] === quote) at = input.indexOf(quote, at + 2);
  return at;
}
