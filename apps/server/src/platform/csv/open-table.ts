import { readSeparatorLine } from './above-table.ts';
import { type CsvFormat, detectQuote, evenness } from './csv-format.ts';
import { readRows } from './read-rows.ts';
import { readSample } from './read-sample.ts';

const sampleLength = 1 << 16;

/** A text whose delimiter and quotes were found by its first rows. */
export interface OpenTable {
  /** The first rows; none of a text without any. */
  readonly sample: readonly (readonly string[])[];
  /** All rows without blank lines, a batch after the other. To be read once. */
  readonly rows: AsyncGenerator<string[][]>;
}

/** A sheet is text that we wrote, with commas and double quotes. */
export async function openTable(
  text: AsyncGenerator<string>,
  { isSheet = false }: { readonly isSheet?: boolean } = {},
): Promise<OpenTable> {
  let start = '';
  while (start.length < sampleLength) {
    const { value, done } = await text.next();
    if (done) break;
    start += value;
  }
  const separator = isSheet ? ({ delimiters: [','], rowCount: 0 } as const) : readSeparatorLine(start);
  const quote = isSheet ? '"' : detectQuote(start);
  const readings = separator.delimiters.map((delimiter) => {
    const format: CsvFormat = { delimiter, quote };
    const sample = readSample(start, format).slice(separator.rowCount);
    return { format, sample, score: evenness(sample) };
  });
  const { format, sample } = readings.reduce((best, other) => (other.score > best.score ? other : best));
  const rows = readRows(withStart(start, text), format, { onMend: () => {} });
  return { sample: start.trim() === '' ? [] : sample, rows: behind(separator.rowCount, rows) };
}

async function* withStart(start: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield start;
  yield* rest;
}

async function* behind(skippedRows: number, batches: AsyncGenerator<string[][]>): AsyncGenerator<string[][]> {
  let left = skippedRows;
  for await (const rows of batches) {
    const kept = rows.slice(left);
    left -= rows.length - kept.length;
    if (kept.length > 0) yield kept;
  }
}
