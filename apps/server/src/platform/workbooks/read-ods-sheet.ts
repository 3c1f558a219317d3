import type { Readable } from 'node:stream';
import { brokenWorkbook } from './bad-workbook.ts';
import { attributeOf, readXml, type XmlEvents } from './read-xml.ts';
import { joinText } from './rich-text.ts';
import { columnsMax, type SheetText } from './sheet-text.ts';

/** LibreOffice's own limit is 1,048,576. */
const rowsRepeatedMax = 10_000_000;
/** More than anybody types. */
const spacesMax = 1_000;

/** The table with this number of a spreadsheet. Cells hold what people see, and dates in ISO 8601. Yields often, also without text. */
export async function* readOdsSheet(xml: Readable, table: number, text: SheetText): AsyncGenerator<string> {
  const reader = new TableReader(table, text);
  for await (const _ of readXml(xml, reader)) {
    yield text.take();
    if (reader.isRead) return;
  }
}

type Attributes = Readonly<Record<string, string>>;

class TableReader implements XmlEvents {
  isRead = false;
  readonly #table: number;
  readonly #sheet: SheetText;
  /** How many tables have begun, and how many are open: a cell may hold a table of its own. */
  #tableCount = 0;
  #tableDepth = 0;
  #rowCount = 1;
  #column = 0;
  #cellCount = 1;
  /** How many tags are open inside of the cell; below 0 outside of cells. */
  #depth = -1;
  #paragraphCount = 0;
  #isParagraph = false;
  #shown = '';
  #value = '';
  #isDate = false;

  constructor(table: number, sheet: SheetText) {
    this.#table = table;
    this.#sheet = sheet;
  }

  open(name: string, attributes: Attributes): void {
    if (this.#depth >= 0) this.#openInCell(name, attributes);
    else if (name === 'table') this.#openTable();
    else if (!this.#isWanted) return;
    else if (name === 'table-row') this.#openRow(attributes);
    else if (name === 'table-cell' || name === 'covered-table-cell') this.#openCell(attributes);
  }

  close(name: string): void {
    if (this.#depth > 0) this.#closeInCell();
    else if (this.#depth === 0) this.#closeCell();
    else if (name === 'table') this.#closeTable();
    else if (name === 'table-row' && this.#isWanted) this.#sheet.closeRow(this.#rowCount);
  }

  text(text: string): void {
    if (this.#isParagraph) this.#shown = joinText(this.#shown, text);
  }

  get #isWanted(): boolean {
    return this.#tableDepth === 1 && this.#tableCount === this.#table + 1;
  }

  #openTable(): void {
    if (this.#tableDepth === 0) this.#tableCount += 1;
    this.#tableDepth += 1;
  }

  #closeTable(): void {
    this.isRead ||= this.#isWanted;
    this.#tableDepth -= 1;
  }

  #openRow(attributes: Attributes): void {
    this.#sheet.openRow();
    this.#rowCount = countOf(attributes, 'number-rows-repeated', rowsRepeatedMax);
    this.#column = 0;
  }

  #openCell(attributes: Attributes): void {
    this.#cellCount = countOf(attributes, 'number-columns-repeated', columnsMax);
    this.#isDate = attributeOf(attributes, 'value-type') === 'date';
    this.#value =
      attributeOf(attributes, this.#isDate ? 'date-value' : 'value') ??
      attributeOf(attributes, 'string-value') ??
      '';
    this.#shown = '';
    this.#paragraphCount = 0;
    this.#depth = 0;
  }

  #closeCell(): void {
    this.#depth = -1;
    const dateOrShown = this.#isDate ? this.#value.replace('T', ' ') : this.#shown;
    const text = dateOrShown === '' ? joinText('', this.#value) : dateOrShown;
    if (text !== '' && this.#column + this.#cellCount > columnsMax) throw brokenWorkbook();
    this.#sheet.addCell(this.#column, text, this.#cellCount);
    this.#column += this.#cellCount;
  }

  /** Only its own paragraphs are what a cell shows. Those of comments and pictures are deeper. */
  #openInCell(name: string, attributes: Attributes): void {
    if (this.#depth === 0 && name === 'p') {
      if (this.#paragraphCount > 0) this.#shown = joinText(this.#shown, '\n');
      this.#paragraphCount += 1;
      this.#isParagraph = true;
    } else if (this.#isParagraph) this.#addSpace(name, attributes);
    this.#depth += 1;
  }

  #closeInCell(): void {
    this.#depth -= 1;
    if (this.#depth === 0) this.#isParagraph = false;
  }

  /** XML joins several spaces, so the document has tags for them. */
  #addSpace(name: string, attributes: Attributes): void {
    if (name === 's') this.#shown = joinText(this.#shown, ' '.repeat(countOf(attributes, 'c', spacesMax)));
    else if (name === 'tab') this.#shown = joinText(this.#shown, '\t');
    else if (name === 'line-break') this.#shown = joinText(this.#shown, '\n');
  }
}

/** How often something is repeated: 1 where the attribute is missing. */
function countOf(attributes: Attributes, name: string, max: number): number {
  const count = Number(attributeOf(attributes, name) ?? 1);
  if (!Number.isSafeInteger(count) || count < 1 || count > max) throw brokenWorkbook();
  return count;
}
