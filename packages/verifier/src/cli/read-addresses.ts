import { UsageError } from './io.ts';

/** What is known of how far the input has been read. */
export interface ReadingProgress {
  bytes: number;
}

/**
 * The addresses of a text, one on a line or in a column of a CSV, whichever it is. Reads on only as the addresses are
 * taken.
 */
export async function* readAddresses(
  chunks: AsyncIterable<string | Buffer>,
  progress: ReadingProgress,
): AsyncGenerator<string[]> {
  const texts = decoded(chunks, progress);
  const first = await firstText(texts);
  const all = prepended(first, texts);
  if (looksLikeCsv(first)) yield* readCsv(all);
  else yield* readLines(all);
}

async function* decoded(
  chunks: AsyncIterable<string | Buffer>,
  progress: ReadingProgress,
): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for await (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    progress.bytes += bytes.length;
    // A spreadsheet's "Unicode text" is UTF-16 with a byte-order mark; everything else is taken as UTF-8.
    decoder ??= new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8');
    yield decoder.decode(bytes, { stream: true });
  }
  yield decoder?.decode() ?? '';
}

const sniffCharacters = 4_096;

async function firstText(texts: AsyncGenerator<string>): Promise<string> {
  let text = '';
  while (text.length < sniffCharacters) {
    const { value, done } = await texts.next();
    if (done) break;
    text += value;
  }
  return text;
}

async function* prepended(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

/** A delimiter outside quotes in the first lines. Addresses themselves hold none, except inside quotes. */
function looksLikeCsv(text: string): boolean {
  const lines = text
    .slice(0, sniffCharacters)
    .split(/\r?\n/, 20)
    .filter((line) => line.trim() !== '');
  return lines.some((line) => /[,;\t]/.test(line.replace(/"(?:[^"]|"")*"/g, '').trim()));
}

const header = /^"?(?:e-?mail|mail|e-?mail[ _-]?address|address|adresse|correo|courriel)"?$/i;

async function* readLines(texts: AsyncGenerator<string>): AsyncGenerator<string[]> {
  let rest = '';
  let isFirst = true;
  for await (const text of texts) {
    const whole = rest + text;
    const lines = linesOf(whole);
    rest = lines.pop() ?? '';
    const addresses = needsTidying.test(whole) ? lines.map(unquoted).filter((line) => line !== '') : lines;
    if (isFirst && addresses.length > 0) {
      isFirst = false;
      if (header.test(addresses[0] as string)) addresses.shift();
    }
    if (addresses.length > 0) yield addresses;
  }
  const last = unquoted(rest);
  if (last !== '') yield [last];
}

// Blank lines, space, quotes and old line ends; most lists have none of them and are taken as they are.
const needsTidying = /[^\S\n]|"|^\n|\n\n/;

const linesOf = (text: string): string[] =>
  text.includes('\r') ? text.split(/\r\n|\n|\r(?!$)/) : text.split('\n');

/** A CSV of one column may quote its cells. */
function unquoted(line: string): string {
  const trimmed = line.trim();
  return /^"[^"@]*@[^"]*"$/.test(trimmed) ? trimmed.slice(1, -1) : trimmed;
}

async function* readCsv(texts: AsyncGenerator<string>): AsyncGenerator<string[]> {
  const [{ default: Papa }, { pipeline, Readable }] = await Promise.all([
    import('papaparse'),
    import('node:stream'),
  ]);
  const source = Readable.from(texts, { objectMode: false, encoding: 'utf8' });
  // An error of the source fails the reader of the rows.
  const rows = pipeline(
    source,
    Papa.parse(Papa.NODE_STREAM_INPUT, { skipEmptyLines: true }),
    () => undefined,
  );
  let column: number | undefined;
  let batch: string[] = [];
  let rowCount = 0;
  for await (const row of rows as AsyncIterable<string[]>) {
    rowCount += 1;
    if (column === undefined) {
      column = emailColumn(row);
      if (column === undefined && rowCount > 1)
        throw new UsageError('no column of the CSV holds mail addresses');
      if (column === undefined || !row[column]?.includes('@')) continue;
    }
    const cell = row[column]?.trim() ?? '';
    if (cell !== '') batch.push(cell);
    if (batch.length >= 500) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

/** Where the addresses are: the first cell with an @, or the header that says so. */
function emailColumn(row: string[]): number | undefined {
  const withAt = row.findIndex((cell) => cell.includes('@'));
  const named = withAt >= 0 ? withAt : row.findIndex((cell) => header.test(cell.trim()));
  const likely = named >= 0 ? named : row.findIndex((cell) => /e-?mail/i.test(cell));
  return likely >= 0 ? likely : undefined;
}
