import type { Outcome, Verifier } from '@assay/verifier';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import { type DeferredPayload, verifyDeferredJob } from '../validations.jobs.ts';
import { findingOf } from '../verification/finding.ts';
import type { ListPlace } from './copy-rows.ts';
import type { PieceResults, ResultsWriter } from './results-writer.ts';
import type { RowToVerify } from './work.store.ts';
import { ListGone, type RowFinding } from './write-results.ts';

/** How long hosts may put the addresses of a list off before their verdict is UNKNOWN. */
const patienceMs = 4 * 3_600_000;

export interface RowWork {
  readonly db: Db;
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly verifier: Verifier;
  readonly results: ResultsWriter;
  readonly egress: string;
}

/** Verifies rows of a list, and sees to it that those put off are asked again. */
export async function verifyRows(
  work: RowWork,
  place: ListPlace,
  { rows, since }: { readonly rows: RowToVerify[]; readonly since: Date | null },
  signal: AbortSignal,
): Promise<void> {
  if (rows.length === 0) return;

  const results = work.results.open(place);
  try {
    const deferred = await writeAsTheyCome(work, results, rows, since, signal);
    await results.finish();
    await askAgainLater(work, place, deferred, since);
  } catch (error) {
    // A deleted list needs no more work; that is how this piece ends well.
    if (!(error instanceof ListGone)) throw error;
  } finally {
    results.close();
  }
}

type Deferred = Extract<Outcome<RowToVerify>, { kind: 'try_again' }>;

async function writeAsTheyCome(
  { clock, verifier }: RowWork,
  results: PieceResults,
  rows: RowToVerify[],
  since: Date | null,
  signal: AbortSignal,
): Promise<Deferred[]> {
  const deferred: Deferred[] = [];
  // The engine's own patience is not used: an address that is put off leaves it and comes back as a job.
  for await (const batch of verifier.verifyAll(rows, { deferrals: 'return', signal }).batches()) {
    const findings: RowFinding[] = [];
    for (const outcome of batch) {
      if (outcome.kind === 'try_again' && hasPatience(clock.now(), since, outcome.afterMs)) {
        deferred.push(outcome);
      } else {
        findings.push({ rowNumber: outcome.item.rowNumber, ...findingOf(outcome) });
      }
    }
    results.add(findings);
  }
  return deferred;
}

function hasPatience(now: Date, since: Date | null, afterMs: number): boolean {
  const putOffMs = since === null ? 0 : now.getTime() - since.getTime();
  return putOffMs + afterMs <= patienceMs;
}

/** One job for each time that hosts named, in whole seconds. */
async function askAgainLater(
  { db, clock, queue, egress }: RowWork,
  { ownerId, listId }: ListPlace,
  deferred: readonly Deferred[],
  since: Date | null,
): Promise<void> {
  if (deferred.length === 0) return;
  const now = clock.now();
  const byDelay = Map.groupBy(deferred, ({ afterMs }) => Math.ceil(afterMs / 1_000));
  const items = [...byDelay].map(([seconds, outcomes]) => ({
    payload: {
      ownerId,
      listId,
      rowNumbers: outcomes.map(({ item }) => item.rowNumber),
      since: (since ?? now).toISOString(),
    } satisfies DeferredPayload,
    startAfter: new Date(now.getTime() + seconds * 1_000),
  }));
  await db.transaction().execute((tx) => queue.enqueueMany(tx, verifyDeferredJob(egress), items));
}
