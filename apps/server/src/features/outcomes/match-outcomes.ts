import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';
import { type AddressedOutcome, findCounters, findOutcomes, writeMatches } from './matching.store.ts';
import {
  checkAgeMsMax,
  type FoundCheck,
  type Match,
  type NewestBefore,
  newestInParts,
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
    const matches = await inOrderOfRows(await findBest(checks, ownerId, outcomes, signal));
    const isOurs = await db
      .transaction()
      .execute((tx) => writeMatches(tx, ownerId, { from, to, matches, readCount: outcomes.length }));
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

/** Rows of a list are next to each other in the key of the table. Sorting plain numbers takes a tenth of the time of sorting objects. */
async function inOrderOfRows(matches: readonly Match[]): Promise<Match[]> {
  const sorted: Match[] = [];
  for (const ofCheck of Map.groupBy(matches, ({ check }) => check.checkId).values()) {
    if (ofCheck.length === 1) {
      sorted.push(...ofCheck);
      continue;
    }
    const places = Float64Array.from(
      ofCheck,
      ({ check }, place) => check.rowNumber * outcomesAtATime + place,
    );
    for (const place of places.sort()) sorted.push(ofCheck[place % outcomesAtATime] as Match);
    if (ofCheck.length > itemsPerStep) await nextTurn();
  }
  return sorted;
}
