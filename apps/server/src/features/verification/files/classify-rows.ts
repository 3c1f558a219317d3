import { restoreFormula } from '../../../platform/csv/formulas.ts';
import { AddressReader } from './address-reader.ts';
import { AddressSet } from './address-set.ts';
import type { Dialect } from './dialect.ts';
import type { ExcludedRow } from './exclusions.ts';
import { readMessyCell } from './messy-cell.ts';
import type { Screen } from './screen.ts';

/** A row of the customer's file: it is verified, repeats an earlier row, or has no address that may be verified. */
export interface FileRow {
  /** Counts from 0, without blank lines. A cell with several addresses makes several rows. */
  readonly rowNumber: number;
  readonly cells: string[];
  /** Null when malformed, missing or suppressed. */
  readonly emailAddress: string | null;
  /** In lower case; rows are sorted by domain to share connections. */
  readonly domain: string;
  /** The earlier row with the same address; null for the first. */
  readonly firstRowNumber: number | null;
  /** Whether there is nothing in the email cell. */
  readonly isEmpty: boolean;
  /** Whether the address is suppressed; the row then has none to verify. */
  readonly isSuppressed: boolean;
}

/**
 * Classifies rows. A row is billable if its address is well-formed and new in the file, compared after trimming, in lower
 * case and with the domain in A-labels. With headers, the first row has no address. A cell with several addresses becomes
 * several rows with one address each, so that every row has one result.
 */
export async function* classifyRows(
  batches: AsyncIterable<string[][]>,
  { emailColumn }: Pick<Dialect, 'emailColumn'>,
  { withHeaders, screen }: { readonly withHeaders: boolean; readonly screen?: Screen | undefined },
): AsyncGenerator<FileRow[]> {
  const seen = new AddressSet();
  const reader = new AddressReader();
  let nextRow = 0;
  const rowOfAddress = (cells: string[]): FileRow => {
    const rowNumber = nextRow++;
    if (screen?.has(reader)) return { ...rowWithoutAddress(rowNumber, cells, false), isSuppressed: true };
    const first = seen.findOrAdd(reader, rowNumber);
    return {
      rowNumber,
      cells,
      emailAddress: reader.email,
      domain: reader.domain,
      firstRowNumber: first < 0 ? null : first,
      isEmpty: false,
      isSuppressed: false,
    };
  };
  const classifyMessy = (cells: string[]): FileRow[] => {
    const texts = readMessyCell(cells[emailColumn] ?? '');
    if (texts.length === 0) return [rowWithoutAddress(nextRow++, cells, true)];
    const cellsOfEach = texts.length === 1 ? [cells] : repeatCells(cells, emailColumn, texts);
    return texts.map((text, index) => {
      const own = cellsOfEach[index] as string[];
      return reader.read(text) ? rowOfAddress(own) : rowWithoutAddress(nextRow++, own, false);
    });
  };
  try {
    for await (const batch of batches) {
      const rows: FileRow[] = [];
      for (const cells of batch) {
        if (withHeaders && nextRow === 0) rows.push(rowWithoutAddress(nextRow++, cells, false));
        else if (reader.read(cells[emailColumn] ?? '')) rows.push(rowOfAddress(cells));
        else rows.push(...classifyMessy(cells));
      }
      yield rows;
    }
  } finally {
    seen.free();
    screen?.free();
  }
}

// A row of a megabyte with a thousand addresses in one cell would become a gigabyte.
const repeatedLengthMax = 16_000;

/** A row for each text. If the rows would be too long together, only the first keeps the other cells. */
function repeatCells(cells: string[], emailColumn: number, texts: readonly string[]): string[][] {
  const rowLength = cells.reduce((length, cell) => length + cell.length + 1, 0);
  const canRepeat = rowLength * texts.length <= repeatedLengthMax;
  const further = canRepeat ? cells : Array<string>(emailColumn + 1).fill('');
  return texts.map((text, index) => (index === 0 ? cells : further).with(emailColumn, text));
}

/** The number of rows of each kind. */
export interface KindCounts {
  readonly billable: number;
  /** Without an address that may be verified: malformed, empty or suppressed. */
  readonly nonBillable: number;
  readonly duplicated: number;
  /** Those of `nonBillable` with nothing in the email cell. */
  readonly empty: number;
  /** Those of `nonBillable` whose address is suppressed. */
  readonly suppressed: number;
}

export interface RowCounts extends KindCounts {
  readonly rowCount: number;
  /** The same without the first row, for a file whose first row is a header. */
  readonly belowFirst: KindCounts;
}

/** Who watches the rows while they are counted. */
export interface RowWatchers {
  readonly checkDomain?: ((domain: string, rowNumber: number) => void) | undefined;
  readonly onExcluded?: (excluded: ExcludedRow) => void;
  /** Called for each address that is new in the file. The reader describes it until the next row. */
  readonly onNew?: (address: AddressReader) => void;
  readonly screen?: Screen | undefined;
}

/** The same classification from the email column alone. Yields the counts so far. */
export async function* countRows(
  batches: AsyncIterable<string[]>,
  watchers: RowWatchers = {},
): AsyncGenerator<RowCounts> {
  const counter = new RowCounter(watchers);
  try {
    for await (const written of batches) {
      const cells = written.map(restoreFormula);
      await watchers.screen?.learn(cells);
      for (const cell of cells) counter.add(cell);
      yield counter.counts();
    }
  } finally {
    counter.free();
    watchers.screen?.free();
  }
}

class RowCounter {
  readonly #seen = new AddressSet();
  readonly #reader = new AddressReader();
  readonly #watchers: RowWatchers;
  #rowCount = 0;
  #addressCount = 0;
  #malformed = 0;
  #empty = 0;
  #suppressed = 0;
  /** The counts after the first row. */
  #first = { addresses: 0, distinct: 0, malformed: 0, empty: 0, suppressed: 0 };
  /** The addresses of the first row that appear again below it. */
  readonly #repeatedFirst = new Set<number>();

  constructor(watchers: RowWatchers) {
    this.#watchers = watchers;
  }

  add(cell: string): void {
    if (this.#reader.read(cell)) this.#addAddress();
    else this.#addMessy(cell);
    this.#rowCount += 1;
    if (this.#rowCount === 1) this.#noteFirst();
  }

  #noteFirst(): void {
    const counted = { addresses: this.#addressCount, distinct: this.#seen.size };
    const left = { malformed: this.#malformed, empty: this.#empty, suppressed: this.#suppressed };
    this.#first = { ...counted, ...left };
  }

  #addAddress(): void {
    this.#watchers.checkDomain?.(this.#reader.domain, this.#rowCount);
    if (this.#watchers.screen?.has(this.#reader)) {
      this.#suppressed += 1;
      this.#exclude(this.#reader.email, 'suppressed');
      return;
    }
    const before = this.#seen.findOrAdd(this.#reader, this.#addressCount);
    if (before < 0) this.#watchers.onNew?.(this.#reader);
    else this.#exclude(this.#reader.email, 'duplicated');
    if (before >= 0 && before < this.#first.addresses) this.#repeatedFirst.add(before);
    this.#addressCount += 1;
  }

  #addMessy(cell: string): void {
    const texts = readMessyCell(cell);
    if (texts.length === 0) {
      this.#empty += 1;
      this.#exclude('', 'no_email');
    }
    for (const text of texts) {
      if (this.#reader.read(text)) this.#addAddress();
      else {
        this.#malformed += 1;
        this.#exclude(text, 'malformed');
      }
    }
  }

  #exclude(email: string, reason: ExcludedRow['reason']): void {
    this.#watchers.onExcluded?.({ row: this.#rowCount + 1, email, reason });
  }

  counts(): RowCounts {
    const billable = this.#seen.size;
    const nonBillable = this.#malformed + this.#empty + this.#suppressed;
    const first = this.#first;
    const billableBelow = billable - first.distinct + this.#repeatedFirst.size;
    return {
      rowCount: this.#rowCount,
      billable,
      nonBillable,
      duplicated: this.#addressCount - billable,
      empty: this.#empty,
      suppressed: this.#suppressed,
      belowFirst: {
        billable: billableBelow,
        nonBillable: nonBillable - first.malformed - first.empty - first.suppressed,
        duplicated: this.#addressCount - first.addresses - billableBelow,
        empty: this.#empty - first.empty,
        suppressed: this.#suppressed - first.suppressed,
      },
    };
  }

  free(): void {
    this.#seen.free();
  }
}

const rowWithoutAddress = (rowNumber: number, cells: string[], isEmpty: boolean): FileRow => ({
  rowNumber,
  cells,
  emailAddress: null,
  domain: '',
  firstRowNumber: null,
  isEmpty,
  isSuppressed: false,
});
