import type { Readable } from 'node:stream';
import { formatCell } from '../csv/write-rows.ts';
import { BadWorkbook, brokenWorkbook } from './bad-workbook.ts';
import { type CellLooks, type DateSystem, formatNumber } from './number-formats.ts';
import { readXml } from './read-xml.ts';
import { joinText, RichText, unescapeText } from './rich-text.ts';
import type { SharedStrings } from './shared-strings.ts';

/** Excel's own limit. */
const columnsMax = 16_384;
const delimiter = ',';
/** The reader of CSV takes no longer row. */
const rowLengthMax = 1_000_000;

export interface SheetParts {
  readonly strings: SharedStrings | undefined;
  readonly looks: CellLooks;
  readonly dates: DateSystem;
  /** A sheet with more text is refused. */
  readonly textLengthMax: number;
}

/**
 * A sheet as the text of a CSV file: a line for each row that has a value, with empty cells where the row has gaps. Cells
 * with formulas have the value that the workbook saved for them. Yields often, also without text.
 */
export async function* readSheet(xml: Readable, parts: SheetParts): AsyncGenerator<string> {
  const table = new SheetText(parts);
  for await (const _ of readXml(xml, table)) yield table.take();
}

class SheetText {
  readonly #parts: SheetParts;
  #text = '';
  #textLength = 0;
  #line = '';
  #columnsWritten = 0;
  #hasValue = false;
  /** The column of the cell that is being read. */
  #column = -1;
  #type = '';
  #style = -1;
  #value = '';
  #isValue = false;
  readonly #inline = new RichText();

  constructor(parts: SheetParts) {
    this.#parts = parts;
  }

  take(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'c') this.#openCell(attributes);
    else if (name === 'v') this.#isValue = true;
    else if (name === 'row') this.#openRow();
    else this.#inline.open(name);
  }

  close(name: string): void {
    if (name === 'c') this.#closeCell();
    else if (name === 'v') this.#isValue = false;
    else if (name === 'row') this.#closeRow();
    else this.#inline.close(name);
  }

  text(text: string): void {
    if (this.#isValue) this.#value = joinText(this.#value, text);
    else this.#inline.add(text);
  }

  #openRow(): void {
    this.#line = '';
    this.#columnsWritten = 0;
    this.#hasValue = false;
    this.#column = -1;
  }

  #closeRow(): void {
    if (this.#hasValue) this.#text += `${this.#line}\n`;
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

  #closeCell(): void {
    const value = this.#shown();
    if (value === '') return;
    // A gap is written only in front of a value, so that rows of empty cells cost nothing.
    const text = delimiter.repeat(this.#column - this.#columnsWritten) + formatCell(value, delimiter);
    this.#line += text;
    this.#textLength += text.length;
    this.#columnsWritten = this.#column;
    if (this.#line.length >= rowLengthMax || this.#textLength > this.#parts.textLengthMax)
      throw new BadWorkbook({ kind: 'too_large' });
    this.#hasValue ||= value.trim() !== '';
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
