import { ADDRESS_FLAGS, GUESS_OUTCOMES, VERDICTS } from '@assay/contract';
import { restoreFormula } from '../../platform/csv/formulas.ts';

/** The columns that all exports add after the customer's own. */
export const resultColumns = ['result', 'reason'] as const;
const traitColumns = ['flags', 'mx_provider', 'suggestion'] as const;
/** The columns that exports of verified emails add. Older exports have only the first two. */
export const addedColumns = [...resultColumns, ...traitColumns] as const;

/** Behind them, if mail for an address of the list had an outcome. */
export const outcomeColumn = 'outcome';

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

const flagWords = new Set<string>(ADDRESS_FLAGS);

/** Whether the cells behind a result can be flags, provider and suggestion of ours. */
const hasOwnTraits = (row: readonly string[], column: number): boolean => {
  const [flags = '', mxProvider = '', suggestion = ''] = row.slice(
    column + resultColumns.length,
    column + addedColumns.length,
  );
  if ((row[column] ?? '') === '') return flags === '' && mxProvider === '' && suggestion === '';
  return (
    (flags === '' || flags.split(' ').every((flag) => flagWords.has(flag))) &&
    !mxProvider.includes('@') &&
    (suggestion === '' || suggestion.includes('@'))
  );
};

const haveTraits = (head: readonly string[], column: number): boolean =>
  traitColumns.every((name, index) => head[column + resultColumns.length + index] === name);

const ownOutcome =
  /^(?:(?:bounced|delayed|blocked|complained|unsubscribed|answered|delivered|not sent) \d{4}-\d{2}-\d{2}(?:: [a-z ]{1,100})?)?$/;
const isOwnOutcome = (row: readonly string[], column: number): boolean =>
  ownOutcome.test(row[column + addedColumns.length] ?? '');

/**
 * The columns that an earlier export added, recognised by their names, order and values. A customer's own `result` column
 * holds other values or has no `reason` next to it.
 */
export function findOwnColumns(head: readonly string[], body: readonly (readonly string[])[]): number[] {
  const isPair = (column: number) =>
    head[column] === resultColumns[0] && head[column + 1] === resultColumns[1];
  const pairs = [...head.keys()].filter(isPair);
  const foreign = columnsWithSome(body, pairs, (row, column) => !isOwnPair(row, column));
  const filled = columnsWithSome(body, pairs, (row, column) => row[column] !== '');
  const own = pairs.filter((column) => filled.has(column) && !foreign.has(column));
  const withTraits = own.filter((column) => haveTraits(head, column));
  const foreignTraits = columnsWithSome(body, withTraits, (row, column) => !hasOwnTraits(row, column));
  const wide = new Set(withTraits.filter((column) => !foreignTraits.has(column)));
  const withOutcome = [...wide].filter((column) => head[column + addedColumns.length] === outcomeColumn);
  const foreignOutcomes = columnsWithSome(body, withOutcome, (row, column) => !isOwnOutcome(row, column));
  const ownOutcomes = new Set(withOutcome.filter((column) => !foreignOutcomes.has(column)));
  return own.flatMap((column) => {
    const added = (wide.has(column) ? addedColumns : resultColumns).map((_, index) => column + index);
    return ownOutcomes.has(column) ? [...added, column + addedColumns.length] : added;
  });
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
  let results: readonly OwnResult[] | undefined;
  for await (const rows of batches) {
    for (const cells of rows) restoreFormulas(cells);
    if (ownColumns.length === 0) {
      yield rows;
      continue;
    }
    yield rows.map((cells) => {
      if (results) refuseForeign(cells, results);
      // The first row is the header: without one, no column is recognised.
      results ??= ownResultsOf(cells, added);
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

interface OwnResult {
  readonly column: number;
  readonly hasTraits: boolean;
  readonly hasOutcome: boolean;
}

const ownResultsOf = (head: readonly string[], own: ReadonlySet<number>): OwnResult[] =>
  [...own]
    .filter((column) => head[column] === resultColumns[0])
    .map((column) => ({
      column,
      hasTraits: haveTraits(head, column) && own.has(column + resultColumns.length),
      hasOutcome:
        head[column + addedColumns.length] === outcomeColumn && own.has(column + addedColumns.length),
    }));

function refuseForeign(cells: readonly string[], results: readonly OwnResult[]): void {
  for (const { column, hasTraits, hasOutcome } of results) {
    if (column >= cells.length) return;
    const isOwn =
      isOwnPair(cells, column) &&
      (!hasTraits || hasOwnTraits(cells, column)) &&
      (!hasOutcome || isOwnOutcome(cells, column));
    if (!isOwn) throw new ForeignResult();
  }
}

export const withoutColumns = <Cell>(cells: readonly Cell[], columns: ReadonlySet<number>): Cell[] =>
  cells.filter((_, column) => !columns.has(column));
