import type { Verifier } from '@assay/verifier';
import { batchByKey } from '../../../platform/batch-by-key.ts';
import { type Clock, type Schedule, systemSchedule } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { onBehalfOf } from '../../../platform/database/fair-pool.ts';
import { shareLookups } from '../../../platform/database/share-lookups.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import {
  causeOf,
  deferralCountOf,
  hasPatience,
  saveBills,
  storedFindingOf,
  traceChecks,
  waitOf,
  withBill,
} from '../../engine/index.ts';
import { type SinglePayload, verifyDeferredSingleJob } from '../verification.jobs.ts';
import { completeSingles, type FoundSingle } from './complete-singles.ts';
import { findSinglesAt, markInProgress, noteWait, type SinglePlace } from './singles.store.ts';

export interface SingleWork {
  readonly db: Db;
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly verifier: Verifier;
  readonly egress: string;
  readonly schedule?: Schedule;
}

export type VerifySingle = (payload: SinglePayload, signal: AbortSignal) => Promise<void>;

/** Most checks end before this, and then nothing has to be written about their progress. */
const inProgressAfterMs = 500;
/** Further checks are completed with the next transaction, so that the rows they share are locked for a short time. */
const completedTogetherMax = 100;

/**
 * Verifies one address. A deferred one becomes a later job, within the patience for singles. Checks are read together, and those of
 * one customer that end together share a transaction.
 */
export function createSingleVerifier(work: SingleWork): VerifySingle {
  const { db, clock, queue, egress, schedule = systemSchedule } = work;
  const findSingle = shareLookups((places: readonly SinglePlace[]) => findSinglesAt(db, places));
  const complete = batchByKey<FoundSingle, undefined>({
    lengthMax: completedTogetherMax,
    handle: (singles) =>
      onBehalfOf((singles[0] as FoundSingle).ownerId, () => completeSingles(work, singles)),
  });

  return async (payload, signal) => {
    const { ownerId, validationId } = payload;
    const single = await findSingle({ ownerId, validationId });
    if (!single || single.status === 'COMPLETE') return;

    const cancelMark = schedule(() => {
      // If this fails, the check only looks as if it waited for a worker.
      markInProgress(db, payload).catch(() => undefined);
    }, inProgressAfterMs);
    await withBill(db, { ownerId }, async (bill) => {
      const finding = await work.verifier
        .verify(single.email_address, {
          deferrals: 'return',
          deferralCount: deferralCountOf(payload),
          customer: ownerId,
          bill,
          signal,
        })
        .finally(cancelMark);
      signal.throwIfAborted();
      const now = clock.now();
      traceChecks([finding], now);
      const since = payload.since ? new Date(payload.since) : now;
      const isDeferred =
        finding.kind === 'try_again' && hasPatience('single', { now, since, afterMs: finding.afterMs });
      if (!isDeferred)
        return complete(ownerId, {
          ownerId,
          validationId,
          finding: storedFindingOf(finding),
          bill: bill.take(),
        });

      const later = { ownerId, validationId, since: since.toISOString(), attempts: finding.deferralCount };
      const { afterMs } = finding;
      const { host, until } = waitOf(finding, now);
      await db.transaction().execute(async (tx) => {
        await saveBills(tx, [{ ownerId, bill: bill.take() }]);
        await noteWait(tx, payload, { cause: causeOf(finding), host, until: until.toISOString() });
        await queue.enqueue(tx, verifyDeferredSingleJob(egress), later, { afterMs });
      });
    });
  };
}
