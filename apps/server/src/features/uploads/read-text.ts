import type { FileEncoding } from '../../platform/csv/file-encoding.ts';
import { decodeText } from '../../platform/csv/read-rows.ts';
import type { JobFile } from '../../platform/reading/index.ts';
import { BadWorkbook } from '../../platform/workbooks/bad-workbook.ts';
import { openWorkbook } from '../../platform/workbooks/open-workbook.ts';
import type { Sheet, Workbook } from '../../platform/workbooks/workbook.ts';
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

/** The sheet of a workbook, or the file of a zip file, that is read, and those that the customer can choose from. */
export interface SheetChoice {
  /** Those that were kept before there were others are `xlsx`. */
  readonly format?: Workbook['format'];
  readonly sheet: string;
  readonly sheets: readonly string[];
  /** Whether it is a text file, whose delimiter and quotes are not known. */
  readonly isText?: boolean;
}

/** What the API says of such a choice. */
export const sheetFields = ({ format = 'xlsx', sheet, sheets }: SheetChoice) => ({
  format,
  sheet,
  sheets: [...sheets],
});

interface TextUse<Result> {
  /** Whether the start of a sheet shows a table of this kind. */
  readonly isUsable: (sample: string, choice: SheetChoice) => Promise<boolean>;
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
    const chosen = source.sheet ?? (await findSheet(workbook, isUsable));
    const { sheet, choice } = requireSheet(workbook, chosen);
    const csv = written(withinLimit(encoded(sheet.read()), source.bytesMax), file);
    return await use(decodeText(csv, 'utf-8'), choice);
  } catch (error) {
    refuseFile(error);
  }
}

const sampleLength = 1 << 18;
/** A workbook is searched this far for a sheet that can be used. */
const sheetsTriedMax = 20;
/** About 2 MB of a sheet. One may hold any number of rows without a value. */
const samplePiecesMax = 256;

function requireSheet(
  { format, sheets }: Workbook,
  name: string,
): { readonly sheet: Sheet; readonly choice: SheetChoice } {
  const names = [...sheets.keys()];
  const sheet = sheets.get(name);
  if (!sheet) throw new RefusedFile({ problem: 'file_sheet_not_found', sheets: names });
  return { sheet, choice: { format, sheet: name, sheets: names, isText: sheet.isText } };
}

/** The first sheet that can be used, or else the first, whose refusal says what is missing. */
async function findSheet(workbook: Workbook, isUsable: TextUse<unknown>['isUsable']): Promise<string> {
  const [first = '', ...others] = workbook.sheets.keys();
  if (others.length > 0) {
    for (const name of [first, ...others].slice(0, sheetsTriedMax)) {
      const { sheet, choice } = requireSheet(workbook, name);
      const sample = await sampleOf(sheet.read()).catch(emptyIfBad);
      if (await isUsable(sample, choice)) return name;
    }
  }
  return first;
}

/** One of several files may be damaged. */
function emptyIfBad(error: unknown): string {
  if (error instanceof BadWorkbook) return '';
  throw error;
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
