import { GUESS_OUTCOMES, VERDICTS } from '@assay/contract';
import { restoreFormula } from '../../platform/csv/formulas.ts';

/** The columns that exports add after the customer's own. */
export const addedColumns = ['result', 'reason'] as const;

/** The result of a row whose email cell is blank. */
export const noEmail = { result: 'no email', reason: 'no_email' } as const;

/** The result of a row without a person who can be guessed. */
export const notGuessed = 'NOT_GUESSED';
export const guessedColumn = 'email';

const isVerdict = (text: string): boolean => VERDICTS.some((verdict) => verdict === text);
const ownResults = new Set<string>([...VERDICTS, ...GUESS_OUTCOMES, notGuessed, noEmail.result, '']);
/** Results that only guesses have. */
const guessedOnly = new Set<string>([...GUESS_OUTCOMES.filter((outcome) => !isVerdict(outcome)), notGuessed]);
const reasonShape = /^[a-z_]{0,40}$/;

/** Whether two neighbouring cells can be a result and a reason of ours. */
const isOwnResult = (result: string, reason: string): boolean =>
  ownResults.has(result) && reasonShape.test(reason) && (result === '') === (reason === '');

/**
 * The columns that an earlier export added, recognised by their names, order and values. A customer's own `result` column
 * holds other values or has no `reason` next to it.
 */
export function findOwnColumns(head: readonly string[], body: readonly (readonly string[])[]): number[] {
  const isPair = (column: number) => head[column] === addedColumns[0] && head[column + 1] === addedColumns[1];
  const pairs = [...head.keys()].filter(isPair);
  const foreign = columnsWithSome(body, pairs, (row, column) => !isOwnPair(row, column));
  const filled = columnsWithSome(body, pairs, (row, column) => row[column] !== '');
  return pairs
    .filter((column) => filled.has(column) && !foreign.has(column))
    .flatMap((column) => [column, column + 1]);
}

const isOwnPair = (row: readonly string[], column: number): boolean =>
  isOwnResult(row[column] ?? '', row[column + 1] ?? '');

/**
 * The columns that have a matching cell. `columns` are in ascending order, so the search in a row stops at its end: a header
 * of a hundred thousand columns above a million short rows costs no more than its cells.
 */
function columnsWithSome(
  body: readonly (readonly string[])[],
  columns: readonly number[],
  isOne: (row: readonly string[], column: number) => boolean,
): Set<number> {
  const found = new Set<number>();
  for (const row of body) {
    for (const column of columns) {
      if (column >= row.length) break;
      if (isOne(row, column)) found.add(column);
    }
  }
  return found;
}

/** The same for an export of guessed people, which adds the guessed address before the result. */
export function findOwnGuessColumns(head: readonly string[], body: readonly (readonly string[])[]): number[] {
  const own = findOwnColumns(head, body);
  const guessed = columnsWithSome(body, own, (row, column) => guessedOnly.has(row[column] ?? ''));
  return own.flatMap((column) =>
    guessed.has(column) && head[column - 1] === guessedColumn ? [column - 1, column] : [column],
  );
}

/** Thrown when a column that looked like ours holds a value of the customer's. */
export class ForeignResult extends Error {}

/**
 * Rows as the customer wrote them: without the columns that we added, and without the apostrophes that exports put before
 * formulas.
 */
export async function* cleanRows(
  batches: AsyncIterable<string[][]>,
  ownColumns: readonly number[],
): AsyncGenerator<string[][]> {
  const added = new Set(ownColumns);
  let isHeader = true;
  for await (const rows of batches) {
    for (const cells of rows) restoreFormulas(cells);
    if (ownColumns.length === 0) {
      yield rows;
      continue;
    }
    yield rows.map((cells) => {
      if (!isHeader) refuseForeign(cells, ownColumns);
      isHeader = false;
      return withoutColumns(cells, added);
    });
  }
}

export function restoreFormulas(cells: string[]): void {
  for (let column = 0; column < cells.length; column++) {
    const cell = cells[column] as string;
    const restored = restoreFormula(cell);
    if (restored !== cell) cells[column] = restored;
  }
}

/** The columns come in pairs. */
function refuseForeign(cells: readonly string[], ownColumns: readonly number[]): void {
  for (let pair = 0; pair < ownColumns.length; pair += 2) {
    const column = ownColumns[pair] as number;
    if (column >= cells.length) return;
    if (!isOwnPair(cells, column)) throw new ForeignResult();
  }
}

export const withoutColumns = <Cell>(cells: readonly Cell[], columns: ReadonlySet<number>): Cell[] =>
  cells.filter((_, column) => !columns.has(column));
