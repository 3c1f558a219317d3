import { type PeopleField, readCompanyDomain, readLinkedinProfile } from '@assay/contract';
import { columnsMax } from '../../../platform/csv/csv-format.ts';

/** The columns of a file of people, numbered from 0. */
export type PeopleColumns = Readonly<Partial<Record<PeopleField, number>>>;

const named =
  (...patterns: RegExp[]) =>
  (header: string): boolean =>
    patterns.every((pattern) => pattern.test(header));

const isHeaderOf: Readonly<Record<PeopleField, (header: string) => boolean>> = {
  first_name: named(/^(first|given|fore)[ _-]?name$|^first$|^vorname$|^pr[eé]nom$|^nombre$/i),
  last_name: named(/^(last|family|sur)[ _-]?name$|^last$|^nachname$|^nom( de famille)?$|^apellidos?$/i),
  full_name: named(/^(full|contact|person)?[ _-]?name$|^contact$|^person$/i),
  // The address of a profile contains `linkedin` too, but is not a header.
  linkedin_url: named(/linked[ _-]?in|^profile([ _-]?(url|link|address))?$/i, /^[\w -]*$/),
  domain: named(/^((company|organi[sz]ation|e?mail)[ _-]?)?(domain|web ?site|homepage|url)([ _-]?name)?$/i),
};

const columnNameLengthMax = 60;

/** Whether a cell of a header names one of the columns. */
export const isColumnName = (cell: string): boolean =>
  cell.length <= columnNameLengthMax && Object.values(isHeaderOf).some((isHeader) => isHeader(cell));

/** The share of filled cells that must match the content of a column. */
const shareMin = 0.5;

/**
 * Finds the columns by their names in the first row, or else by their contents: domains, profile addresses, and names in
 * the other columns. Null without a column for domains or without one for names.
 */
export function findPeopleColumns(rows: readonly string[][]): PeopleColumns | null {
  const [head = [], ...body] = rows;
  const columns: Partial<Record<PeopleField, number>> = {};
  const taken = new Set<number>();
  const take = (field: PeopleField, column: number) => {
    if (column < 0 || taken.has(column)) return;
    columns[field] = column;
    taken.add(column);
  };
  for (const field of Object.keys(isHeaderOf) as PeopleField[]) {
    take(
      field,
      head.findIndex((cell, column) => !taken.has(column) && isHeaderOf[field](cell.trim())),
    );
  }
  // A first row without column names is a row like the others.
  const sample = taken.size > 0 ? body : rows;
  const width = Math.min(columnsMax, Math.max(0, ...rows.map((row) => row.length)));
  const findBy = (isOne: (cell: string) => boolean) =>
    Array.from({ length: width }, (_, column) => column).find(
      (column) => !taken.has(column) && shareOf(sample, column, isOne) >= shareMin,
    ) ?? -1;
  if (columns.linkedin_url === undefined)
    take(
      'linkedin_url',
      findBy((cell) => readLinkedinProfile(cell) !== null),
    );
  if (columns.domain === undefined)
    take(
      'domain',
      findBy((cell) => readCompanyDomain(cell) !== null),
    );
  if (columns.domain === undefined) return null;
  if (!hasName(columns)) takeNames(take, findBy);
  return hasPeople(columns) ? columns : null;
}

/** Whether these columns are enough to guess people. */
export const hasPeople = (columns: PeopleColumns): boolean =>
  columns.domain !== undefined && hasName(columns);

function takeNames(
  take: (field: PeopleField, column: number) => void,
  findBy: (isOne: (cell: string) => boolean) => number,
): void {
  const isName = (cell: string) => nameCell.test(cell);
  const oneWord = findBy((cell) => isName(cell) && !/\s/.test(cell));
  if (oneWord < 0) {
    take('full_name', findBy(isName));
    return;
  }
  take('first_name', oneWord);
  take('last_name', findBy(isName));
}

const nameCell = /^[\p{L}\p{M}\-,.'’ ]{1,101}$/u;

const hasName = ({ first_name, last_name, full_name, linkedin_url }: PeopleColumns): boolean =>
  [first_name, last_name, full_name, linkedin_url].some((column) => column !== undefined);

function shareOf(rows: readonly string[][], column: number, isOne: (cell: string) => boolean): number {
  const filled = rows.map((row) => row[column]?.trim() ?? '').filter((cell) => cell !== '');
  return filled.length === 0 ? 0 : filled.filter(isOne).length / filled.length;
}
