import type { FileEncoding } from '../../platform/csv/file-encoding.ts';
import { openWorkbook, type Workbook, zipSignature } from '../../platform/xlsx/workbook.ts';
import { RefusedFile } from './refused-file.ts';

export interface IncomingFile {
  readonly name: string;
  readonly bytes: AsyncIterable<Buffer>;
  /** The most bytes that may come, where the request says. */
  readonly bytesAtMost?: number;
  /** Where it need not be detected. */
  readonly encoding?: FileEncoding;
  /** The sheet of a workbook that the customer chose. */
  readonly sheet?: string | undefined;
  /** Aborts when the client is gone. A workbook is read after the whole of it has arrived, so nothing else would tell. */
  readonly signal?: AbortSignal;
}

/** The sheet of a workbook that is read, and those that the customer can choose from. */
export interface SheetChoice {
  readonly sheet: string;
  readonly sheets: readonly string[];
}

/** The text of a file. A workbook has become the CSV of one sheet. */
export interface OpenedFile extends Omit<IncomingFile, 'sheet' | 'signal'> {
  readonly workbook?: SheetChoice;
  close(): void;
}

const sampleLength = 1 << 18;
/** A workbook is searched this far for a sheet that can be used. */
const sheetsTriedMax = 20;
/** About 2 MB of a sheet. One may hold any number of rows without a value. */
const samplePiecesMax = 256;

/** Looks at the first bytes of a file, not at its name: a workbook becomes text, anything else stays as it is. */
export async function openIncoming(
  { sheet, signal, ...file }: IncomingFile,
  { bytesMax }: { readonly bytesMax: number },
  isUsable: (sample: string) => Promise<boolean>,
): Promise<OpenedFile> {
  const { start, bytes } = await takeStart(file.bytes);
  if (!start.subarray(0, zipSignature.length).equals(zipSignature))
    return { ...file, bytes, close: () => undefined };

  const opened = await openWorkbook(withinLimit(bytes, bytesMax));
  const workbook: Workbook = {
    sheets: opened.sheets,
    readSheet: (name) => untilAborted(opened.readSheet(name), signal),
    close: () => opened.close(),
  };
  try {
    const chosen = sheet === undefined ? await findSheet(workbook, isUsable) : requireSheet(workbook, sheet);
    return {
      name: file.name,
      bytes: encoded(workbook.readSheet(chosen)),
      encoding: 'utf-8',
      workbook: { sheet: chosen, sheets: workbook.sheets },
      close: () => workbook.close(),
    };
  } catch (error) {
    workbook.close();
    throw error;
  }
}

function requireSheet({ sheets }: Workbook, name: string): string {
  if (!sheets.includes(name)) throw new RefusedFile({ problem: 'file_sheet_not_found', sheets });
  return name;
}

/** The first sheet that can be used, or else the first, whose refusal says what is missing. */
async function findSheet(
  workbook: Workbook,
  isUsable: (sample: string) => Promise<boolean>,
): Promise<string> {
  const { sheets } = workbook;
  if (sheets.length > 1) {
    for (const sheet of sheets.slice(0, sheetsTriedMax)) {
      if (await isUsable(await sampleOf(workbook.readSheet(sheet)))) return sheet;
    }
  }
  return sheets[0] as string;
}

async function sampleOf(text: AsyncGenerator<string>): Promise<string> {
  let sample = '';
  let pieceCount = 0;
  for await (const piece of text) {
    sample += piece;
    pieceCount += 1;
    if (sample.length >= sampleLength || pieceCount === samplePiecesMax) break;
  }
  return sample.slice(0, sampleLength);
}

async function takeStart(
  bytes: AsyncIterable<Buffer>,
): Promise<{ start: Buffer; bytes: AsyncGenerator<Buffer> }> {
  const chunks = bytes[Symbol.asyncIterator]();
  let start: Buffer = Buffer.alloc(0);
  while (start.length < zipSignature.length) {
    const { value, done } = await chunks.next();
    if (done) break;
    start = start.length === 0 ? value : Buffer.concat([start, value]);
  }
  const all = async function* () {
    try {
      if (start.length > 0) yield start;
      for (;;) {
        const { value, done } = await chunks.next();
        if (done) return;
        yield value;
      }
    } finally {
      await chunks.return?.();
    }
  };
  return { start, bytes: all() };
}

async function* withinLimit(bytes: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<Buffer> {
  let byteCount = 0;
  for await (const chunk of bytes) {
    byteCount += chunk.length;
    if (byteCount > bytesMax) throw new RefusedFile({ problem: 'file_too_large', bytesMax });
    yield chunk;
  }
}

async function* untilAborted(
  text: AsyncGenerator<string>,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  for await (const piece of text) {
    signal?.throwIfAborted();
    yield piece;
  }
}

async function* encoded(text: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const piece of text) if (piece !== '') yield Buffer.from(piece);
}
