import { isFormula } from '../../../platform/csv/formulas.ts';
import type { FileRow } from '../files/classify-rows.ts';

/** Facts about the table of a file, stored with the list. */
export interface TableFacts {
  readonly header: string | null;
  /** The length of the longest row. */
  readonly columnCount: number;
  readonly emailColumn: number;
  /** Whether exports can write all rows back as they are stored. */
  readonly isEven: boolean;
  readonly duplicated: number;
  readonly malformed: number;
  readonly missing: number;
  readonly suppressed: number;
}

/** Collects facts about a table while its rows stream by. */
export class TableNotes {
  readonly #emailColumn: number;
  #header: string | null = null;
  #widest = 0;
  #narrowest = Number.POSITIVE_INFINITY;
  #hasFormula = false;
  #duplicated = 0;
  #malformed = 0;
  #missing = 0;
  #suppressed = 0;

  constructor(emailColumn: number) {
    this.#emailColumn = emailColumn;
  }

  addHeader({ cells }: FileRow, formatted: string): void {
    this.#header = formatted;
    this.#addCells(cells);
  }

  addRow({ cells, emailAddress, firstRowNumber, isEmpty, isSuppressed }: FileRow): void {
    if (isSuppressed) this.#suppressed += 1;
    else if (firstRowNumber !== null) this.#duplicated += 1;
    else if (isEmpty) this.#missing += 1;
    else if (emailAddress === null) this.#malformed += 1;
    this.#addCells(cells);
  }

  #addCells(cells: readonly string[]): void {
    this.#widest = Math.max(this.#widest, cells.length);
    this.#narrowest = Math.min(this.#narrowest, cells.length);
    this.#hasFormula ||= cells.some(isFormula);
  }

  facts(): TableFacts {
    return {
      header: this.#header,
      columnCount: this.#widest,
      emailColumn: this.#emailColumn,
      isEven: this.#widest === this.#narrowest && !this.#hasFormula && this.#missing === 0,
      duplicated: this.#duplicated,
      malformed: this.#malformed,
      missing: this.#missing,
      suppressed: this.#suppressed,
    };
  }
}
