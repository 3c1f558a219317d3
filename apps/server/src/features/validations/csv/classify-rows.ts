import { AddressReader } from './address-reader.ts';
import { AddressSet } from './address-set.ts';
import type { Dialect } from './dialect.ts';

/** A row of the customer's file: to be verified, a repetition of an earlier one, or without a usable address. */
export interface FileRow {
  /** Counts from 0, blank lines left out. */
  readonly rowNumber: number;
  readonly cells: string[];
  /** Null when malformed. */
  readonly emailAddress: string | null;
  /** In lower case; rows are sorted by it so that connections are shared. */
  readonly domain: string;
  /** The earlier row with the same address; null in the first. */
  readonly firstRowNumber: number | null;
}

/**
 * Tells row by row what is billable: an address of good syntax that has not appeared earlier in the file, compared after
 * trimming and in lower case. With headers the first row is no address, whatever it holds.
 */
export async function* classifyRows(
  batches: AsyncIterable<string[][]>,
  { emailColumn }: Pick<Dialect, 'emailColumn'>,
  { withHeaders }: { readonly withHeaders: boolean },
): AsyncGenerator<FileRow[]> {
  const seen = new AddressSet();
  const reader = new AddressReader();
  let nextRow = 0;
  const classifyRow = (cells: string[], rowNumber: number): FileRow => {
    if (!reader.read(cells[emailColumn] ?? '')) return rowWithoutAddress(rowNumber, cells);
    const first = seen.findOrAdd(reader, rowNumber);
    return {
      rowNumber,
      cells,
      emailAddress: reader.email,
      domain: reader.domain,
      firstRowNumber: first < 0 ? null : first,
    };
  };
  try {
    for await (const rows of batches) {
      yield rows.map((cells) => {
        const rowNumber = nextRow++;
        return withHeaders && rowNumber === 0
          ? rowWithoutAddress(rowNumber, cells)
          : classifyRow(cells, rowNumber);
      });
    }
  } finally {
    seen.free();
  }
}

export interface RowCounts {
  readonly rowCount: number;
  readonly billable: number;
  readonly nonBillable: number;
  readonly duplicated: number;
}

/** The same judgement, of the email column alone: how many rows there are of each kind, so far. */
export async function* countRows(
  batches: AsyncIterable<string[]>,
  check?: (domain: string, rowNumber: number) => void,
): AsyncGenerator<RowCounts> {
  const seen = new AddressSet();
  const reader = new AddressReader();
  let rowCount = 0;
  let nonBillable = 0;
  try {
    for await (const cells of batches) {
      for (const cell of cells) {
        if (reader.read(cell)) {
          check?.(reader.domain, rowCount);
          seen.findOrAdd(reader, rowCount);
        } else nonBillable += 1;
        rowCount += 1;
      }
      const billable = seen.size;
      yield { rowCount, billable, nonBillable, duplicated: rowCount - nonBillable - billable };
    }
  } finally {
    seen.free();
  }
}

const rowWithoutAddress = (rowNumber: number, cells: string[]): FileRow => ({
  rowNumber,
  cells,
  emailAddress: null,
  domain: '',
  firstRowNumber: null,
});
