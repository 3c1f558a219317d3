import { StringDecoder } from 'node:string_decoder';
import Papa from 'papaparse';
import type { CsvFormat } from './csv-format.ts';
import type { FileEncoding } from './file-encoding.ts';

/** A row longer than this is a quote that was opened and never closed. */
const rowLengthMax = 1_000_000;

/** Thrown by `readRows` where the quoting is broken, with the number of the row that it happened in. */
export class BrokenQuoting extends Error {
  readonly row: number;
  constructor(row: number) {
    super(`The quoting is broken in row ${row}.`);
    this.row = row;
  }
}

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

const isBlank = (row: string[]): boolean => row.length === 1 && row[0] === '';

// PostgreSQL's text holds no NUL. A file whose byte-order mark makes it text may still contain some.
const withoutNul = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '') : text);

const normaliseBreaks = (text: string): string => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);

/**
 * The rows of a file, a batch for each piece of text; blank lines are left out. Holds one piece and the row that it
 * was cut in, never the file.
 */
export async function* readRows(text: AsyncIterable<string>, format: CsvFormat): AsyncGenerator<string[][]> {
  const parser = new PieceParser(format);
  for await (const piece of text) {
    if (piece === '') continue;
    const rows = parser.parse(parser.rest + piece);
    if (rows.length > 0) yield rows;
  }
  const rows = parser.finish();
  if (rows.length > 0) yield rows;
}

/** Parses a text piece by piece. */
export class PieceParser {
  readonly #parser: Papa.Parser;
  #rest = '';
  #rowsRead = 0;

  constructor({ delimiter, quote }: CsvFormat) {
    this.#parser = new Papa.Parser({ delimiter, quoteChar: quote, newline: '\n' });
  }

  /** The row that the last piece was cut in, which goes before the next piece. */
  get rest(): string {
    return this.#rest;
  }

  /** The whole rows of a text, without the blank ones. */
  parse(input: string): string[][] {
    return this.#parse(input, false);
  }

  /** The row that waited, when nothing comes any more. */
  finish(): string[][] {
    return this.#rest === '' ? [] : this.#parse(this.#rest, true);
  }

  /** Takes note of rows that somebody else has read, and of what they left. */
  skip(rowCount: number, rest: string): void {
    this.#rowsRead += rowCount;
    this.#rest = rest;
    if (rest.length > rowLengthMax) throw new BrokenQuoting(this.#rowsRead + 1);
  }

  #parse(input: string, isLast: boolean): string[][] {
    const { data, errors, meta } = this.#parser.parse(input, 0, !isLast) as Papa.ParseResult<string[]>;
    const broken = errors.find((error) => error.type === 'Quotes');
    if (broken) throw new BrokenQuoting(this.#rowsRead + (broken.row ?? 0) + 1);
    this.skip(data.length, isLast ? '' : input.slice(meta.cursor));
    return data.some(isBlank) ? data.filter((row) => !isBlank(row)) : data;
  }
}
