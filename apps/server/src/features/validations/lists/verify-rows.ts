import type { Outcome, Verifier } from '@assay/verifier';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import { type DeferredPayload, verifyDeferredJob } from '../validations.jobs.ts';
import { findingOf } from '../verification/finding.ts';
import { inBatches } from '../verification/in-batches.ts';
import type { ListPlace } from './copy-rows.ts';
import { findRowsToVerify, type RowToVerify } from './work.store.ts';
import { ListGone, type RowFinding, writeResults } from './write-results.ts';

/** How long hosts may put the addresses of a list off before their verdict is UNKNOWN. */
const patienceMs = 4 * 3_600_000;
/** A result waits at most this long for others to be written with it: progress moves at least every second. */
const flushEveryMs = 400;
const flushLength = 200;

export interface RowWork {
  readonly db: Db;
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly verifier: Verifier;
  readonly egress: string;
}

/** Verifies rows of a list that have no result yet, and sees to it that those put off are asked again. */
export async function verifyRows(
  work: RowWork,
  place: ListPlace,
  piece: { readonly rowNumbers: readonly number[]; readonly since: Date | null },
  signal: AbortSignal,
): Promise<void> {
  const rows = await findRowsToVerify(work.db, place, piece.rowNumbers);
  if (rows.length === 0) return;

  try {
    const deferred = await writeAsTheyCome(work, place, rows, piece.since, signal);
    await askAgainLater(work, place, deferred, piece.since);
  } catch (error) {
    // A deleted list needs no more work; that is how this piece ends well.
    if (!(error instanceof ListGone)) throw error;
  }
}

type Deferred = Extract<Outcome<RowToVerify>, { kind: 'try_again' }>;

async function writeAsTheyCome(
  { db, clock, queue, verifier }: RowWork,
  place: ListPlace,
  rows: RowToVerify[],
  since: Date | null,
  signal: AbortSignal,
): Promise<Deferred[]> {
  const deferred: Deferred[] = [];
  // The engine's own patience is not used: an address that is put off leaves it and comes back as a job.
  const outcomes = verifier.verifyAll(rows, { deferrals: 'return', signal });
  for await (const batch of inBatches(outcomes, { lengthMax: flushLength, waitMaxMs: flushEveryMs })) {
    const findings: RowFinding[] = [];
    for (const outcome of batch) {
      if (outcome.kind === 'try_again' && hasPatience(clock.now(), since, outcome.afterMs)) {
        deferred.push(outcome);
      } else {
        findings.push({ rowNumber: outcome.item.rowNumber, ...findingOf(outcome) });
      }
    }
    if (findings.length > 0) await writeResults({ db, queue }, place, findings, clock.now());
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
