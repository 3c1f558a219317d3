import { type CsvFormat, columnsMax } from './csv-format.ts';

/** The longest cell: three times what a spreadsheet allows. A longer one is usually a quote that is never closed. */
const cellLengthMax = 100_000;
const rowLengthMax = 1_000_000;

/** What a row may have at most, for messages. */
export const rowLimits = { columns: columnsMax, cell: cellLengthMax, row: rowLengthMax } as const;

/** Thrown where the quoting is broken, with the number of the row that it happened in. */
export class BrokenQuoting extends Error {
  readonly row: number;
  constructor(row: number) {
    super(`The quoting is broken in row ${row}.`);
    this.row = row;
  }
}

/** Thrown at a row with too many columns or too much text. */
export class RowTooLarge extends Error {
  readonly row: number;
  readonly limit: keyof typeof rowLimits;
  constructor(row: number, limit: keyof typeof rowLimits) {
    super(`Row ${row} is beyond the limit for the ${limit}.`);
    this.row = row;
    this.limit = limit;
  }
}

export interface ReaderOptions {
  /** Of each row, only the cell of this column is made; a shorter row becomes an empty array. */
  readonly column?: number;
  /** For samples, which may be cut by the wrong delimiter: takes a wrong quote as text, and leaves columns beyond the limit out. */
  readonly isLenient?: boolean;
  /**
   * Mends broken quoting instead of throwing, and hears of each row in which it did. A wrong quote inside a cell that still ends on
   * its line is text. In `"Doe, Jane" <jane@b.test>` the quotes are text too. Of a quote that is never closed, what follows is read
   * again without it.
   */
  readonly onMend?: ((row: number) => void) | undefined;
}

type Place = 'cell start' | 'plain cell' | 'quoted cell' | 'after quote' | 'after closing quote';

const lineBreak = 0x0a;
const isSpace = (character: string): boolean => character.trim() === '';

/**
 * Reads CSV text that comes in pieces. It remembers its place between pieces, and reads every place at most twice, so the work is
 * linear in the length of the text, whatever is in it and wherever it is cut. Blank lines are left out and counted.
 */
export class CsvReader {
  readonly #delimiter: string;
  readonly #delimiterCode: number;
  readonly #quote: string;
  readonly #quoteCode: number;
  readonly #column: number;
  readonly #isLenient: boolean;
  readonly #onMend: ((row: number) => void) | undefined;
  /** In pieces before this one: the text from the quote that opened the cell. For mending only. */
  #quoted = '';
  /** Where that quote is in this piece; below 0 in an earlier one. */
  #quoteAt = -1;
  /** How much of the cell is before the text behind its first wrong quote; 0 without one. With one, it has to end on its line. */
  #brokenLength = 0;
  /** Whether a cell of this line had a wrong quote and did not end on it. Then the next wrong quote of the line ends the search at once. */
  #isLineBroken = false;
  #rows: string[][] = [];
  #rowsRead = 0;
  #place: Place = 'cell start';
  #row: string[] = [];
  #field = 0;
  #rowLength = 0;
  #cell = '';
  #cellLength = 0;
  /** The spaces behind a quote that is probably the closing one. */
  #spaces = '';

  constructor(
    { delimiter, quote }: CsvFormat,
    { column = -1, isLenient = false, onMend }: ReaderOptions = {},
  ) {
    this.#delimiter = delimiter;
    this.#delimiterCode = delimiter.charCodeAt(0);
    this.#quote = quote;
    this.#quoteCode = quote.charCodeAt(0);
    this.#column = column;
    this.#isLenient = isLenient;
    this.#onMend = onMend;
  }

  /** The rows that end in this piece. */
  push(pushed: string): string[][] {
    let piece = pushed;
    let { length } = piece;
    const find = (text: string, from: number): number => {
      const found = piece.indexOf(text, from);
      return found < 0 ? length : found;
    };
    // The next of each, searched again only when it was passed: to search for both in each cell would cost the square of a long row.
    let nextDelimiter = -1;
    let nextBreak = -1;
    let at = 0;
    /**
     * Reads the quoted cell again, as text from its first wrong quote on, or from the one that opened it. Every place is read at most
     * twice: of the cells of a line, only the first is read to its end in vain.
     */
    const mend = (): void => {
      if (this.#quoteAt < 0) {
        // Once in a piece: the cell begins at its start then.
        piece = this.#quoted + piece;
        ({ length } = piece);
        nextDelimiter = -1;
        nextBreak = -1;
        this.#quoteAt = 0;
      }
      at = this.#quoteAt + this.#brokenLength;
      this.#beginText(piece, this.#quoteAt, at);
    };
    while (at < length) {
      if (this.#place === 'cell start') {
        const isQuoted = piece.charCodeAt(at) === this.#quoteCode;
        this.#place = isQuoted ? 'quoted cell' : 'plain cell';
        if (isQuoted) {
          this.#quoteAt = at;
          this.#quoted = '';
          at += 1;
        }
      }
      switch (this.#place) {
        case 'plain cell': {
          if (nextDelimiter < at) nextDelimiter = find(this.#delimiter, at);
          if (nextBreak < at) nextBreak = find('\n', at);
          const end = Math.min(nextDelimiter, nextBreak);
          this.#add(piece, at, end);
          if (end < length) this.#endCell(end === nextBreak);
          at = end + 1;
          break;
        }
        case 'quoted cell': {
          const end = find(this.#quote, at);
          if (this.#onMend) {
            const isBroken = this.#brokenLength > 0;
            if (isBroken && nextBreak < at) nextBreak = find('\n', at);
            const isEndless = this.#cellLength + end - at > cellLengthMax;
            if (isEndless || (isBroken && nextBreak < end)) {
              mend();
              break;
            }
          }
          this.#add(piece, at, end);
          if (end < length) this.#place = 'after quote';
          at = end + 1;
          break;
        }
        case 'after quote':
        case 'after closing quote': {
          const code = piece.charCodeAt(at);
          if (code === this.#delimiterCode || code === lineBreak) {
            // The search in vain went to the end of its line only.
            if (this.#isLineBroken && this.#isOnSeveralLines(piece, at)) this.#isLineBroken = false;
            this.#endCell(code === lineBreak);
            at += 1;
          } else if (code === this.#quoteCode && this.#place === 'after quote') {
            // The second of two quotes is text: the next part of the cell begins with it.
            this.#add(piece, at, at + 1);
            this.#place = 'quoted cell';
            at += 1;
          } else if (isSpace(piece[at] as string)) {
            this.#place = 'after closing quote';
            this.#addSpace(piece[at] as string);
            at += 1;
          } else if (this.#onMend && this.#brokenLength === 0 && this.#isOnSeveralLines(piece, at)) mend();
          else {
            this.#continueQuoted(at);
            if (this.#isLineBroken) mend();
          }
        }
      }
    }
    if (this.#onMend && this.#place !== 'plain cell' && this.#place !== 'cell start') {
      this.#quoted += piece.slice(Math.max(0, this.#quoteAt));
      this.#quoteAt = -1;
    }
    return this.#takeRows();
  }

  /** The last row, when nothing comes any more. */
  finish(): string[][] {
    if (this.#place === 'quoted cell' && this.#onMend) return this.#finishUnclosed();
    if (this.#place === 'quoted cell' && !this.#isLenient) throw new BrokenQuoting(this.#rowsRead + 1);
    if (this.#place !== 'cell start' || this.#field > 0) this.#endCell(true);
    return this.#takeRows();
  }

  /** The quote that was never closed is text. */
  #finishUnclosed(): string[][] {
    const text = this.#quoted;
    const start = this.#brokenLength;
    this.#beginText(text, 0, start);
    const rows = this.push(text.slice(start));
    return [...rows, ...this.finish()];
  }

  /** Begins the cell again with this text, as one that is not quoted. */
  #beginText(piece: string, start: number, end: number): void {
    this.#isLineBroken ||= this.#brokenLength > 0;
    this.#forgetQuoted();
    this.#cell = '';
    this.#cellLength = 0;
    this.#spaces = '';
    this.#place = 'plain cell';
    this.#add(piece, start, end);
    this.#onMend?.(this.#rowsRead + 1);
  }

  #forgetQuoted(): void {
    this.#quoted = '';
    this.#quoteAt = -1;
    this.#brokenLength = 0;
  }

  #isOnSeveralLines(piece: string, at: number): boolean {
    return this.#quoted.includes('\n') || piece.slice(Math.max(0, this.#quoteAt), at).includes('\n');
  }

  #takeRows(): string[][] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  #add(piece: string, start: number, end: number): void {
    this.#cellLength += end - start;
    if (this.#cellLength > cellLengthMax) this.#refuse('cell');
    if (this.#column >= 0 && this.#field !== this.#column) return;
    const part = piece.slice(start, end);
    this.#cell = this.#cell === '' ? part : this.#cell + part;
  }

  #addSpace(space: string): void {
    this.#spaces += space;
    this.#rowLength += 1;
    if (this.#rowLength > rowLengthMax) this.#refuse('row');
  }

  /** The quote before was no closing one. */
  #continueQuoted(at: number): void {
    if (this.#onMend && this.#brokenLength === 0) {
      this.#brokenLength = this.#quoted.length + at - Math.max(0, this.#quoteAt);
      this.#onMend(this.#rowsRead + 1);
    }
    if (!this.#isLenient && !this.#onMend) throw new BrokenQuoting(this.#rowsRead + 1);
    const text = this.#quote + this.#spaces;
    this.#add(text, 0, text.length);
    this.#spaces = '';
    this.#place = 'quoted cell';
  }

  #endCell(isLast: boolean): void {
    const isBlank = isLast && this.#field === 0 && this.#cellLength === 0;
    if (this.#column < 0 ? this.#field < columnsMax : this.#field === this.#column)
      this.#row.push(this.#cell);
    this.#rowLength += this.#cellLength + 1;
    this.#field += 1;
    this.#cell = '';
    this.#cellLength = 0;
    this.#spaces = '';
    this.#forgetQuoted();
    this.#place = 'cell start';
    if (this.#field > columnsMax) this.#refuse('columns');
    if (this.#rowLength > rowLengthMax) this.#refuse('row');
    if (!isLast) return;
    if (!isBlank) this.#rows.push(this.#row);
    this.#rowsRead += 1;
    this.#isLineBroken = false;
    this.#row = [];
    this.#field = 0;
    this.#rowLength = 0;
  }

  #refuse(limit: keyof typeof rowLimits): void {
    if (!this.#isLenient) throw new RowTooLarge(this.#rowsRead + 1, limit);
  }
}
