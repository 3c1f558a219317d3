import { formatCell } from '../csv/write-rows.ts';
import { BadWorkbook } from './bad-workbook.ts';

const delimiter = ',';
/** The reader of CSV takes no longer row. */
const rowLengthMax = 1_000_000;
/** A sheet may have this much text, however short its workbook is. */
const smallTextLength = 4 * 1024 * 1024;
/** The text of real sheets is 1 to 30 times as long as their workbook. One shared text in all cells would make it thousands of times as long. */
const textPerPackedByteMax = 100;
/** The text that 8 kB of a sheet may become: more than a cell of 32,767 characters in each of its rows. */
const waitingLengthMax = 16 * 1024 * 1024;

/** Excel's own limit, and that of LibreOffice. */
export const columnsMax = 16_384;

/** The most characters that the sheet of a workbook may have. */
export const sheetTextLengthMax = (packedBytes: number): number =>
  Math.max(smallTextLength, packedBytes * textPerPackedByteMax);

/** A sheet as the text of a CSV file: a line for each row that has a value, with empty cells where the row has gaps. */
export class SheetText {
  readonly #lengthMax: number;
  #length = 0;
  #waiting = '';
  #line = '';
  #columnsWritten = 0;
  #hasValue = false;

  constructor(packedBytes: number) {
    this.#lengthMax = sheetTextLengthMax(packedBytes);
  }

  /** The lines since the last call. */
  take(): string {
    const text = this.#waiting;
    this.#waiting = '';
    return text;
  }

  openRow(): void {
    this.#line = '';
    this.#columnsWritten = 0;
    this.#hasValue = false;
  }

  /** Writes a value into a column, from 0, and into the columns behind it. */
  addCell(column: number, value: string, count = 1): void {
    if (value === '') return;
    const cell = formatCell(value, delimiter);
    // A gap is written only in front of a value, so that rows of empty cells cost nothing.
    const gap = column - this.#columnsWritten;
    if (this.#line.length + gap + (cell.length + 1) * count > rowLengthMax) throw tooLarge();
    this.#line += delimiter.repeat(gap) + cell + (delimiter + cell).repeat(count - 1);
    this.#columnsWritten = column + count - 1;
    this.#hasValue ||= value.trim() !== '';
  }

  /** Writes the row, as often as the sheet repeats it. */
  closeRow(count = 1): void {
    if (!this.#hasValue) return;
    const length = (this.#line.length + 1) * count;
    this.#length += length;
    if (this.#length > this.#lengthMax || this.#waiting.length + length > waitingLengthMax) throw tooLarge();
    this.#waiting += `${this.#line}\n`.repeat(count);
  }
}

const tooLarge = (): BadWorkbook => new BadWorkbook({ kind: 'too_large' });
