import * as z from 'zod/mini';
import { defineJob, type JobDefinition } from '../../platform/queue/index.ts';

const chunkSchema = z.strictObject({ ownerId: z.uuid(), listId: z.uuid(), chunkNumber: z.int() });
export type ChunkPayload = z.output<typeof chunkSchema>;

const deferredSchema = z.strictObject({
  ownerId: z.uuid(),
  listId: z.uuid(),
  rowNumbers: z.array(z.int()),
  /** When a host first put these addresses off: patience is counted from there. */
  since: z.iso.datetime(),
});
export type DeferredPayload = z.output<typeof deferredSchema>;

const singleSchema = z.strictObject({
  ownerId: z.uuid(),
  validationId: z.uuid(),
  since: z.optional(z.iso.datetime()),
});
export type SinglePayload = z.output<typeof singleSchema>;

// A list must end whatever happens to workers on the way, so its work is tried for days before it becomes a dead letter.
const patient = { expireSeconds: 900, retryLimit: 1_000, retryDelaySeconds: 1 } as const;

/** The two lanes of lists: a short one never queues behind the pieces of long ones. */
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

/** Addresses whose host asked us to come back. Greylisting hosts remember who asked, so the same egress must ask again. */
export const verifyDeferredJob = (egress: string): JobDefinition<DeferredPayload> =>
  defineJob({ name: `validations.verify-deferred.${egress}`, payload: deferredSchema, ...patient });

/** Singles have a lane of their own, woken at once. */
export const verifySingleJob = defineJob({
  name: 'validations.verify-single',
  payload: singleSchema,
  startsAtOnce: true,
  ...patient,
});
export const verifyDeferredSingleJob = (egress: string): JobDefinition<SinglePayload> =>
  defineJob({ name: `validations.verify-deferred-single.${egress}`, payload: singleSchema, ...patient });

/** The sandbox has lanes of its own: what is free never holds up what is paid for. */
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
/** With a dot, which no name of an operator's has. */
export const sandboxEgress = 'sandbox.world';

/** Removes what nobody will ask for again: rows of deleted lists, drafts of crashed uploads, files past their day. */
export const sweepValidationsJob = defineJob({
  name: 'validations.sweep',
  payload: z.strictObject({}),
  schedule: '*/5 * * * *',
  expireSeconds: 3_600,
  retryLimit: 0,
});
