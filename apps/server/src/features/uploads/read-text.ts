import type { FileEncoding } from '../../platform/csv/file-encoding.ts';
import { decodeText } from '../../platform/csv/read-rows.ts';
import type { JobFile } from '../../platform/reading/index.ts';
import { openWorkbook, type Workbook } from '../../platform/xlsx/workbook.ts';
import { withinLimit } from './incoming-file.ts';
import { RefusedFile, refuseFile } from './refused-file.ts';

/** Where the text of a file is: the file itself, or a sheet of an open workbook. */
export type TextSource =
  | { readonly kind: 'text'; readonly encoding: FileEncoding }
  | {
      readonly kind: 'workbook';
      readonly fd: number;
      /** The sheet that the customer chose. */
      readonly sheet: string | undefined;
      readonly bytesMax: number;
    };

/** The sheet of a workbook that is read, and those that the customer can choose from. */
export interface SheetChoice {
  readonly sheet: string;
  readonly sheets: readonly string[];
}

interface TextUse<Result> {
  /** Whether the start of a sheet shows a table of this kind. */
  readonly isUsable: (sample: string) => Promise<boolean>;
  /** Reads the text to its end. */
  readonly use: (text: AsyncGenerator<string>, workbook: SheetChoice | undefined) => Promise<Result>;
}

/**
 * Reads the text of a file in a job. A workbook becomes the CSV of one sheet, which is written as the job's output, so that
 * everything after that knows only CSV.
 */
export async function readText<Result>(
  file: JobFile,
  source: TextSource,
  { isUsable, use }: TextUse<Result>,
): Promise<Result> {
  try {
    if (source.kind === 'text') return await use(decodeText(file.bytes, source.encoding), undefined);
    const workbook = await openWorkbook(source.fd);
    const sheet =
      source.sheet === undefined ? await findSheet(workbook, isUsable) : requireSheet(workbook, source.sheet);
    const csv = written(withinLimit(encoded(workbook.readSheet(sheet)), source.bytesMax), file);
    return await use(decodeText(csv, 'utf-8'), { sheet, sheets: workbook.sheets });
  } catch (error) {
    refuseFile(error);
  }
}

const sampleLength = 1 << 18;
/** A workbook is searched this far for a sheet that can be used. */
const sheetsTriedMax = 20;
/** About 2 MB of a sheet. One may hold any number of rows without a value. */
const samplePiecesMax = 256;

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

async function* encoded(text: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const piece of text) if (piece !== '') yield Buffer.from(piece);
}

async function* written(bytes: AsyncIterable<Buffer>, { write }: JobFile): AsyncGenerator<Buffer> {
  for await (const piece of bytes) {
    await write(piece);
    yield piece;
  }
}
