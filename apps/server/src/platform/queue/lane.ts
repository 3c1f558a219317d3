import type { Clock, PgBoss } from 'pg-boss';
import * as z from 'zod/mini';
import { Batch } from '../batch.ts';
import { onBehalfOf } from '../database/fair-pool.ts';
import { Places } from '../limits/places.ts';
import { describeError } from '../logging/describe-error.ts';
import type { Logger } from '../logging/index.ts';
import type { Failure } from '../operation-errors.ts';
import { followTrace } from '../tracing/index.ts';
import { giveBack } from './give-back.ts';
import type { JobHandler } from './job.ts';
import { jobsChannel, type Presence } from './presence.ts';
import type { JobsWanted, TakenJob } from './take-jobs.ts';

export interface LaneOptions {
  readonly boss: PgBoss;
  readonly handler: JobHandler;
  readonly presence: Presence;
  /** Finds jobs for free places. */
  readonly take: (wanted: JobsWanted) => Promise<TakenJob[]>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called after each run. */
  readonly onRun:
    | ((run: {
        job: string;
        outcome: 'completed' | 'failed';
        seconds: number;
        /** Missing for a job that was given back because its process stops. */
        failure?: Failure | undefined;
      }) => void)
    | undefined;
}

interface RunningJob {
  readonly leaving: AbortController;
  readonly ended: Promise<void>;
}

/** pg-boss answers with the jobs that it touched and keeps that out of its types. */
interface Touched {
  readonly settled?: readonly string[] | null;
}

/** A poll takes no more than this, so that workers that are free together share what there is. */
const takenAtOnceMax = 20;
const heartbeatEveryMs = 3_000;
/**
 * For the ends of jobs that leave nothing behind, of which there may be hundreds a second, and for which nothing waits. Short, because
 * jobs whose end is not written down run again if this process dies.
 */
const endsTogether = { lengthMin: 20, waitMaxMs: 20 };
const stopPatienceMs = 10_000;

/**
 * Runs the jobs of one kind, up to the handler's concurrency. It takes jobs for all free places with one statement, by
 * customer, and records the ends and heartbeats of many jobs together. See docs/decisions/queue-lanes.md.
 */
export class Lane {
  readonly #options: LaneOptions;
  /** A job can be here twice, if it missed its heartbeats and came back before its last try has left off. */
  readonly #running = new Map<TakenJob, RunningJob>();
  readonly #places: Places;
  readonly #heartbeat: ReturnType<Clock['setInterval']>;
  readonly #completed: Batch<TakenJob>;
  readonly #givenBack = new Batch({ call: (jobs: TakenJob[]) => this.#giveBack(jobs) });
  #isPollWanted = false;
  #isPolling = false;
  #lastPoll: Promise<void> = Promise.resolve();
  #isStopping = false;
  #leavesJobs = false;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#places = new Places(options.handler.concurrency);
    this.#completed = new Batch({
      call: (jobs: TakenJob[]) => this.#complete(jobs),
      ...(options.handler.job.keepsNoRecord && endsTogether),
    });
    this.#heartbeat = options.clock.setInterval(() => void this.#beat(), heartbeatEveryMs);
    this.wake();
  }

  get name(): string {
    return this.#options.handler.job.name;
  }

  get freeCount(): number {
    return this.#places.freeCount;
  }

  get hasRoom(): boolean {
    return this.freeCount > 0;
  }

  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  /** Polls for jobs now, or as soon as there is room for one. */
  wake(): void {
    this.#isPollWanted = true;
    if (!this.#isPolling) this.#lastPoll = this.#pollWhileWanted();
  }

  /** Runs a job that was taken. Resolves when its end is recorded: a job that runs alone from then on is the only one to suspect. */
  async run(job: TakenJob): Promise<void> {
    const leaving = new AbortController();
    if (this.#isStopping) leaving.abort(new Error('The process is stopping.'));
    if (job.retryCount > 0) this.#abortEarlierTries(job);
    const ended = this.#run(job, leaving);
    this.#running.set(job, { leaving, ended });
    this.#places.take(job.ownerId);
    await ended;
  }

  /**
   * Takes no more jobs, aborts those under way and gives them back. With `leavesJobs` it keeps them, as a dead worker does,
   * because one of them may have crashed this process.
   */
  async close({ leavesJobs = false } = {}): Promise<void> {
    const { clock } = this.#options;
    this.#isStopping = true;
    this.#leavesJobs = leavesJobs;
    for (const { leaving } of this.#running.values()) leaving.abort(new Error('The process is stopping.'));
    await within(stopPatienceMs, this.#untilIdle());
    clock.clearInterval(this.#heartbeat);
    await this.#givenBack.close();
    await this.#giveBack([...this.#running.keys()]);
    await this.#completed.close();
  }

  /** A poll that was under way may still bring jobs. */
  async #untilIdle(): Promise<void> {
    await this.#lastPoll;
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  async #pollWhileWanted(): Promise<void> {
    const { take, presence, logger } = this.#options;
    this.#isPolling = true;
    try {
      while (this.#isPollWanted && !this.#isStopping) {
        // The poll is still wanted; it comes with the next job that ends.
        if (!this.hasRoom) break;
        this.#isPollWanted = false;
        const max = Math.min(this.#places.freeCount, takenAtOnceMax);
        const jobs = await take({
          name: this.name,
          workerNumber: presence.workerNumber,
          max,
          holders: this.#places.holders(),
          roomForOthers: this.#places.roomForNewcomer,
          mayRunTwice: this.#options.handler.job.keepsNoRecord ?? false,
        });
        if (jobs.length === 0) break;
        if (jobs.length === max) this.#isPollWanted = true;
        for (const job of jobs) void this.run(job);
      }
    } catch (error) {
      logger.warn({ err: error, job: this.name }, 'could not fetch jobs; trying again within a second');
    }
    this.#isPolling = false;
  }

  #abortEarlierTries({ id }: TakenJob): void {
    for (const [job, { leaving }] of this.#running) if (job.id === id) leaving.abort(noLongerOurs());
  }

  async #run(job: TakenJob, leaving: AbortController): Promise<void> {
    const { handler, clock, onRun } = this.#options;
    const startedAt = performance.now();
    const overdue = clock.setTimeout(
      () => leaving.abort(new Error('The job took too long.')),
      handler.job.expireSeconds * 1_000,
    );
    let outcome: 'completed' | 'failed' = 'completed';
    let failure: Failure | undefined;
    let recorded: Promise<void> | undefined;
    try {
      // Lets the caller register the job as running before it begins.
      await Promise.resolve();
      const { traceparent, ...data } = job.data;
      const payload = z.parse(handler.job.payload, data);
      // A job that arrived while the process stops must not begin: it is given back, and would be done twice.
      leaving.signal.throwIfAborted();
      const run = { jobId: job.id, retryCount: job.retryCount, signal: leaving.signal };
      const link = traceparent === undefined ? {} : { traceparent };
      await followTrace(`job ${this.name}`, link, { 'assay.retry_count': job.retryCount }, () =>
        onBehalfOf(job.ownerId, () => handler.run(payload, run)),
      );
      // A handler that was aborted may return without an error, with a part of the work undone.
      leaving.signal.throwIfAborted();
      recorded = this.#completed.add(job);
    } catch (error) {
      outcome = 'failed';
      // The batch refuses a job that ends after close(), which has given it back already.
      if (this.#isStopping) await this.#givenBack.add(job).catch(() => undefined);
      else {
        failure = failureOf(job, error);
        await this.#fail(job, error);
      }
    }
    clock.clearTimeout(overdue);
    this.#running.delete(job);
    // The customer may have more jobs that only their share of the places kept waiting.
    if (this.#places.free(job.ownerId).wasAtLimit) this.#isPollWanted = true;
    onRun?.({ job: this.name, outcome, seconds: (performance.now() - startedAt) / 1_000, failure });
    if (this.#isPollWanted) this.wake();
    // Its place is free meanwhile.
    await recorded;
  }

  async #complete(jobs: TakenJob[]): Promise<void> {
    const { presence, handler } = this.#options;
    try {
      await presence.complete(jobs, { keepsRecord: !handler.job.keepsNoRecord });
    } catch (error) {
      // pg-boss misses their heartbeats and runs them again; all jobs can run twice.
      this.#warnOfSettling(error);
    }
  }

  async #fail(job: TakenJob, error: unknown): Promise<void> {
    const { boss, presence } = this.#options;
    this.#logFailure(job, error);
    try {
      await presence.end([job]);
      // pg-boss keeps the error in its table, where it must not tell about people any more than the log.
      await boss.fail(this.name, job, { message: describeError(error).message });
    } catch (failure) {
      this.#warnOfSettling(failure);
    }
  }

  async #giveBack(jobs: readonly TakenJob[]): Promise<void> {
    if (jobs.length === 0 || this.#leavesJobs) return;
    const { boss, presence } = this.#options;
    try {
      // Those that stay suspects must be so before others can take them.
      await presence.leave(jobs);
      await giveBack(boss.getDb(), jobs);
      await boss.getDb().executeSql('select pg_notify($1, $2)', [jobsChannel, this.name]);
    } catch (error) {
      // Another worker misses this one and runs them again.
      this.#warnOfSettling(error);
    }
  }

  /** Tells that the jobs under way are, and stops those that are no longer ours. */
  async #beat(): Promise<void> {
    const { boss, logger } = this.#options;
    const running = [...this.#running];
    if (running.length === 0) return;
    try {
      const jobs = running.map(([job]) => job);
      const { settled: touched } = (await boss.touch(this.name, jobs)) as Touched;
      const ours = new Set(touched);
      for (const [job, { leaving }] of running) if (!ours.has(job.id)) leaving.abort(noLongerOurs());
    } catch (error) {
      logger.warn({ err: error, job: this.name }, 'could not send heartbeats; trying again in three seconds');
    }
  }

  #logFailure({ id, retryCount }: TakenJob, error: unknown): void {
    const { handler, logger } = this.#options;
    const isLast = retryCount >= handler.job.retryLimit;
    logger.error(
      { err: error, job: this.name, job_id: id, retry_count: retryCount, is_last: isLast },
      'a job failed',
    );
  }

  #warnOfSettling(error: unknown): void {
    this.#options.logger.warn({ err: error, job: this.name }, 'could not record that a job ended');
  }
}

const noLongerOurs = () => new Error('The job is no longer ours.');

// A job that another program wrote may have no data.
const failureOf = ({ id, ownerId, data }: TakenJob, error: unknown): Failure => ({
  error,
  jobId: id,
  customerId: ownerId || undefined,
  // As W3C writes it: version, trace, span and flags.
  traceId: data?.traceparent?.split('-')[1],
});

async function within(patienceMs: number, work: Promise<unknown>): Promise<void> {
  const { promise: passed, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, patienceMs);
  await Promise.race([work, passed]);
  clearTimeout(timer);
}
