import * as z from 'zod/mini';
import { defineJob, type JobDefinition } from '../../platform/queue/index.ts';

const listSchema = z.strictObject({ ownerId: z.uuid(), listId: z.uuid() });

/** The run of the list that the job belongs to. Jobs of older versions lack it. */
const runField = { run: z.optional(z.int()) };

const chunkSchema = z.extend(listSchema, { chunkNumber: z.int(), ...runField });
export type ChunkPayload = z.output<typeof chunkSchema>;

const deferredSchema = z.extend(listSchema, {
  ...runField,
  rowNumbers: z.array(z.int()),
  /** When a host first deferred these addresses. */
  since: z.iso.datetime(),
  /** How often hosts have deferred them. Jobs of older versions lack it. */
  attempts: z.optional(z.int()),
});
export type DeferredPayload = z.output<typeof deferredSchema>;

const singleSchema = z.strictObject({
  ownerId: z.uuid(),
  validationId: z.uuid(),
  since: z.optional(z.iso.datetime()),
  attempts: z.optional(z.int()),
});
export type SinglePayload = z.output<typeof singleSchema>;

// A list must end even if workers die, so its jobs are retried for days before they become dead letters.
const patient = { expireSeconds: 900, retryLimit: 1_000, retryDelaySeconds: 1 } as const;

/** Short and long lists have separate queues, so that a short list never waits for long ones. */
export const verifyShortListJob = defineJob({
  name: 'validations.verify-short-list',
  payload: chunkSchema,
  startsAtOnce: true,
  ...patient,
});
export const verifyLongListJob = defineJob({
  name: 'validations.verify-long-list',
  payload: chunkSchema,
  startsAtOnce: true,
  ...patient,
});

const resumeSchema = z.extend(listSchema, { run: z.int(), fromChunk: z.int() });
export type ResumePayload = z.output<typeof resumeSchema>;

/** Enqueues the rows of a resumed list that have no result, a part of its chunks at a time. */
export const resumeListJob = defineJob({
  name: 'validations.resume-list',
  payload: resumeSchema,
  startsAtOnce: true,
  ...patient,
});

const prepareSchema = z.extend(listSchema, { run: z.int() });
export type PreparePayload = z.output<typeof prepareSchema>;

/** Copies the rows of a new list. */
export const prepareListJob = defineJob({
  name: 'validations.prepare-list',
  payload: prepareSchema,
  startsAtOnce: true,
  ...patient,
  expireSeconds: 3_600,
});

/** Gives rows of a list without a result the reason `not_checked`. */
export const finishListJob = defineJob({
  name: 'validations.finish-list',
  payload: listSchema,
  startsAtOnce: true,
  ...patient,
});

/** Deferred addresses. Greylisting hosts remember the client's address, so the same egress must try again. */
export const verifyDeferredJob = (egress: string): JobDefinition<DeferredPayload> =>
  defineJob({ name: `validations.verify-deferred.${egress}`, payload: deferredSchema, ...patient });

/** Singles have a queue of their own, which starts them at once. */
export const verifySingleJob = defineJob({
  name: 'validations.verify-single',
  payload: singleSchema,
  startsAtOnce: true,
  keepsNoRecord: true,
  ...patient,
});
export const verifyDeferredSingleJob = (egress: string): JobDefinition<SinglePayload> =>
  defineJob({ name: `validations.verify-deferred-single.${egress}`, payload: singleSchema, ...patient });

/** The sandbox has queues of its own, so that free work never delays paid work. */
export const verifySandboxSingleJob = defineJob({
  name: 'validations.verify-sandbox-single',
  payload: singleSchema,
  startsAtOnce: true,
  ...patient,
});
export const verifySandboxListJob = defineJob({
  name: 'validations.verify-sandbox-list',
  payload: chunkSchema,
  startsAtOnce: true,
  ...patient,
});
/** The dot keeps it apart from names that operators choose. */
export const sandboxEgress = 'sandbox.world';

/** Removes rows of deleted lists, drafts of earlier versions and expired files, and finishes forgotten lists. */
export const sweepValidationsJob = defineJob({
  name: 'validations.sweep',
  payload: z.strictObject({}),
  schedule: '*/5 * * * *',
  expireSeconds: 3_600,
  retryLimit: 0,
});
