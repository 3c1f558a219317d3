import { GUESS_OUTCOMES, type GuessOutcome } from '@assay/contract';
import * as z from 'zod/mini';
import { byteOrderMark, formatCell } from '../../../platform/csv/write-rows.ts';
import type { Db } from '../../../platform/database/database.ts';
import { findRowsToExport, type GuessListRow } from './guess-lists.store.ts';

/** What a link to a guessed file stands for. */
export const guessExportSchema = z.strictObject({
  ownerId: z.uuid(),
  listId: z.uuid(),
  outcomes: z.array(z.enum(GUESS_OUTCOMES)),
  rows: z.enum(['distinct', 'all']),
  expiresAt: z.number(),
});
export type GuessExport = z.output<typeof guessExportSchema>;

const addedColumns = ['email', 'result', 'reason'] as const;
/** What the result column says of a row in which nobody could be guessed. */
const notGuessed = 'NOT_GUESSED';

/** The customer's own rows with address, result and reason added. */
export async function exportPeople(db: Db, list: GuessListRow, order: GuessExport): Promise<string> {
  const rows = await findRowsToExport(db, order);
  const wanted = new Set<GuessOutcome | null>(order.outcomes);
  const chosen =
    order.rows === 'all'
      ? rows
      : rows.filter((row) => row.row_number === row.person_row_number && wanted.has(row.outcome));
  const line = (cells: string, added: readonly string[]) =>
    `${[cells, ...added.map((cell) => formatCell(cell, list.delimiter))].join(list.delimiter)}\n`;
  const head = list.header === null ? '' : line(list.header, addedColumns);
  const body = chosen.map(({ cells, problem, outcome, email_address, reason }) =>
    problem === null
      ? line(cells, [email_address ?? '', outcome ?? '', outcome === null ? '' : (reason ?? '')])
      : line(cells, ['', notGuessed, problem]),
  );
  return byteOrderMark + head + body.join('');
}
