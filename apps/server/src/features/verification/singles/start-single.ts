import { randomUUID } from 'node:crypto';
import type { SingleValidation, SingleValidationDetail } from '@assay/contract';
import { parseAddress } from '@assay/verifier';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { answerOnce, type IdempotentCall } from '../../../platform/idempotency/idempotency.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import { type PayingKey, paidWork } from '../../billing/index.ts';
import { type Availability, isTestDomain, reasonAnswer } from '../../engine/index.ts';
import { countAsked } from '../metrics.store.ts';
import { sandboxMark } from '../sandbox.ts';
import { verifySandboxSingleJob, verifySingleJob } from '../verification.jobs.ts';
import { insertSingle, type ListedSingle, type SingleRow } from './singles.store.ts';

export interface SinglesParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly availability: Availability;
}

interface NewSingle {
  readonly ownerId: string;
  readonly emailAddress: string;
  readonly isSandbox: boolean;
  /** The scoped API key that orders it. */
  readonly apiKey: PayingKey | undefined;
}

/** Starts the check of one address: holds its credit and enqueues its job in one transaction. */
export async function startSingle(
  { db, clock, queue, availability }: SinglesParts,
  { ownerId, emailAddress, isSandbox, apiKey }: NewSingle,
  call: IdempotentCall | null,
): Promise<SingleValidation> {
  const parsed = parseAddress(emailAddress);
  if (!parsed.ok) {
    throw new AppError(
      'email_not_valid',
      { reason: parsed.reason },
      { meta: { field: 'email_address', reason: parsed.reason } },
    );
  }
  if (isSandbox && !isTestDomain(parsed.domain)) {
    throw new AppError('sandbox_address', {}, { meta: { field: 'email_address' } });
  }
  const now = clock.now();
  const id = randomUUID();
  const work = paidWork({ kind: 'single', ownerId, id, isSandbox, apiKey });
  return answerOnce(db, call, now, async (tx) => {
    if (!isSandbox) await availability.requireFor(tx, [parsed.domain]);
    const single = await insertSingle(tx, {
      ownerId,
      id,
      emailAddress: parsed.email,
      isSandbox,
      apiKeyId: apiKey?.id ?? null,
      now,
    });
    const job = isSandbox ? verifySandboxSingleJob : verifySingleJob;
    await queue.enqueue(tx, job, { ownerId, validationId: id });
    await work.count(() => countAsked(tx, { ownerId, askedAt: now }, 1));
    await work.hold(tx, 1, now);
    return singleAnswer(single);
  });
}

export const singleAnswer = (single: ListedSingle): SingleValidation => ({
  id: single.id,
  email_address: single.email_address,
  email_address_status: single.verdict,
  status: single.status,
  reason: reasonAnswer(single.reason),
  waiting: null,
  creation_date: single.created_at.toISOString(),
  ...sandboxMark(single.is_sandbox),
});

export const singleDetailAnswer = (
  single: SingleRow,
  answer: SingleValidation = singleAnswer(single),
): SingleValidationDetail => ({
  ...withoutDetail(answer),
  ...(single.detail && { ...single.detail, evidence: [...single.detail.evidence] }),
});

/** A check that has only started has no details yet. */
export const withoutDetail = (single: SingleValidation): SingleValidationDetail => ({
  ...single,
  flags: null,
  mx_provider: null,
  suggestion: null,
  evidence: [],
});
