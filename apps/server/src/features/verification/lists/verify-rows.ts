import type { QuestionBill, TryAgain, Verifier } from '@assay/verifier';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { readDatabaseTime } from '../../../platform/database/database-time.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import {
  hasPatience,
  laterJobs,
  storedFindingOf,
  traceChecks,
  waitsOf,
  withBill,
} from '../../engine/index.ts';
import type { RowFinding } from '../rows/results.store.ts';
import type { ListRun, RowToVerify } from '../rows/work.store.ts';
import { verifyDeferredJob } from '../verification.jobs.ts';
import { emailLists } from './email-lists.ts';
import type { PieceResults, ResultsWriter } from './results-writer.ts';
import { ListGone } from './write-results.ts';

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
  run: ListRun,
  piece: Rows,
  signal: AbortSignal,
): Promise<void> {
  if (piece.rows.length === 0) return;

  const results = work.results.open(run);
  try {
    const deferred = await withBill(work.db, run, async (bill) => {
      const found = await writeAsTheyCome(work, results, piece, { customer: run.ownerId, bill, signal });
      await results.finish();
      return found;
    });
    // A list that was paused meanwhile goes on with the patience of these rows when it is resumed.
    await askAgainLater(work, run, deferred, piece.since);
  } catch (error) {
    // A deleted or finished list needs no more work, so the job succeeds.
    if (!(error instanceof ListGone)) throw error;
  } finally {
    results.close();
  }
}

async function writeAsTheyCome(
  { clock, verifier }: RowWork,
  results: PieceResults,
  { rows, since, deferralCount }: Rows,
  {
    customer,
    bill,
    signal,
  }: { readonly customer: string; readonly bill: QuestionBill; readonly signal: AbortSignal },
): Promise<TryAgain<RowToVerify>[]> {
  const deferred: TryAgain<RowToVerify>[] = [];
  let findingCount = 0;
  // Deferred addresses come back as jobs, so the engine does not wait for them itself.
  const found = verifier.verifyAll(rows, { deferrals: 'return', deferralCount, customer, bill, signal });
  for await (const batch of found.batches()) {
    const written: RowFinding[] = [];
    const now = clock.now();
    traceChecks(batch, now, ({ rowNumber }) => rowNumber);
    for (const finding of batch) {
      if (
        finding.kind === 'try_again' &&
        hasPatience('list', { now, since: since ?? now, afterMs: finding.afterMs })
      ) {
        deferred.push(finding);
      } else {
        written.push({ rowNumber: finding.item.rowNumber, ...storedFindingOf(finding) });
      }
    }
    const [first, ...others] = written;
    results.add(first === undefined ? [] : [{ ...first, bill: bill.take() }, ...others]);
    findingCount += batch.length;
    // Leaving cancels the rest.
    if (!results.isWanted()) return deferred;
  }
  // The job must not count as complete: its list would wait for these rows for ever.
  if (findingCount < rows.length) throw new Error('The engine ended before every row had a finding.');
  return deferred;
}

async function askAgainLater(
  { db, clock, queue, egress }: RowWork,
  { ownerId, listId, run }: ListRun,
  deferred: readonly TryAgain<RowToVerify>[],
  since: Date | null,
): Promise<void> {
  if (deferred.length === 0) return;
  const deferredSince = since ?? clock.now();
  const jobs = laterJobs(deferred, (rows, attempts) => ({
    ownerId,
    listId,
    run,
    rowNumbers: rows.map(({ rowNumber }) => rowNumber),
    since: deferredSince.toISOString(),
    attempts,
  }));
  await db.transaction().execute(async (tx) => {
    // A list that is being finished, or is gone, asks for no row again.
    const status = (await emailLists.answers.find(tx, { ownerId, listId }))?.status;
    if (status !== 'PENDING' && status !== 'PAUSED') return;
    await queue.enqueueMany(tx, verifyDeferredJob(egress), jobs);
    const waits = waitsOf(deferred, { now: await readDatabaseTime(tx), since: deferredSince });
    await emailLists.results.deferRows(tx, { ownerId, listId }, run, waits);
  });
}
