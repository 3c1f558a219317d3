import type { SingleValidation, SingleValidationDetail } from '@assay/contract';
import { parseAddress } from '@assay/verifier';
import { batchByKey } from '../../../platform/batch-by-key.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { onBehalfOf } from '../../../platform/database/fair-pool.ts';
import { shareLookups } from '../../../platform/database/share-lookups.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { publishEvents } from '../../../platform/events/index.ts';
import {
  findAnswers,
  type IdempotentCall,
  rememberAnswers,
  replaceAnswer,
} from '../../../platform/idempotency/answers.store.ts';
import { answerOf, orTwinsAnswer, TwinWasQuicker } from '../../../platform/idempotency/idempotency.ts';
import type { AccountId } from '../../../platform/ids.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import { linkToTrace, type TraceLink } from '../../../platform/tracing/index.ts';
import { billingChanged, holdTogether, type PayingKey } from '../../billing/index.ts';
import {
  type Availability,
  detailFlagsAnswer,
  evidenceAnswer,
  isTestDomain,
  reasonAnswer,
} from '../../engine/index.ts';
import { queueEvents } from '../../webhooks/index.ts';
import { countAsked } from '../metrics.store.ts';
import { sandboxMark } from '../sandbox.ts';
import { verifySandboxSingleJob, verifySingleJob } from '../verification.jobs.ts';
import { type InsertedSingle, insertSingles, type ListedSingle, type SingleRow } from './singles.store.ts';

export interface SinglesParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly availability: Availability;
}

export interface NewSingle {
  readonly ownerId: AccountId;
  readonly id: string;
  readonly emailAddress: string;
  readonly isSandbox: boolean;
  /** Asks also if the address is suppressed. */
  readonly ignoresSuppression: boolean;
  /** The API key that orders it. */
  readonly apiKey: PayingKey | undefined;
}

/** The answer has another id if a call with the same Idempotency-Key has started a check before. */
export type StartSingle = (single: NewSingle, call: IdempotentCall | null) => Promise<SingleValidation>;

interface StartingSingle extends NewSingle {
  readonly domain: string;
  readonly target: string | null;
  readonly call: IdempotentCall | null;
  readonly trace: TraceLink;
}

/** Further checks start with the next transaction, so that the rows they share are locked for a short time. */
const startedTogetherMax = 100;

/**
 * Starts checks: holds their credits and enqueues their jobs. Checks that one customer asks for at the same time share a
 * transaction. Where it fails, for example because the credits are not enough for all of them, each gets one of its own.
 * See docs/decisions/singles-together.md.
 */
export function createSingleStarter(parts: SinglesParts): StartSingle {
  const findStored = shareLookups((calls: readonly IdempotentCall[]) => findAnswers(parts.db, calls));
  const start = batchByKey<StartingSingle, SingleValidation>({
    lengthMax: startedTogetherMax,
    handle: (singles) => {
      const first = singles[0] as StartingSingle;
      return onBehalfOf(first.ownerId, async () =>
        singles.length > 1 ? startTogether(parts, singles) : [await startAlone(parts, first)],
      );
    },
  });
  return async (single, call) => {
    const parsed = parseAddress(single.emailAddress);
    if (!parsed.ok) {
      throw new AppError(
        'email_not_valid',
        { reason: parsed.reason },
        { meta: { field: 'email_address', reason: parsed.reason } },
      );
    }
    const { email: emailAddress, domain } = parsed;
    if (single.isSandbox && !isTestDomain(domain)) {
      throw new AppError('sandbox_address', {}, { meta: { field: 'email_address' } });
    }
    // One call that is repeated would fail the transaction of all that share it.
    const before = call && answerOf<SingleValidation>(call, await findStored(call));
    if (before) return before;
    const key = [single.ownerId, single.apiKey?.id, single.isSandbox].join();
    // For the sandbox, which asks nobody, nothing is suppressed.
    const isScreened = !single.isSandbox && !single.ignoresSuppression;
    const target = isScreened ? parsed.mailbox.toLowerCase() : null;
    return start(key, { ...single, emailAddress, domain, target, call, trace: linkToTrace() });
  };
}

const startAlone = (parts: SinglesParts, single: StartingSingle): Promise<SingleValidation> =>
  orTwinsAnswer(parts.db, single.call, async () => {
    const [answer] = await startTogether(parts, [single]);
    return answer as SingleValidation;
  });

/** Starts checks of one customer and key in one transaction. */
async function startTogether(
  parts: SinglesParts,
  singles: readonly StartingSingle[],
): Promise<SingleValidation[]> {
  const now = parts.clock.now();
  return parts.db.transaction().execute(async (tx) => {
    const calls = singles.map((single) => ({ call: single.call, answer: startedAnswer(single, now) }));
    // First, because it may wait for another call with the same key, and the wallet must not be locked then.
    if (!(await rememberAnswers(tx, calls, now))) throw new TwinWasQuicker();
    const inserted = await insertTogether(tx, singles, now);
    const endOf = new Map(inserted.filter(({ status }) => status === 'COMPLETE').map((end) => [end.id, end]));
    const isAsked = ({ id }: StartingSingle) => !endOf.has(id);
    if (inserted.length > endOf.size) await askAndHold(parts, tx, singles.filter(isAsked), now);
    if (endOf.size === 0) return calls.map(({ answer }) => answer);
    const answers = singles.map((single) => startedAnswer(single, now, endOf.get(single.id)));
    for (const [place, { call, id }] of singles.entries())
      if (call && endOf.has(id)) await replaceAnswer(tx, call, answers[place]);
    const { ownerId } = singles[0] as StartingSingle;
    await announceSuppressed(parts, tx, { ownerId, answers: answers.filter(({ id }) => endOf.has(id)), now });
    return answers;
  });
}

/** All of the checks have the same customer and key. */
async function insertTogether(
  tx: Tx,
  singles: readonly StartingSingle[],
  now: Date,
): Promise<InsertedSingle[]> {
  const { ownerId, isSandbox, apiKey } = singles[0] as StartingSingle;
  const apiKeyId = apiKey?.id ?? null;
  const inserted = await insertSingles(tx, { ownerId, singles, isSandbox, apiKeyId, now });
  // If it is none, they started before, in a transaction whose end we did not hear.
  if (inserted.length > 0 && inserted.length < singles.length)
    throw new Error('Some of these checks have already started.');
  return inserted;
}

/** Their addresses are suppressed, so they are complete and cost nothing. */
async function announceSuppressed(
  { queue }: SinglesParts,
  tx: Tx,
  { ownerId, answers, now }: { ownerId: string; answers: readonly SingleValidation[]; now: Date },
): Promise<void> {
  await publishEvents(
    tx,
    ownerId,
    answers.map(({ id }) => ({
      event_type: 'verification_complete',
      event_metadata: { email_address_status: 'UNKNOWN', validation_id: id },
    })),
  );
  await queueEvents(tx, queue, {
    ownerId,
    type: 'email_validation.completed',
    works: answers.map((answer) => ({ workCreatedAt: now, readData: async () => withoutDetail(answer) })),
    now,
  });
}

/** Holds the credits of checks that insertTogether has inserted, and enqueues their jobs. */
async function askAndHold(
  { queue, availability }: SinglesParts,
  tx: Tx,
  singles: readonly StartingSingle[],
  now: Date,
): Promise<void> {
  const { ownerId, isSandbox, apiKey } = singles[0] as StartingSingle;
  if (!isSandbox) {
    await availability.requireFor(
      tx,
      singles.map(({ domain }) => domain),
    );
  }
  const jobs = singles.map(({ id, trace }) => ({ payload: { ownerId, validationId: id }, trace }));
  await queue.enqueueMany(tx, isSandbox ? verifySandboxSingleJob : verifySingleJob, jobs);
  if (isSandbox) return;
  await publishEvents(tx, ownerId, [billingChanged]);
  await countAsked(tx, { ownerId, askedAt: now }, singles.length);
  const ids = singles.map(({ id }) => id);
  await holdTogether(tx, { kind: 'single', ownerId, ids, creditsEach: 1, apiKey, now, isPublished: true });
}

const startedAnswer = (
  { id, emailAddress, isSandbox }: NewSingle,
  now: Date,
  end?: InsertedSingle,
): SingleValidation =>
  singleAnswer({
    id,
    email_address: emailAddress,
    status: end?.status ?? 'PENDING',
    verdict: end?.verdict ?? null,
    reason: end?.reason ?? null,
    is_sandbox: isSandbox,
    wait: null,
    created_at: now,
  });

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
  ...(single.detail && {
    mx_provider: single.detail.mx_provider ?? null,
    suggestion: single.detail.suggestion,
    flags: detailFlagsAnswer(single.detail),
    evidence: evidenceAnswer(single.detail),
  }),
});

/** A check that has only started has no details yet. */
export const withoutDetail = (single: SingleValidation): SingleValidationDetail => ({
  ...single,
  flags: null,
  mx_provider: null,
  suggestion: null,
  evidence: [],
});
