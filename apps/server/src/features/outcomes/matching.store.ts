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
  /** In the order of the key of their table, so that neighbours are written after each other. */
  readonly matches: readonly Match[];
  /** How many outcomes were read. */
  readonly readCount: number;
}

/** Writes what was found, unless another job did. */
export async function writeMatches(tx: Tx, ownerId: AccountId, matching: Matching): Promise<boolean> {
  const { from, to } = matching;
  const { numUpdatedRows } = await tx
    .updateTable('outcome_counters')
    .set({ matched_number: to })
    .where('owner_id', '=', ownerId)
    .where('matched_number', '=', from)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  const kept = await findKept(tx, ownerId, matching);
  for (let start = 0; start < kept.length; start += insertedAtATime) {
    const some = kept.slice(start, start + insertedAtATime);
    await sql`
      insert into outcome_matches (owner_id, check_id, row_number, outcome_number)
      select ${ownerId}, check_id, row_number, number
      from unnest(${some.map(({ check }) => check.checkId)}::uuid[],
          ${numberArray(some.map(({ check }) => check.rowNumber))}::int[],
          ${numberArray(some.map(({ number }) => number))}::bigint[]) as found (check_id, row_number, number)`.execute(
      tx,
    );
  }
  return true;
}

/**
 * The matches whose outcome was not replaced or deleted since it was read. None is from now on: who deletes outcomes locks the
 * counters, as this job has.
 */
async function findKept(
  tx: Tx,
  ownerId: AccountId,
  { from, to, matches, readCount }: Matching,
): Promise<readonly Match[]> {
  const inRange = tx
    .selectFrom('outcomes')
    .where('owner_id', '=', ownerId)
    .where('number', '>', from)
    .where('number', '<=', to);
  const { count } = await inRange
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) === readCount) return matches;
  const numbers = new Set((await inRange.select('number').execute()).map(({ number }) => number));
  return matches.filter(({ number }) => numbers.has(number));
}
