import type * as z from 'zod/mini';

/** A kind of background work: what enqueues it and what runs it agree on this and need nothing else of each other. */
export interface JobDefinition<Payload extends object = object> {
  /** Also the name of its queue: letters, digits, dots and hyphens. */
  readonly name: string;
  /** Checked when a job is enqueued and again when it runs, perhaps by a newer version of this code. */
  readonly payload: z.ZodMiniType<Payload>;
  /** Longest time that one run may take. A worker that died is noticed long before, by its heartbeat. */
  readonly expireSeconds: number;
  /**
   * Runs after the first one that may fail before the job becomes a dead letter. 0 for work that a scheduled job does again
   * at its next time: the log tells of a failure, and no person has to send it back.
   */
  readonly retryLimit: number;
  /** Wait before the first retry; it doubles from one to the next, up to five minutes. */
  readonly retryDelaySeconds?: number;
  /** Wakes an idle worker at the commit that enqueues, instead of at its next poll. */
  readonly startsAtOnce?: boolean;
  /**
   * Removes the jobs when they have run, instead of keeping them for ten minutes. For kinds with many jobs, whose results are in tables
   * of their own. They may run twice at a time after a crash of the database.
   */
  readonly keepsNoRecord?: boolean;
  /** A cron expression in UTC: the job then takes no payload, and never waits or runs twice at a time. */
  readonly schedule?: string;
}

/** One try of a job. */
export interface NamedJob {
  readonly name: string;
  readonly id: string;
  readonly retryCount: number;
}

export const defineJob = <Payload extends object>(job: JobDefinition<Payload>): JobDefinition<Payload> => job;

export interface JobRun {
  readonly jobId: string;
  /** 0 for the first run. */
  readonly retryCount: number;
  /** Aborts when the process is stopping, or when the job is no longer ours: leave off soon, by throwing. */
  readonly signal: AbortSignal;
}

export interface JobHandler {
  readonly job: JobDefinition;
  /** How many of them one process runs at a time. */
  readonly concurrency: number;
  run(payload: unknown, run: JobRun): Promise<void>;
}

/** The code for a job. It may be run again after it succeeded but before that was written down: make it repeatable. */
export const handleJob = <Payload extends object>(
  job: JobDefinition<Payload>,
  options: { readonly concurrency: number },
  run: (payload: Payload, run: JobRun) => Promise<void>,
): JobHandler => ({
  // Safe: the queue hands `run` only what `job.payload` has parsed.
  job: job as unknown as JobDefinition,
  concurrency: options.concurrency,
  run: run as JobHandler['run'],
});
