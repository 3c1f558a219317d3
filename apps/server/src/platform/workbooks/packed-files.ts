import { buffer } from 'node:stream/consumers';
import { EncodingProbe, type FileEncoding } from '../csv/file-encoding.ts';
import { decodeText } from '../csv/read-rows.ts';
import { type Archive, openArchive } from './archive.ts';
import { BadWorkbook, brokenWorkbook } from './bad-workbook.ts';
import type { Sheet, Workbook } from './workbook.ts';

/** A workbook inside of a zip file is read from memory. */
const workbookBytesMax = 32 * 1024 * 1024;
const textBytesMax = 1024 * 1024 * 1024;

const isText = (name: string): boolean => /\.(csv|tsv|txt)$/i.test(name);
const isWorkbook = (name: string): boolean => /\.(xlsx|ods)$/i.test(name);
/** Folders of macOS have a hidden twin of each file. */
const isHidden = (name: string): boolean => /(^|\/)(\.|__MACOSX\/)/.test(name);

/** The files of a zip file that may hold a table. */
export const listFilesOf = ({ names }: Archive): readonly string[] =>
  names.filter((name) => !isHidden(name) && (isText(name) || isWorkbook(name)));

/** Each file of a zip file is a sheet, and so is each sheet of a workbook with several. */
export async function openPackedFiles(
  archive: Archive,
  files: readonly string[],
  openOne: (archive: Archive) => Promise<Workbook | undefined>,
): Promise<Workbook> {
  const sheets = new Map<string, Sheet>();
  const openInner = async (file: string): Promise<Workbook> => {
    const bytes = await whole(await archive.read(file, workbookBytesMax));
    const workbook = await openOne(await openArchive(bytes));
    if (!workbook) throw brokenWorkbook();
    return workbook;
  };
  // Opened again when it is read, so that memory holds one workbook at a time.
  const readInner = async function* (file: string, name: string): AsyncGenerator<string> {
    yield* ((await openInner(file)).sheets.get(name) as Sheet).read();
  };
  for (const file of files) {
    if (isText(file)) sheets.set(file, { read: () => readTextFile(archive, file), isText: true });
    else {
      const names = await openInner(file).then((inner) => [...inner.sheets.keys()], onlyWhenRead);
      for (const name of names)
        sheets.set(names.length === 1 ? file : `${file}: ${name}`, {
          read: () => readInner(file, name),
          isText: false,
        });
    }
  }
  return { format: 'zip', sheets };
}

/** One bad workbook does not spoil the others. A customer who chooses it hears what is wrong. */
function onlyWhenRead(error: unknown): [string] {
  if (error instanceof BadWorkbook) return [''];
  throw error;
}

const whole = (bytes: Awaited<ReturnType<Archive['read']>>): Promise<Buffer> =>
  buffer(bytes).catch((error) => {
    throw brokenWorkbook(error);
  });

/** Read twice, because only its end shows how a text is encoded. */
async function* readTextFile(archive: Archive, file: string): AsyncGenerator<string> {
  try {
    const encoding = await probe(await archive.read(file, textBytesMax));
    yield* decodeText(await archive.read(file, textBytesMax), encoding);
  } catch (error) {
    throw error instanceof BadWorkbook ? error : brokenWorkbook(error);
  }
}

async function probe(bytes: AsyncIterable<Buffer>): Promise<FileEncoding> {
  const encodingProbe = new EncodingProbe();
  for await (const chunk of bytes) encodingProbe.push(chunk);
  const found = encodingProbe.finish();
  if (found.kind === 'text') return found.encoding;
  throw new BadWorkbook({ kind: 'other', looksLike: found.looksLike });
}
