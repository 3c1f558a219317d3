import { type Archive, openArchive } from './archive.ts';
import { BadWorkbook, brokenWorkbook } from './bad-workbook.ts';
import { isOpenDocument, openOds } from './ods.ts';
import { listFilesOf, openPackedFiles } from './packed-files.ts';
import type { Workbook } from './workbook.ts';
import { isOfficeDocument, openXlsx } from './xlsx.ts';

/** A customer chooses one of them. */
const sheetsMax = 255;
/** Each workbook among them is unpacked to learn its sheets. */
const filesMax = 100;
/** Longer names cannot be chosen. Excel allows 31 characters, most file systems 255. */
const sheetNameLengthMax = 255;

/** Opens an `.xlsx` or `.ods` file or a zip file with such files, which its owner closes. See docs/decisions/workbooks-own-readers.md. */
export async function openWorkbook(fd: number): Promise<Workbook> {
  const archive = await openArchive(fd);
  const workbook = (await openOne(archive)) ?? (await openSeveral(archive));
  const sheets = [...workbook.sheets].filter(([name]) => name.length <= sheetNameLengthMax);
  if (sheets.length === 0) throw brokenWorkbook();
  return { ...workbook, sheets: new Map(sheets.slice(0, sheetsMax)) };
}

const openOne = async (archive: Archive): Promise<Workbook | undefined> => {
  if (isOfficeDocument(archive)) return openXlsx(archive);
  return isOpenDocument(archive) ? openOds(archive) : undefined;
};

/** A zip file inside of a zip file is not opened. */
async function openSeveral(archive: Archive): Promise<Workbook> {
  const files = listFilesOf(archive);
  if (files.length === 0)
    throw new BadWorkbook({ kind: 'other', looksLike: 'a zip file without a CSV, .xlsx or .ods file in it' });
  if (files.length > filesMax) throw new BadWorkbook({ kind: 'too_large' });
  return openPackedFiles(archive, files, openOne);
}
