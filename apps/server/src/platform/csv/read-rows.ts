import { StringDecoder } from 'node:string_decoder';
import type { CsvFormat } from './csv-format.ts';
import { CsvReader, type ReaderOptions } from './csv-reader.ts';
import type { FileEncoding } from './file-encoding.ts';

/** The bytes of a file as text, whatever its encoding, with every line break as a single `\n` and without NUL. */
export async function* decodeText(
  bytes: AsyncIterable<Buffer>,
  encoding: FileEncoding,
): AsyncGenerator<string> {
  const decoder = createDecoder(encoding);
  let pendingReturn = '';
  for await (const chunk of bytes) {
    const text = pendingReturn + withoutNul(decoder.write(chunk));
    // A break of two characters may be cut in the middle: its first half waits for the next chunk.
    pendingReturn = text.endsWith('\r') ? '\r' : '';
    yield normaliseBreaks(pendingReturn ? text.slice(0, -1) : text);
  }
  yield normaliseBreaks(pendingReturn + decoder.end());
}

/** Without a byte-order mark. Node's own decoder for UTF-8 is several times as fast as the one for everything. */
function createDecoder(encoding: FileEncoding): { write(bytes: Buffer): string; end(): string } {
  if (encoding !== 'utf-8') {
    const decoder = new TextDecoder(encoding);
    return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
  }
  const decoder = new StringDecoder('utf8');
  let isStart = true;
  const withoutMark = (text: string): string => {
    if (!isStart || text === '') return text;
    isStart = false;
    return text.startsWith('\ufeff') ? text.slice(1) : text;
  };
  return { write: (bytes) => withoutMark(decoder.write(bytes)), end: () => withoutMark(decoder.end()) };
}

// PostgreSQL's text holds no NUL. A file whose byte-order mark makes it text may still contain some.
const withoutNul = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '') : text);

const normaliseBreaks = (text: string): string => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);

/** The rows of a file, a batch for each piece of text; blank lines are left out. Holds one piece and the row that it was cut in. */
export async function* readRows(
  text: AsyncIterable<string>,
  format: CsvFormat,
  options: Pick<ReaderOptions, 'onMend'> = {},
): AsyncGenerator<string[][]> {
  yield* readPieces(text, new CsvReader(format, options));
}

/**
 * One column of the rows that `readRows` gives, without making a string of any other cell. A row that is too short has an
 * empty cell.
 */
export async function* readColumn(
  text: AsyncIterable<string>,
  format: CsvFormat,
  column: number,
  options: Pick<ReaderOptions, 'onMend'> = {},
): AsyncGenerator<string[]> {
  for await (const rows of readPieces(text, new CsvReader(format, { column, ...options })))
    yield rows.map(([cell = '']) => cell);
}

async function* readPieces(text: AsyncIterable<string>, reader: CsvReader): AsyncGenerator<string[][]> {
  for await (const piece of text) {
    const rows = reader.push(piece);
    if (rows.length > 0) yield rows;
  }
  const rows = reader.finish();
  if (rows.length > 0) yield rows;
}
