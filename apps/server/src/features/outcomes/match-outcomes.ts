import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import { numberArray } from '../../platform/database/number-array.ts';
import type { AccountId } from '../../platform/ids.ts';
import {
  checkAgeMsMax,
  type FoundCheck,
  type Match,
  type NewestBefore,
  newestInParts,
  type OutcomeToMatch,
} from './newest-before.ts';

/** Finds the checks of addresses, as the engine compares them, that have a result from `since` on. */
export interface CheckFinder {
  find(
    ownerId: AccountId,
    emails: readonly string[],
    since: Date,
    signal: AbortSignal,
  ): AsyncIterable<FoundCheck[]>;
}

/** Memory bounds it: of each, its address and the newest check before it are there. */
const outcomesAtATime = 200_000;
const insertedAtATime = 10_000;

interface AddressedOutcome extends OutcomeToMatch {
  readonly email: string;
  readonly addressKey: number;
}

/** Matches the outcomes of a customer that are new with the newest check of their address before them. */
export async function matchOutcomes(
  { db, checks }: { readonly db: Db; readonly checks: CheckFinder },
  ownerId: AccountId,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const counters = await findCounters(db, ownerId);
    if (!counters || counters.matchedNumber >= counters.lastNumber) return;
    const from = counters.matchedNumber;
    const to = Math.min(from + outcomesAtATime, counters.lastNumber);
    const outcomes = await findOutcomes(db, ownerId, from, to);
    const matches = await findBest(checks, ownerId, outcomes, signal);
    const isOurs = await db.transaction().execute((tx) => writeMatches(tx, ownerId, { from, to, matches }));
    // Another job has matched them meanwhile, and goes on.
    if (!isOurs) return;
  }
}

async function findBest(
  checks: CheckFinder,
  ownerId: AccountId,
  outcomes: readonly AddressedOutcome[],
  signal: AbortSignal,
): Promise<Match[]> {
  if (outcomes.length === 0) return [];
  const byAddress = new Map<number, AddressedOutcome[]>();
  let oldest = Number.POSITIVE_INFINITY;
  for await (const outcome of inSteps(outcomes)) {
    const beside = byAddress.get(outcome.addressKey);
    if (beside) beside.push(outcome);
    else byAddress.set(outcome.addressKey, [outcome]);
    oldest = Math.min(oldest, outcome.at.getTime());
  }
  const emails: string[] = [];
  const newest: NewestBefore[][] = [];
  for await (const group of inSteps(byAddress.values(), ({ length }) => length)) {
    emails.push(group[0]?.email ?? '');
    newest.push(await newestInParts(group));
  }
  for await (const found of checks.find(ownerId, emails, new Date(oldest - checkAgeMsMax), signal)) {
    for await (const check of inSteps(found, ({ index }) => newest[index]?.length ?? 1))
      for (const part of newest[check.index] ?? []) part.add(check);
  }
  const matches: Match[] = [];
  for await (const part of inSteps(newest.flat(), ({ outcomeCount }) => outcomeCount))
    for (const match of part.matches()) matches.push(match);
  return matches;
}

const itemsPerStep = 2_000;

/** Gives other work of the process its turn now and then. */
async function* inSteps<Item>(
  items: Iterable<Item>,
  sizeOf: (item: Item) => number = () => 1,
): AsyncGenerator<Item> {
  let size = 0;
  for (const item of items) {
    yield item;
    size += sizeOf(item);
    if (size < itemsPerStep) continue;
    size = 0;
    await nextTurn();
  }
}

const findCounters = (db: Db, ownerId: AccountId) =>
  db
    .selectFrom('outcome_counters')
    .select(['last_number as lastNumber', 'matched_number as matchedNumber'])
    .where('owner_id', '=', ownerId)
    .executeTakeFirst();

/** In pages, because making rows of many answers at once would block the process. */
async function findOutcomes(
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

interface Matching {
  readonly from: number;
  readonly to: number;
  readonly matches: readonly Match[];
}

/** Writes what was found, unless another job did. */
async function writeMatches(tx: Tx, ownerId: AccountId, { from, to, matches }: Matching): Promise<boolean> {
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
