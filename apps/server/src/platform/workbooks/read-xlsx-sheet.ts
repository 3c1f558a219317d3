import type { Readable } from 'node:stream';
import { brokenWorkbook } from './bad-workbook.ts';
import { type CellLooks, type DateSystem, formatNumber } from './number-formats.ts';
import { readXml } from './read-xml.ts';
import { joinText, RichText, unescapeText } from './rich-text.ts';
import type { SharedStrings } from './shared-strings.ts';
import { columnsMax, type SheetText } from './sheet-text.ts';

export interface SheetParts {
  readonly strings: SharedStrings | undefined;
  readonly looks: CellLooks;
  readonly dates: DateSystem;
}

/** Cells with formulas have the value that the workbook saved for them. Yields often, also without text. */
export async function* readXlsxSheet(
  xml: Readable,
  parts: SheetParts,
  text: SheetText,
): AsyncGenerator<string> {
  for await (const _ of readXml(xml, new SheetReader(parts, text))) yield text.take();
}

class SheetReader {
  readonly #parts: SheetParts;
  readonly #sheet: SheetText;
  /** The column of the cell that is being read. */
  #column = -1;
  #type = '';
  #style = -1;
  #value = '';
  #isValue = false;
  readonly #inline = new RichText();

  constructor(parts: SheetParts, sheet: SheetText) {
    this.#parts = parts;
    this.#sheet = sheet;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'c') this.#openCell(attributes);
    else if (name === 'v') this.#isValue = true;
    else if (name === 'row') this.#openRow();
    else this.#inline.open(name);
  }

  close(name: string): void {
    if (name === 'c') this.#sheet.addCell(this.#column, this.#shown());
    else if (name === 'v') this.#isValue = false;
    else if (name === 'row') this.#sheet.closeRow();
    else this.#inline.close(name);
  }

  text(text: string): void {
    if (this.#isValue) this.#value = joinText(this.#value, text);
    else this.#inline.add(text);
  }

  #openRow(): void {
    this.#sheet.openRow();
    this.#column = -1;
  }

  #openCell({ r: reference, t: type = 'n', s: style }: Readonly<Record<string, string>>): void {
    const column = reference === undefined ? this.#column + 1 : columnOf(reference);
    if (column <= this.#column || column >= columnsMax) throw brokenWorkbook();
    this.#column = column;
    this.#type = type;
    this.#style = style === undefined ? -1 : Number(style);
    this.#value = '';
    this.#inline.reset();
  }

  #shown(): string {
    switch (this.#type) {
      case 's':
        return this.#parts.strings?.get(Number(this.#value)) ?? '';
      case 'inlineStr':
        return this.#inline.value;
      case 'b':
        return this.#value.trim() === '1' ? 'TRUE' : 'FALSE';
      case 'n':
        return formatNumber(this.#value, this.#parts.looks[this.#style], this.#parts.dates);
      default:
        return unescapeText(this.#value);
    }
  }
}

/** The column of a reference such as `BC12`, from 0. */
function columnOf(reference: string): number {
  let column = 0;
  for (let at = 0; at < reference.length && at < 4; at++) {
    const letter = reference.charCodeAt(at) - 0x40;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  return column - 1;
}
