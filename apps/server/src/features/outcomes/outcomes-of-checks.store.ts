import {
  type CheckOutcome,
  OUTCOME_VERBS,
  OUTCOMES_OF_CHECK_MAX,
  OUTCOMES_WITHOUT_REASON,
} from '@assay/contract';
import { sql } from 'kysely';
import pg from 'pg';
import type { Db } from '../../platform/database/database.ts';
import { numberArray } from '../../platform/database/number-array.ts';
import type { AccountId } from '../../platform/ids.ts';
import { type OutcomeOfCheck, outcomeAnswer, outcomeWords } from './outcome-words.ts';

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
const latestFirstText = `kind in ('not_sent', 'auto_reply', 'unclear'), happened_at desc,
  array_position(array['hard', 'complaint', 'unsubscribed', 'block', 'soft', 'delivered'], kind), number`;
const latestFirst = sql.raw(latestFirstText);

/**
 * An expression for statements that take no parameters: what happened last to mail for a check, such as
 * `bounced 2026-11-20: no such mailbox`; null if nothing did.
 */
export const latestOutcomeText = ({ ownerId, checkId, rowNumber }: Record<CheckPart, string>): string => `(
  select ${happenedText} from outcome_matches match cross join lateral (
    select number, kind, reason, happened_at from outcomes
    where outcomes.owner_id = match.owner_id and outcomes.number = match.outcome_number limit 1) outcome
  where match.owner_id = ${ownerId} and match.check_id = ${checkId} and match.row_number = ${rowNumber}
  order by ${latestFirstText} limit 1)`;

type CheckPart = 'ownerId' | 'checkId' | 'rowNumber';

const wordsOf = (words: Readonly<Record<string, string>>, key: string): string =>
  `(${pg.escapeLiteral(JSON.stringify(words))}::jsonb ->> ${key})`;
const withoutReason = [...OUTCOMES_WITHOUT_REASON].map((kind) => pg.escapeLiteral(kind)).join(', ');
const happenedText = `${wordsOf(OUTCOME_VERBS, 'kind')} || ' ' || to_char(happened_at at time zone 'UTC', 'YYYY-MM-DD') ||
  case when kind in (${withoutReason}) then '' else ': ' || ${wordsOf(outcomeWords, 'reason')} end`;

/** Whether some check of a list has an outcome. */
export async function hasOutcomes(db: Db, ownerId: AccountId, listId: string): Promise<boolean> {
  const row = await db
    .selectFrom('outcome_matches')
    .select('outcome_number')
    .where('owner_id', '=', ownerId)
    .where('check_id', '=', listId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a customer ever reported outcomes. */
export async function hasReported(db: Db, ownerId: AccountId): Promise<boolean> {
  const row = await db
    .selectFrom('outcome_counters')
    .select('owner_id')
    .where('owner_id', '=', ownerId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Forgets which outcomes were about checks that are deleted. */
export async function forgetChecks(db: Db, ownerId: AccountId, checkIds: readonly string[]): Promise<void> {
  await sql`delete from outcome_matches where owner_id = ${ownerId} and check_id = any(${checkIds}::uuid[])`.execute(
    db,
  );
}
