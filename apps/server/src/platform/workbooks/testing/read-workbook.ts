import { writeNamelessFile } from '../../files/nameless-file.ts';
import { BadWorkbook } from '../bad-workbook.ts';
import { openWorkbook } from '../open-workbook.ts';
import type { Sheet, Workbook } from '../workbook.ts';

async function* inPieces(bytes: Buffer, length = 1_000): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
}

/** Opens a workbook for a while. */
export async function using<Result>(
  bytes: Buffer,
  use: (workbook: Workbook) => Promise<Result>,
): Promise<Result> {
  const file = await writeNamelessFile(inPieces(bytes));
  try {
    return await use(await openWorkbook(file.fd));
  } finally {
    await file.close();
  }
}

export const firstSheet = ({ sheets }: Workbook): Sheet => [...sheets.values()][0] as Sheet;

/** The text of a sheet, or of the first. */
export const readAll = (bytes: Buffer, sheet?: string): Promise<string> =>
  using(bytes, async (workbook) => {
    const { read } = sheet === undefined ? firstSheet(workbook) : (workbook.sheets.get(sheet) as Sheet);
    return (await Array.fromAsync(read())).join('');
  });

export const sheetsOf = (bytes: Buffer): Promise<string[]> =>
  using(bytes, async ({ sheets }) => [...sheets.keys()]);

/** The problem that a workbook is refused for. */
export const problemOf = (bytes: Buffer, sheet?: string): Promise<unknown> =>
  readAll(bytes, sheet).then(
    () => 'read',
    (error) => (error instanceof BadWorkbook ? error.problem : error),
  );
