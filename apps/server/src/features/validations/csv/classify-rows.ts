import { parseAddress } from '@assay/verifier';
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
  let nextRow = 0;
  for await (const rows of batches) {
    yield rows.map((cells) => {
      const rowNumber = nextRow++;
      return withHeaders && rowNumber === 0
        ? rowWithoutAddress(rowNumber, cells)
        : classifyRow(cells, rowNumber, emailColumn, seen);
    });
  }
}

function classifyRow(cells: string[], rowNumber: number, emailColumn: number, seen: AddressSet): FileRow {
  const parsed = parseAddress(cells[emailColumn] ?? '');
  if (!parsed.ok) return rowWithoutAddress(rowNumber, cells);

  const first = seen.findOrAdd(parsed.email.toLowerCase(), rowNumber);
  return {
    rowNumber,
    cells,
    emailAddress: parsed.email,
    domain: parsed.domain,
    firstRowNumber: first < 0 ? null : first,
  };
}

const rowWithoutAddress = (rowNumber: number, cells: string[]): FileRow => ({
  rowNumber,
  cells,
  emailAddress: null,
  domain: '',
  firstRowNumber: null,
});
