import * as z from 'zod/mini';
import { defineJob, type JobDefinition } from '../../platform/queue/index.ts';

const proveSchema = z.strictObject({
  ownerId: z.uuid(),
  guessIds: z.array(z.uuid()),
  /** When a host first put these people's addresses off: patience is counted from there. */
  since: z.optional(z.iso.datetime()),
});
export type ProvePayload = z.output<typeof proveSchema>;

// A guess must end whatever happens to workers on the way, so its work is tried for days before it becomes a dead letter.
const patient = { expireSeconds: 900, retryLimit: 1_000, retryDelaySeconds: 1 } as const;

/** Single guesses have a lane of their own, woken at once: no list is in their way. */
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

/** People whose host asked us to come back. Greylisting hosts remember who asked, so the same egress must ask again. */
export const proveDeferredJob = (egress: string): JobDefinition<ProvePayload> =>
  defineJob({ name: `guessing.prove-deferred.${egress}`, payload: proveSchema, ...patient });

/** Removes previewed files past their day. */
export const sweepGuessingJob = defineJob({
  name: 'guessing.sweep',
  payload: z.strictObject({}),
  schedule: '*/15 * * * *',
  expireSeconds: 600,
  retryLimit: 0,
});
