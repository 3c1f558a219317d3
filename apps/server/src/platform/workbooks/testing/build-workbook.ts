import { buildZip } from './build-zip.ts';

/** A cell: text, a number, a flag, or a number with one of the formats below. */
export type SheetCell =
  | string
  | number
  | boolean
  | null
  | { readonly value: number; readonly format: keyof typeof formats }
  | { readonly formula: string; readonly value: string };

export interface SheetToBuild {
  readonly name: string;
  readonly rows: readonly (readonly SheetCell[])[];
  readonly isHidden?: boolean;
}

interface WorkbookOptions {
  /** Texts in the cells themselves, as some programs write them, or in the shared table, as Excel does. */
  readonly texts?: 'inline' | 'shared';
  readonly isFrom1904?: boolean;
}

const formats = { date: 14, dateTime: 22, percent: 9, twoDecimals: 2, ownDate: 164 } as const;
const styles = Object.values(formats);
const styleOf = (format: keyof typeof formats): number => Object.keys(formats).indexOf(format) + 1;

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const relationTypes = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';

/** A workbook as Excel writes it. */
export function buildWorkbook(sheets: readonly SheetToBuild[], options: WorkbookOptions = {}): Buffer {
  return buildZip(workbookParts(sheets, options));
}

/** The parts of such a workbook, for tests that change some. */
export function workbookParts(
  sheets: readonly SheetToBuild[],
  { texts = 'shared', isFrom1904 = false }: WorkbookOptions = {},
): { name: string; bytes: string }[] {
  const shared: string[] | null = texts === 'shared' ? [] : null;
  const sheetParts = sheets.map(({ rows }, index) => ({
    name: `xl/worksheets/sheet${index + 1}.xml`,
    bytes: sheetXml(rows, shared),
  }));
  const sheetTags = sheets.map(
    ({ name, isHidden }, index) =>
      `<sheet name="${escapeXml(name)}" sheetId="${index + 1}"${isHidden ? ' state="hidden"' : ''} r:id="rId${index + 1}"/>`,
  );
  const relations = [
    ...sheets.map((_, index) => relation(`rId${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`)),
    relation('rIdStyles', 'styles', 'styles.xml'),
    relation('rIdStrings', 'sharedStrings', 'sharedStrings.xml'),
  ];
  return [
    { name: '[Content_Types].xml', bytes: `${declaration}<Types/>` },
    { name: '_rels/.rels', bytes: relationsXml([relation('rId1', 'officeDocument', 'xl/workbook.xml')]) },
    {
      name: 'xl/workbook.xml',
      bytes: `${declaration}<workbook ${main} xmlns:r="${relationTypes}"><workbookPr date1904="${Number(isFrom1904)}"/><sheets>${sheetTags.join('')}</sheets></workbook>`,
    },
    { name: 'xl/_rels/workbook.xml.rels', bytes: relationsXml(relations) },
    ...sheetParts,
    {
      name: 'xl/styles.xml',
      bytes: `${declaration}<styleSheet ${main}><numFmts><numFmt numFmtId="164" formatCode="[$-407]dd\\.mm\\.yyyy;@"/></numFmts><cellXfs><xf numFmtId="0"/>${styles.map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs></styleSheet>`,
    },
    {
      name: 'xl/sharedStrings.xml',
      bytes: `${declaration}<sst ${main}>${(shared ?? []).map((text) => `<si><t xml:space="preserve">${escapeXml(text)}</t></si>`).join('')}</sst>`,
    },
  ];
}

function sheetXml(rows: SheetToBuild['rows'], shared: string[] | null): string {
  const indexes = new Map<string, number>();
  const lines = rows.map((cells, row) => {
    const tags = cells.map((cell, column) =>
      cellXml(cell, `${columnName(column)}${row + 1}`, shared, indexes),
    );
    return `<row r="${row + 1}">${tags.join('')}</row>`;
  });
  return `${declaration}<worksheet ${main}><sheetData>${lines.join('')}</sheetData></worksheet>`;
}

function cellXml(cell: SheetCell, at: string, shared: string[] | null, indexes: Map<string, number>): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c r="${at}" t="b"><v>${Number(cell)}</v></c>`;
  if (typeof cell === 'object') {
    return 'formula' in cell
      ? `<c r="${at}" t="str"><f>${escapeXml(cell.formula)}</f><v>${escapeXml(cell.value)}</v></c>`
      : `<c r="${at}" s="${styleOf(cell.format)}"><v>${cell.value}</v></c>`;
  }
  if (shared === null) return `<c r="${at}" t="inlineStr"><is><t>${escapeXml(cell)}</t></is></c>`;
  const index = indexes.get(cell) ?? shared.push(cell) - 1;
  indexes.set(cell, index);
  return `<c r="${at}" t="s"><v>${index}</v></c>`;
}

function columnName(column: number): string {
  const letter = String.fromCharCode(0x41 + (column % 26));
  return column < 26 ? letter : columnName(Math.floor(column / 26) - 1) + letter;
}

const relation = (id: string, type: string, target: string): string =>
  `<Relationship Id="${id}" Type="${relationTypes}/${type}" Target="${target}"/>`;

const relationsXml = (relations: readonly string[]): string =>
  `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations.join('')}</Relationships>`;

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
