import { type CsvFormat, sampleRowsMax } from './csv-format.ts';
import { CsvReader } from './csv-reader.ts';

/** Short, so that of a long text not much more than the first rows is read. */
const pieceLength = 1 << 14;

/** The first rows of a text, cut by one of the delimiters. */
export function readSample(text: string, format: CsvFormat): string[][] {
  const reader = new CsvReader(format, { isLenient: true, onMend: () => {} });
  const rows: string[][] = [];
  for (let start = 0; start < text.length && rows.length < sampleRowsMax; start += pieceLength)
    rows.push(...reader.push(text.slice(start, start + pieceLength)));
  if (rows.length < sampleRowsMax) rows.push(...reader.finish());
  return rows.slice(0, sampleRowsMax);
}
