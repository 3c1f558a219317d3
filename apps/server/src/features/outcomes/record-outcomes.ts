import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { runTransaction } from '../../platform/database/run-transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { FairQueue } from '../../platform/limits/fair-queue.ts';
import type { JobQueue } from '../../platform/queue/index.ts';
import type { OutcomeCounter } from './count-reports.ts';
import { siftOutcomes } from './kept-once.ts';
import { type Outcome, type OutcomeOrigin, type OutcomeReport, outcomeOf } from './outcome.ts';
import { matchOutcomesJob } from './outcomes.jobs.ts';
import { findAlike, insertOutcomes, lockCounters, removeOutcomes } from './outcomes.store.ts';

/** What else happens when outcomes are kept, in the same transaction. Called with new ones only. */
type OutcomeReaction = (
  tx: Tx,
  news: { readonly ownerId: AccountId; readonly outcomes: readonly Outcome[]; readonly now: Date },
) => Promise<void>;

export interface OutcomeParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly reactions: readonly OutcomeReaction[];
  /** Counts reports for operators. */
  readonly counter?: OutcomeCounter | undefined;
}

export interface RecordedOutcomes {
  /** New ones, and those that say more of an event than what was kept. */
  readonly recordedCount: number;
  /** Reports of events that are kept already. */
  readonly repeatedCount: number;
  /** Reports that name no address, or say nothing. */
  readonly ignoredCount: number;
}

/** One search for all that a feed reports in a moment. */
const gatheringMs = 2_000;

/** The most reports of one call, so that a transaction stays short. */
const reportsAtOnceMax = 10_000;

/** More reports take turns by customer, and rest as long as they took: they keep a processor of API or database busy. */
const manyReports = 500;
const reportsPerStep = 200;
const restMsMax = 5_000;
const turns = new FairQueue({ placeCount: 2, restMsAfter: (ranMs) => Math.min(ranMs, restMsMax) });

/**
 * Keeps what happened to mail, each event once by whatever way and however often it arrives. Repeat it after a crash: what was kept
 * then is repeated and changes nothing.
 */
export async function recordOutcomes(
  parts: OutcomeParts,
  ownerId: AccountId,
  origin: OutcomeOrigin,
  reports: readonly OutcomeReport[],
): Promise<RecordedOutcomes> {
  if (reports.length > reportsAtOnceMax) throw new Error(`${reports.length} reports are too many at once.`);
  const record = () => recordInTurn(parts, ownerId, origin, reports);
  const recorded = await (reports.length > manyReports ? turns.run(ownerId, record) : record());
  parts.counter?.add(origin.source, recorded);
  return recorded;
}

async function recordInTurn(
  { db, clock, queue, reactions }: OutcomeParts,
  ownerId: AccountId,
  origin: OutcomeOrigin,
  reports: readonly OutcomeReport[],
): Promise<RecordedOutcomes> {
  const outcomes: Outcome[] = [];
  for (const [index, report] of reports.entries()) {
    if (index % reportsPerStep === reportsPerStep - 1) await nextTurn();
    const outcome = outcomeOf(report, origin);
    if (outcome) outcomes.push(outcome);
  }
  const ignoredCount = reports.length - outcomes.length;
  if (outcomes.length === 0) return { recordedCount: 0, repeatedCount: 0, ignoredCount };
  return runTransaction(db, async (tx) => {
    const { lastNumber, matchedNumber } = await lockCounters(tx, ownerId);
    const { added, replaced } = await siftOutcomes(outcomes, await findAlike(tx, ownerId, outcomes));
    if (added.length > 0) {
      const now = clock.now();
      await removeOutcomes(tx, ownerId, replaced);
      await insertOutcomes(tx, { ownerId, lastNumber, outcomes: added, now });
      // Else a job is enqueued or running that goes on until all are matched, or `resumeMatching` enqueues one.
      if (matchedNumber === lastNumber)
        await queue.enqueue(tx, matchOutcomesJob, { ownerId }, { afterMs: gatheringMs });
      for (const react of reactions) await react(tx, { ownerId, outcomes: added, now });
    }
    return { recordedCount: added.length, repeatedCount: outcomes.length - added.length, ignoredCount };
  });
}
