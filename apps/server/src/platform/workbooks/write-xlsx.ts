import type { RowPage } from '../csv/write-rows.ts';
import { fileWriting } from '../limits/loop-share.ts';
import { writeZip, type ZipPart } from '../zip/write-zip.ts';

/** The limits of spreadsheet programs. */
const sheetRowsMax = 1_048_576;
export const sheetColumnsMax = 16_384;
const cellLengthMax = 32_767;

const sheetHead =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>';
const sheetEnd = '</sheetData></worksheet>';
const pieceLength = 1 << 16;
/** Not every program reads the 64-bit sizes that a larger part of the archive would need. */
const sheetBytesMax = 3_500_000_000;

/**
 * A workbook of text cells, written while pages of rows arrive, so that its size does not matter. Every cell is text: nothing
 * in it is a formula. Rows beyond the limits of a sheet continue on another one, below the same first row.
 */
export async function* writeXlsx(
  pages: AsyncIterable<RowPage>,
  { hasHeader, rowsMax = sheetRowsMax }: { readonly hasHeader: boolean; readonly rowsMax?: number },
): AsyncGenerator<Buffer> {
  const source = pages[Symbol.asyncIterator]();
  try {
    yield* writeZip(partsOf(source, { hasHeader, rowsMax }));
  } finally {
    // Not awaited: a reader that goes away must not wait for rows that are on their way.
    source.return?.().catch(() => undefined);
  }
}

async function* partsOf(
  source: AsyncIterator<RowPage>,
  { hasHeader, rowsMax }: { readonly hasHeader: boolean; readonly rowsMax: number },
): AsyncGenerator<ZipPart> {
  const reader = new RowReader(source);
  const header = hasHeader && (await reader.hasMore()) ? reader.take() : undefined;
  let sheetCount = 0;
  do {
    sheetCount += 1;
    yield { name: `xl/worksheets/sheet${sheetCount}.xml`, contents: sheetPieces(reader, header, rowsMax) };
  } while (await reader.hasMore());
  for (const [name, contents] of workbookParts(sheetCount)) yield { name, contents };
}

/** Reads rows one by one, and knows whether another follows. */
class RowReader {
  readonly #pages: AsyncIterator<RowPage>;
  #rows: Iterator<readonly string[]> = [][Symbol.iterator]();
  #next: readonly string[] | undefined;

  constructor(pages: AsyncIterator<RowPage>) {
    this.#pages = pages;
  }

  /** Waits for the next page if this one is read. */
  async hasMore(): Promise<boolean> {
    while (this.#next === undefined && !this.#step()) {
      const { done, value: page } = await this.#pages.next();
      if (done) return false;
      this.#rows = page[Symbol.iterator]();
    }
    return true;
  }

  /** The next row of this page; undefined at its end. */
  take(): readonly string[] | undefined {
    if (this.#next === undefined) this.#step();
    const row = this.#next;
    this.#next = undefined;
    return row;
  }

  #step(): boolean {
    const { done, value } = this.#rows.next();
    this.#next = done ? undefined : value;
    return !done;
  }
}

async function* sheetPieces(
  reader: RowReader,
  header: readonly string[] | undefined,
  rowsMax: number,
): AsyncGenerator<Buffer> {
  let piece = sheetHead + (header ? rowXml(header) : '');
  let rowCount = header ? 1 : 0;
  let byteCount = 0;
  const fillPiece = () => {
    while (rowCount < rowsMax && piece.length < pieceLength) {
      const row = reader.take();
      if (!row) return;
      piece += rowXml(row);
      rowCount += 1;
    }
  };
  while (rowCount < rowsMax && byteCount < sheetBytesMax && (await reader.hasMore())) {
    await fileWriting.slice(fillPiece);
    if (piece.length < pieceLength) continue;
    const bytes = Buffer.from(piece);
    byteCount += bytes.length;
    piece = '';
    yield bytes;
  }
  yield Buffer.from(piece + sheetEnd);
}

const rowXml = (cells: readonly string[]): string =>
  `<row>${cells.slice(0, sheetColumnsMax).map(cellXml).join('')}</row>`;

const cellXml = (cell: string): string =>
  cell === '' ? '<c/>' : `<c t="inlineStr"><is><t xml:space="preserve">${xmlText(cell)}</t></is></c>`;

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
// Spreadsheets read `_x0041_` as an escape.
const looksEscaped = /_(?=x[0-9A-Fa-f]{4}_)/g;
const needsEscape = /[&<>]/g;
/** XML has no form for these, apart from tab and line breaks. */
const unfitForXml = /[\p{Cc}\ufffe\uffff]/gu;
const fitForXml = '\t\n\r';

const xmlText = (text: string): string =>
  text
    .slice(0, cellLengthMax)
    .toWellFormed()
    .replace(unfitForXml, (character) => (fitForXml.includes(character) ? character : '\ufffd'))
    .replace(looksEscaped, '_x005F_')
    .replace(needsEscape, (character) => escapes[character] as string);

const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const openXml = 'http://schemas.openxmlformats.org';
const relations = `${openXml}/officeDocument/2006/relationships`;
const mainType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

function workbookParts(sheetCount: number): [string, string][] {
  const numbers = Array.from({ length: sheetCount }, (_, index) => index + 1);
  const each = (part: (number: number) => string) => numbers.map(part).join('');
  return [
    [
      'xl/workbook.xml',
      `${xmlHead}<workbook xmlns="${openXml}/spreadsheetml/2006/main" xmlns:r="${relations}"><sheets>${each(
        (number) => `<sheet name="Sheet${number}" sheetId="${number}" r:id="rId${number}"/>`,
      )}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${xmlHead}<Relationships xmlns="${openXml}/package/2006/relationships">${each(
        (number) =>
          `<Relationship Id="rId${number}" Type="${relations}/worksheet" Target="worksheets/sheet${number}.xml"/>`,
      )}</Relationships>`,
    ],
    [
      '_rels/.rels',
      `${xmlHead}<Relationships xmlns="${openXml}/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      '[Content_Types].xml',
      `${xmlHead}<Types xmlns="${openXml}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${mainType}.sheet.main+xml"/>${each(
        (number) =>
          `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${mainType}.worksheet+xml"/>`,
      )}</Types>`,
    ],
  ];
}
