import type { Clock, PgBoss } from 'pg-boss';
import * as z from 'zod/mini';
import { Batch } from '../batch.ts';
import { describeError } from '../logging/describe-error.ts';
import type { Logger } from '../logging/index.ts';
import { followTrace, type TraceLink } from '../tracing/index.ts';
import type { JobHandler } from './job.ts';
import { jobsChannel, type Presence } from './presence.ts';

export interface LaneOptions {
  readonly boss: PgBoss;
  readonly handler: JobHandler;
  readonly presence: Presence;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called after each run. */
  readonly onRun:
    | ((run: { job: string; outcome: 'completed' | 'failed'; seconds: number }) => void)
    | undefined;
}

interface FetchedJob {
  readonly id: string;
  readonly data: object & TraceLink;
  readonly retryCount: number;
}

interface RunningJob {
  readonly job: FetchedJob;
  readonly leaving: AbortController;
  readonly ended: Promise<void>;
}

/** pg-boss answers with the jobs that it touched and keeps that out of its types. */
interface Touched {
  readonly settled?: readonly string[] | null;
}

/** A look takes no more than this, so that workers that are free together share what there is. */
const takenAtOnceMax = 20;
const heartbeatEveryMs = 3_000;
const stopPatienceMs = 10_000;

/**
 * Runs the jobs of one kind, up to the handler's concurrency. It fetches jobs for all free places with one statement and
 * records the ends and heartbeats of many jobs together. See docs/decisions/queue-lanes.md.
 */
export class Lane {
  readonly #options: LaneOptions;
  readonly #running = new Map<string, RunningJob>();
  readonly #heartbeat: ReturnType<Clock['setInterval']>;
  readonly #completed = new Batch({ call: (jobs: FetchedJob[]) => this.#complete(jobs) });
  #isLookWanted = false;
  #isLooking = false;
  #lastLook: Promise<void> = Promise.resolve();
  #isStopping = false;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#heartbeat = options.clock.setInterval(() => void this.#beat(), heartbeatEveryMs);
    this.wake();
  }

  get name(): string {
    return this.#options.handler.job.name;
  }

  get hasRoom(): boolean {
    return this.#running.size < this.#options.handler.concurrency;
  }

  /** Looks for jobs now, or as soon as there is room for one. */
  wake(): void {
    this.#isLookWanted = true;
    if (!this.#isLooking) this.#lastLook = this.#lookWhileWanted();
  }

  /** Takes no more jobs, asks those under way to leave off, and gives all of them back. */
  async close(): Promise<void> {
    const { clock } = this.#options;
    this.#isStopping = true;
    clock.clearInterval(this.#heartbeat);
    for (const { leaving } of this.#running.values()) leaving.abort(new Error('The process is stopping.'));
    await within(stopPatienceMs, this.#untilIdle());
    await this.#giveBack([...this.#running.values()].map(({ job }) => job));
    await this.#completed.close();
  }

  /** A look that was under way may still bring jobs. */
  async #untilIdle(): Promise<void> {
    await this.#lastLook;
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  async #lookWhileWanted(): Promise<void> {
    const { boss, handler, presence, logger } = this.#options;
    this.#isLooking = true;
    try {
      while (this.#isLookWanted && !this.#isStopping) {
        const room = handler.concurrency - this.#running.size;
        // The look is still wanted; it comes with the next job that ends.
        if (room <= 0) break;
        this.#isLookWanted = false;
        const batchSize = Math.min(room, takenAtOnceMax);
        const jobs = await boss.fetch<object>(this.name, { batchSize });
        if (jobs.length === 0) break;
        if (jobs.length === batchSize) this.#isLookWanted = true;
        const told = presence.begin(this.name, jobs);
        for (const job of jobs) this.#start(job, told);
      }
    } catch (error) {
      logger.warn({ err: error, job: this.name }, 'could not fetch jobs; trying again within a second');
    }
    this.#isLooking = false;
  }

  #start(job: FetchedJob, told: Promise<void>): void {
    const leaving = new AbortController();
    if (this.#isStopping) leaving.abort(new Error('The process is stopping.'));
    const ended = this.#run(job, leaving, told);
    this.#running.set(job.id, { job, leaving, ended });
  }

  async #run(job: FetchedJob, leaving: AbortController, told: Promise<void>): Promise<void> {
    const { handler, clock, onRun } = this.#options;
    const startedAt = performance.now();
    const overdue = clock.setTimeout(
      () => leaving.abort(new Error('The job took too long.')),
      handler.job.expireSeconds * 1_000,
    );
    let outcome: 'completed' | 'failed' = 'completed';
    try {
      // In a turn of its own: the lane knows of the job by then.
      await Promise.resolve();
      const { traceparent, ...data } = job.data;
      const payload = z.parse(handler.job.payload, data);
      const run = { jobId: job.id, retryCount: job.retryCount, signal: leaving.signal };
      const link = traceparent === undefined ? {} : { traceparent };
      await followTrace(`job ${this.name}`, link, { 'assay.retry_count': job.retryCount }, () =>
        handler.run(payload, run),
      );
      // A handler that was asked to leave off may have left a part of the work, whatever it says.
      leaving.signal.throwIfAborted();
      await told;
      void this.#completed.add(job);
    } catch (error) {
      outcome = 'failed';
      await told;
      if (this.#isStopping) await this.#giveBack([job]);
      else await this.#fail(job, error);
    }
    clock.clearTimeout(overdue);
    this.#running.delete(job.id);
    onRun?.({ job: this.name, outcome, seconds: (performance.now() - startedAt) / 1_000 });
    if (this.#isLookWanted) this.wake();
  }

  async #complete(jobs: FetchedJob[]): Promise<void> {
    const { boss, presence } = this.#options;
    try {
      await boss.complete(this.name, jobs);
      await presence.end(jobs);
    } catch (error) {
      // pg-boss misses their heartbeats and runs them again; all jobs can run twice.
      this.#warnOfSettling(error);
    }
  }

  async #fail(job: FetchedJob, error: unknown): Promise<void> {
    const { boss, presence } = this.#options;
    this.#logFailure(job, error);
    try {
      // pg-boss keeps the error in its table, where it must not tell about people any more than the log.
      await boss.fail(this.name, job, { message: describeError(error).message });
      await presence.end([job]);
    } catch (failure) {
      this.#warnOfSettling(failure);
    }
  }

  /**
   * Sends jobs round again at once. Their number of tries stays, because handlers look at it, but one more is allowed: a deploy
   * must not make a dead letter of a job that is at its last try.
   */
  async #giveBack(jobs: readonly FetchedJob[]): Promise<void> {
    if (jobs.length === 0) return;
    const { boss, presence } = this.#options;
    try {
      await boss.getDb().executeSql(
        `update queue.job set state = 'retry', retry_limit = retry_limit + 1, start_after = queue.job_now()
         from unnest($2::uuid[], $3::int[]) as given (id, retry_count)
         where job.name = $1 and job.id = given.id and job.retry_count = given.retry_count and state = 'active'`,
        [this.name, jobs.map(({ id }) => id), jobs.map(({ retryCount }) => retryCount)],
      );
      await boss.getDb().executeSql('select pg_notify($1, $2)', [jobsChannel, this.name]);
      await presence.end(jobs);
    } catch (error) {
      // Another worker misses this one and runs them again.
      this.#warnOfSettling(error);
    }
  }

  /** Tells that the jobs under way are, and stops those that are no longer ours. */
  async #beat(): Promise<void> {
    const { boss, logger } = this.#options;
    const running = [...this.#running.values()];
    if (running.length === 0) return;
    try {
      const jobs = running.map(({ job }) => job);
      const { settled: touched } = (await boss.touch(this.name, jobs)) as Touched;
      for (const { job, leaving } of running) {
        if (!touched?.includes(job.id)) leaving.abort(new Error('The job is no longer ours.'));
      }
    } catch (error) {
      logger.warn({ err: error, job: this.name }, 'could not send heartbeats; trying again in three seconds');
    }
  }

  #logFailure({ id, retryCount }: FetchedJob, error: unknown): void {
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

async function within(patienceMs: number, work: Promise<unknown>): Promise<void> {
  const { promise: passed, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, patienceMs);
  await Promise.race([work, passed]);
  clearTimeout(timer);
}
