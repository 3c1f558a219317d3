import type { Verifier } from '@assay/verifier';
import type { Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { runTransaction } from '../../../platform/database/run-transaction.ts';
import { publishEvent } from '../../../platform/events/publish.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import { paidWork } from '../../billing/index.ts';
import {
  causeOf,
  deferralCountOf,
  type Finding,
  findingOf,
  hasPatience,
  isCharged,
  traceChecks,
  waitOf,
} from '../../engine/index.ts';
import { queueEvent } from '../../webhooks/index.ts';
import { countVerdicts } from '../metrics.store.ts';
import { type SinglePayload, verifyDeferredSingleJob } from '../verification.jobs.ts';
import { findSingle, markInProgress, markSingleComplete, noteWait, type SingleRow } from './singles.store.ts';
import { singleDetailAnswer } from './start-single.ts';

export interface SingleWork {
  readonly db: Db;
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly verifier: Verifier;
  readonly egress: string;
}

/** Verifies one address. A deferred one becomes a later job, within the patience for singles. */
export async function verifySingle(
  work: SingleWork,
  payload: SinglePayload,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock, queue, egress } = work;
  const single = await findSingle(db, payload.ownerId, payload.validationId);
  if (!single || single.status === 'COMPLETE') return;

  await markInProgress(db, payload.ownerId, payload.validationId);
  const outcome = await work.verifier.verify(single.email_address, {
    deferrals: 'return',
    deferralCount: deferralCountOf(payload),
    customer: payload.ownerId,
    signal,
  });
  signal.throwIfAborted();
  const now = clock.now();
  traceChecks([outcome], now);
  const since = payload.since ? new Date(payload.since) : now;
  const isPutOff =
    outcome.kind === 'try_again' && hasPatience('single', { now, since, afterMs: outcome.afterMs });
  if (!isPutOff) return completeSingle(work, payload, findingOf(outcome), now);

  const { ownerId, validationId } = payload;
  const later = { ownerId, validationId, since: since.toISOString(), attempts: outcome.deferralCount };
  const { afterMs } = outcome;
  const { host, until } = waitOf(outcome, now);
  await db.transaction().execute(async (tx) => {
    await noteWait(tx, payload, { cause: causeOf(outcome), host, until: until.toISOString() });
    await queue.enqueue(tx, verifyDeferredSingleJob(egress), later, { afterMs });
  });
}

/** Writes the result, counters, settlement and events in one transaction, once. */
function completeSingle(
  { db, queue }: SingleWork,
  { ownerId, validationId }: SinglePayload,
  finding: Finding,
  now: Date,
): Promise<void> {
  return runTransaction(db, async (tx) => {
    const completed = await markSingleComplete(tx, { ownerId, validationId, finding, now });
    if (!completed) return;

    await publishEvent(tx, ownerId, {
      event_type: 'verification_complete',
      event_metadata: { email_address_status: finding.verdict, validation_id: validationId },
    });
    const work = paidWork({ kind: 'single', ownerId, id: validationId, isSandbox: completed.is_sandbox });
    const counts = { VALID: 0, INVALID: 0, CATCH_ALL: 0, UNKNOWN: 0, [finding.verdict]: 1 };
    await work.count(() => countVerdicts(tx, { ownerId, askedAt: completed.created_at }, counts));
    await work.settle(tx, isCharged(finding.verdict) ? 1 : 0, now);
    await queueEvent(tx, queue, {
      ownerId,
      type: 'email_validation.completed',
      workCreatedAt: completed.created_at,
      readData: async () => singleDetailAnswer(await findCompleted(tx, ownerId, validationId)),
      now,
    });
  });
}

async function findCompleted(tx: Tx, ownerId: string, validationId: string): Promise<SingleRow> {
  const single = await findSingle(tx, ownerId, validationId);
  if (!single) throw new Error('A single that was completed in this transaction is not there.');
  return single;
}
