import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import { numberArray } from '../../platform/database/number-array.ts';
import type { AccountId } from '../../platform/ids.ts';
import { slack } from './outcome.ts';

/** A check with a result. */
export interface FoundCheck {
  /** Which of the addresses that were asked for. */
  readonly index: number;
  /** Of the list, or of a single check, whose row number is 0. */
  readonly checkId: string;
  readonly rowNumber: number;
  readonly isOfList: boolean;
  readonly checkedAt: Date;
}

/** Finds the checks of addresses, as the engine compares them, that have a result from `since` on. */
export interface CheckFinder {
  find(
    ownerId: AccountId,
    emails: readonly string[],
    since: Date,
    signal: AbortSignal,
  ): AsyncIterable<FoundCheck[]>;
}

/** An older check says too little about the mailbox at the time of the event. */
const checkAgeMsMax = 180 * 86_400_000;
/** Memory bounds it: of each, its address and the best check so far are there. */
const outcomesAtATime = 200_000;
const insertedAtATime = 10_000;

interface OutcomeToMatch {
  readonly number: number;
  readonly email: string;
  readonly addressKey: number;
  readonly at: Date;
  readonly slackSeconds: number;
  readonly listId: string | null;
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

interface Match {
  readonly number: number;
  readonly check: FoundCheck;
}

async function findBest(
  checks: CheckFinder,
  ownerId: AccountId,
  outcomes: readonly OutcomeToMatch[],
  signal: AbortSignal,
): Promise<Match[]> {
  if (outcomes.length === 0) return [];
  const groups = [...Map.groupBy(outcomes, ({ addressKey }) => addressKey).values()];
  const oldest = outcomes.reduce((min, { at }) => Math.min(min, at.getTime()), Number.POSITIVE_INFINITY);
  const emails = groups.map(([first]) => first?.email ?? '');
  const best = new Map<OutcomeToMatch, FoundCheck>();
  for await (const found of checks.find(ownerId, emails, new Date(oldest - checkAgeMsMax), signal)) {
    for (const check of found) {
      for (const outcome of groups[check.index] ?? []) {
        if (isAbout(outcome, check) && isNewer(check, best.get(outcome))) best.set(outcome, check);
      }
    }
  }
  return [...best].map(([{ number }, check]) => ({ number, check }));
}

function isAbout({ at, slackSeconds, listId }: OutcomeToMatch, check: FoundCheck): boolean {
  if (listId !== null && !(check.isOfList && check.checkId === listId)) return false;
  const checkedAt = check.checkedAt.getTime();
  return checkedAt < latestOf(at, slackSeconds) && checkedAt >= at.getTime() - checkAgeMsMax;
}

/** An event of a second, minute or day may be from its end. A mail is written after the event. */
const latestOf = (at: Date, slackSeconds: number): number =>
  at.getTime() + (slackSeconds === slack.mail ? 1 : Math.max(slackSeconds, 1)) * 1_000;

/** Two checks of the same moment: any, but always the same. */
function isNewer(check: FoundCheck, other: FoundCheck | undefined): boolean {
  if (other === undefined) return true;
  const apart = check.checkedAt.getTime() - other.checkedAt.getTime();
  if (apart !== 0) return apart > 0;
  if (check.checkId !== other.checkId) return check.checkId > other.checkId;
  return check.rowNumber > other.rowNumber;
}

const findCounters = (db: Db, ownerId: AccountId) =>
  db
    .selectFrom('outcome_counters')
    .select(['last_number as lastNumber', 'matched_number as matchedNumber'])
    .where('owner_id', '=', ownerId)
    .executeTakeFirst();

function findOutcomes(db: Db, ownerId: AccountId, after: number, to: number): Promise<OutcomeToMatch[]> {
  return db
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
    .where('number', '>', after)
    .where('number', '<=', to)
    .execute();
}

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
