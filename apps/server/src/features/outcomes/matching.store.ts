import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import { numberArray } from '../../platform/database/number-array.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { Match, OutcomeToMatch } from './newest-before.ts';

export interface AddressedOutcome extends OutcomeToMatch {
  readonly email: string;
  readonly addressKey: number;
}

export const findCounters = (db: Db, ownerId: AccountId) =>
  db
    .selectFrom('outcome_counters')
    .select(['last_number as lastNumber', 'matched_number as matchedNumber'])
    .where('owner_id', '=', ownerId)
    .executeTakeFirst();

/** In pages, because making rows of many answers at once would block the process. */
export async function findOutcomes(
  db: Db,
  ownerId: AccountId,
  after: number,
  to: number,
): Promise<AddressedOutcome[]> {
  const outcomes: AddressedOutcome[] = [];
  for (let start = after; start < to; start += itemsPerPage) {
    const page = await db
      .selectFrom('outcomes')
      .select([
        'number',
        'email_address as email',
        'address_key as addressKey',
        'happened_at as at',
        'slack_seconds as slackSeconds',
        'list_id as listId',
      ])
      .where('owner_id', '=', ownerId)
      .where('number', '>', start)
      .where('number', '<=', Math.min(start + itemsPerPage, to))
      .execute();
    outcomes.push(...page);
  }
  return outcomes;
}

const itemsPerPage = 10_000;

const insertedAtATime = 10_000;

interface Matching {
  readonly from: number;
  readonly to: number;
  readonly matches: readonly Match[];
}

/** Writes what was found, unless another job did. */
export async function writeMatches(
  tx: Tx,
  ownerId: AccountId,
  { from, to, matches }: Matching,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('outcome_counters')
    .set({ matched_number: to })
    .where('owner_id', '=', ownerId)
    .where('matched_number', '=', from)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  for (let start = 0; start < matches.length; start += insertedAtATime) {
    const some = matches.slice(start, start + insertedAtATime);
    // An outcome may have been replaced or deleted meanwhile. If one is at this very moment, its key fails, and the job is tried again.
    await sql`
      insert into outcome_matches (owner_id, check_id, row_number, outcome_number)
      select ${ownerId}, check_id, row_number, number
      from unnest(${some.map(({ check }) => check.checkId)}::uuid[],
          ${numberArray(some.map(({ check }) => check.rowNumber))}::int[],
          ${numberArray(some.map(({ number }) => number))}::bigint[]) as found (check_id, row_number, number)
        cross join lateral (select from outcomes where owner_id = ${ownerId} and outcomes.number = found.number limit 1) kept`.execute(
      tx,
    );
  }
  return true;
}
