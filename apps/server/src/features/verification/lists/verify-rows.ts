import type { TryAgain, Verifier } from '@assay/verifier';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import { findingOf, hasPatience, laterJobs } from '../../engine/index.ts';
import type { ListPlace } from '../../lists/index.ts';
import { verifyDeferredJob } from '../verification.jobs.ts';
import type { PieceResults, ResultsWriter } from './results-writer.ts';
import type { RowToVerify } from './work.store.ts';
import { ListGone, type RowFinding } from './write-results.ts';

export interface RowWork {
  readonly db: Db;
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly verifier: Verifier;
  readonly results: ResultsWriter;
  readonly egress: string;
}

/** Rows of a list, and what happened to them before. */
interface Rows {
  readonly rows: RowToVerify[];
  /** When a host first deferred them. */
  readonly since: Date | null;
  readonly deferralCount: number;
}

/** Verifies rows of a list and enqueues the deferred ones for later. */
export async function verifyRows(
  work: RowWork,
  place: ListPlace,
  piece: Rows,
  signal: AbortSignal,
): Promise<void> {
  if (piece.rows.length === 0) return;

  const results = work.results.open(place);
  try {
    const deferred = await writeAsTheyCome(work, results, piece, signal);
    await results.finish();
    await askAgainLater(work, place, deferred, piece.since);
  } catch (error) {
    // A deleted list needs no more work, so the job succeeds.
    if (!(error instanceof ListGone)) throw error;
  } finally {
    results.close();
  }
}

async function writeAsTheyCome(
  { clock, verifier }: RowWork,
  results: PieceResults,
  { rows, since, deferralCount }: Rows,
  signal: AbortSignal,
): Promise<TryAgain<RowToVerify>[]> {
  const deferred: TryAgain<RowToVerify>[] = [];
  // Deferred addresses come back as jobs, so the engine does not wait for them itself.
  const outcomes = verifier.verifyAll(rows, { deferrals: 'return', deferralCount, signal });
  for await (const batch of outcomes.batches()) {
    const findings: RowFinding[] = [];
    const now = clock.now();
    for (const outcome of batch) {
      if (
        outcome.kind === 'try_again' &&
        hasPatience('list', { now, since: since ?? now, afterMs: outcome.afterMs })
      ) {
        deferred.push(outcome);
      } else {
        findings.push({ rowNumber: outcome.item.rowNumber, ...findingOf(outcome) });
      }
    }
    results.add(findings);
  }
  return deferred;
}

async function askAgainLater(
  { db, clock, queue, egress }: RowWork,
  { ownerId, listId }: ListPlace,
  deferred: readonly TryAgain<RowToVerify>[],
  since: Date | null,
): Promise<void> {
  if (deferred.length === 0) return;
  const now = clock.now();
  const jobs = laterJobs(deferred, now, (rows, attempts) => ({
    ownerId,
    listId,
    rowNumbers: rows.map(({ rowNumber }) => rowNumber),
    since: (since ?? now).toISOString(),
    attempts,
  }));
  await db.transaction().execute((tx) => queue.enqueueMany(tx, verifyDeferredJob(egress), jobs));
}
