import { type CheckOutcome, OUTCOMES_OF_CHECK_MAX } from '@assay/contract';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { numberArray } from '../../platform/database/number-array.ts';
import type { AccountId } from '../../platform/ids.ts';
import { type OutcomeOfCheck, outcomeAnswer } from './outcome-words.ts';

/** The outcomes of rows of a list, by row number, or of a single check as row 0; the latest first. */
export async function findOutcomesOf(
  db: Db,
  ownerId: AccountId,
  checkId: string,
  rowNumbers: readonly number[] = [0],
): Promise<Map<number, CheckOutcome[]>> {
  const { rows } = await sql<OutcomeOfCheck & { rowNumber: number }>`
    select match.row_number as "rowNumber", kind, reason, happened_at as at, words
    from outcome_matches match join outcomes outcome
      on outcome.owner_id = match.owner_id and outcome.number = match.outcome_number
    where match.owner_id = ${ownerId} and match.check_id = ${checkId}
      and match.row_number = any(${numberArray(rowNumbers)}::int[])
    order by match.row_number, ${latestFirst}`.execute(db);
  return answersBy(rows, ({ rowNumber }) => rowNumber);
}

/** The same of single checks, by id. */
export async function findOutcomesOfSingles(
  db: Db,
  ownerId: AccountId,
  ids: readonly string[],
): Promise<Map<string, CheckOutcome[]>> {
  const { rows } = await sql<OutcomeOfCheck & { checkId: string }>`
    select match.check_id as "checkId", kind, reason, happened_at as at, words
    from outcome_matches match join outcomes outcome
      on outcome.owner_id = match.owner_id and outcome.number = match.outcome_number
    where match.owner_id = ${ownerId} and match.check_id = any(${ids}::uuid[]) and match.row_number = 0
    order by match.check_id, ${latestFirst}`.execute(db);
  return answersBy(rows, ({ checkId }) => checkId);
}

function answersBy<Row extends OutcomeOfCheck, Key>(
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
): Map<Key, CheckOutcome[]> {
  const answers = new Map<Key, CheckOutcome[]>();
  for (const row of rows) {
    const beside = answers.get(keyOf(row)) ?? [];
    if (beside.length < OUTCOMES_OF_CHECK_MAX) beside.push(outcomeAnswer(row));
    answers.set(keyOf(row), beside);
  }
  return answers;
}

/**
 * Later ones override earlier ones: senders report a delivery first and the bounce of the same mail later. Of the same moment,
 * the worse one. What proves nothing about the mailbox comes last.
 */
const latestFirst = sql`kind in ('not_sent', 'auto_reply', 'unclear'), happened_at desc,
  array_position(array['hard', 'complaint', 'unsubscribed', 'block', 'soft', 'delivered'], kind), number`;

/** Forgets which outcomes were about checks that are deleted. */
export async function forgetChecks(db: Db, ownerId: AccountId, checkIds: readonly string[]): Promise<void> {
  await sql`delete from outcome_matches where owner_id = ${ownerId} and check_id = any(${checkIds}::uuid[])`.execute(
    db,
  );
}
