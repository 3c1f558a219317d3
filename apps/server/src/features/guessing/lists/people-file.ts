import { readCompanyDomain } from '@assay/contract';
import { countTitleRows, readSeparatorLine } from '../../../platform/csv/above-table.ts';
import { type CsvFormat, detectQuote, evenness, sampleRowsMax } from '../../../platform/csv/csv-format.ts';
import { readRows } from '../../../platform/csv/read-rows.ts';
import { readSample } from '../../../platform/csv/read-sample.ts';
import { findOwnGuessColumns, restoreFormulas, withoutColumns } from '../../uploads/reading.ts';
import { type GuessedPerson, type PersonProblem, readPerson } from '../guess-person.ts';
import { readNameParts } from '../patterns/name-parts.ts';
import { splitFullName } from './full-name.ts';
import { findPeopleColumns, isColumnName, type PeopleColumns } from './people-columns.ts';

/** A file of people. It is short, so it is read whole. */
export interface PeopleFile {
  readonly format: CsvFormat;
  readonly columns: PeopleColumns;
  /** Whether the first row names the columns. */
  readonly hasHeaderRow: boolean;
  readonly rows: readonly string[][];
  /** Titles and other rows above the table. */
  readonly skippedRows: number;
}

/** A row: a person to guess, a person of an earlier row, or no person. */
export interface PeopleRow {
  /** Counts from 0, without blank lines. */
  readonly rowNumber: number;
  readonly cells: readonly string[];
  readonly person: GuessedPerson | null;
  /** The first row with this person, which may be this one. */
  readonly personRowNumber: number | null;
  readonly problem: PersonProblem | null;
}

/** Reads a file by the given columns or the detected ones. Null when it has none. Throws when its quoting is broken. */
export async function readPeopleFile(text: string, chosen?: PeopleColumns): Promise<PeopleFile | null> {
  const quote = detectQuote(text);
  const separator = readSeparatorLine(text);
  const readings = separator.delimiters.map((delimiter) => {
    const sample = tableOf(readSample(text, { delimiter, quote }).slice(separator.rowCount));
    const columns = findPeopleColumns(sample);
    const score = columns === null ? -1 : Object.keys(columns).length + evenness(sample);
    return { delimiter, score };
  });
  const { delimiter, score } = readings.reduce((left, right) => (right.score > left.score ? right : left));
  if (score < 0) return null;

  const all = (await Array.fromAsync(readRows(once(text), { delimiter, quote }))).flat();
  const rows = tableOf(all.slice(separator.rowCount));
  const columns = chosen ?? findPeopleColumns(rows.slice(0, sampleRowsMax));
  if (columns === null) return null;
  const [first = []] = rows;
  const hasHeaderRow = typeof personIn(first, columns) === 'string' && rows.length > 1;
  return {
    format: { delimiter, quote },
    columns,
    hasHeaderRow,
    rows,
    skippedRows: all.length - rows.length,
  };
}

/** The rows without titles above them and without columns that an earlier export added. */
function tableOf(rows: string[][]): string[][] {
  for (const cells of rows) restoreFormulas(cells);
  const table = rows.slice(
    countTitleRows(rows.slice(0, sampleRowsMax), { isName: isColumnName, isValue: isDomain }),
  );
  const [head = [], ...body] = table;
  const own = new Set(findOwnGuessColumns(head, body));
  return own.size === 0 ? table : table.map((cells) => withoutColumns(cells, own));
}

const isDomain = (cell: string): boolean => cell.includes('.') && readCompanyDomain(cell) !== null;

/** Finds the person of each row. With headers, the first row has none. */
export function classifyPeople(
  { rows, columns }: Pick<PeopleFile, 'rows' | 'columns'>,
  { withHeaders }: { readonly withHeaders: boolean },
): PeopleRow[] {
  const seen = new Map<string, number>();
  const classified: PeopleRow[] = [];
  rows.forEach((cells, rowNumber) => {
    if (withHeaders && rowNumber === 0) return;
    const person = personIn(cells, columns);
    if (typeof person === 'string') {
      classified.push({ rowNumber, cells, person: null, personRowNumber: null, problem: person });
      return;
    }
    const key = keyOf(person);
    const personRowNumber = seen.get(key) ?? rowNumber;
    seen.set(key, personRowNumber);
    classified.push({ rowNumber, cells, person, personRowNumber, problem: null });
  });
  return classified;
}

export const isFirst = ({ rowNumber, personRowNumber }: PeopleRow): boolean => rowNumber === personRowNumber;

/**
 * A longer cell holds no name, profile or domain. Reading one as a name may take minutes: the time for putting marks on letters
 * into their order grows with the square of their number.
 */
const cellLengthMax = 500;

function personIn(cells: readonly string[], columns: PeopleColumns): GuessedPerson | PersonProblem {
  const cell = (field: keyof PeopleColumns): string => {
    const text = cells[columns[field] ?? -1]?.trim() ?? '';
    return text.length <= cellLengthMax ? text : '';
  };
  const apart = { firstName: cell('first_name'), lastName: cell('last_name') };
  const name = apart.firstName === '' && apart.lastName === '' ? splitFullName(cell('full_name')) : apart;
  return readPerson({ ...name, linkedinUrl: cell('linkedin_url'), domain: cell('domain') });
}

/** The same for all spellings of a name that have the same likely addresses: the second guess would only cost more. */
const keyOf = (person: GuessedPerson): string =>
  JSON.stringify([person.domain, readNameParts(person, 'plain')]);

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}
