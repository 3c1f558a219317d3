import * as z from 'zod/mini';
import { defineJob, type JobDefinition } from '../../platform/queue/index.ts';

const proveSchema = z.strictObject({
  ownerId: z.uuid(),
  guessIds: z.array(z.uuid()),
  /** The list that these people belong to. Absent for single guesses and in jobs of older versions. */
  listId: z.optional(z.uuid()),
  /** When a host first deferred addresses of these people. */
  since: z.optional(z.iso.datetime()),
  /** How often hosts have deferred them. Jobs of older versions lack it. */
  attempts: z.optional(z.int()),
  /** The run of the list. Absent where the list is. */
  run: z.optional(z.int()),
});
export type ProvePayload = z.output<typeof proveSchema>;

// A guess must end even if workers die, so its jobs are retried for days before they become dead letters.
const patient = { expireSeconds: 900, retryLimit: 1_000, retryDelaySeconds: 1 } as const;

/** Single guesses have a queue of their own, so that they never wait for lists. */
export const proveSingleJob = defineJob({
  name: 'guessing.prove-single',
  payload: proveSchema,
  startsAtOnce: true,
  ...patient,
});

export const proveListJob = defineJob({
  name: 'guessing.prove-list',
  payload: proveSchema,
  startsAtOnce: true,
  ...patient,
});

/** Enqueues the people of a resumed list. */
export const resumeGuessListJob = defineJob({
  name: 'guessing.resume-list',
  payload: z.strictObject({ ownerId: z.uuid(), listId: z.uuid(), run: z.int() }),
  startsAtOnce: true,
  ...patient,
});

/** Gives people of a list without an outcome the reason `not_checked`. */
export const finishGuessListJob = defineJob({
  name: 'guessing.finish-list',
  payload: z.strictObject({ ownerId: z.uuid(), listId: z.uuid() }),
  startsAtOnce: true,
  ...patient,
});

/** People with deferred addresses. Greylisting hosts remember the client's address, so the same egress must try again. */
export const proveDeferredJob = (egress: string): JobDefinition<ProvePayload> =>
  defineJob({ name: `guessing.prove-deferred.${egress}`, payload: proveSchema, ...patient });

/** Removes expired uploads, and finishes forgotten lists. */
export const sweepGuessingJob = defineJob({
  name: 'guessing.sweep',
  payload: z.strictObject({}),
  schedule: '*/15 * * * *',
  expireSeconds: 600,
  retryLimit: 0,
});
