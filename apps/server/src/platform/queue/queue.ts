import { type Clock, fromKysely, PgBoss } from 'pg-boss';
import * as z from 'zod/mini';
import type { Tx } from '../database/database.ts';
import { describeError } from '../logging/describe-error.ts';
import type { Logger } from '../logging/index.ts';
import type { JobDefinition, JobHandler } from './job.ts';

export interface QueueOptions {
  readonly databaseUrl: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  readonly logger: Logger;
  /** Told of each run that ended. */
  readonly onRun?: (run: { job: string; outcome: 'completed' | 'failed'; seconds: number }) => void;
  /** Moved by hand in tests. */
  readonly clock?: Clock;
}

export interface EnqueueOptions {
  /** Not before this moment. */
  readonly startAfter?: Date;
  /** Higher goes first; 0 unless given. */
  readonly priority?: number;
}

export interface JobQueue {
  /** Part of the caller's transaction: the job exists when that commits, and never otherwise. */
  enqueue<Payload extends object>(
    tx: Tx,
    job: JobDefinition<Payload>,
    payload: Payload,
    options?: EnqueueOptions,
  ): Promise<void>;
  /** The same for many at once, in one statement. */
  enqueueMany<Payload extends object>(
    tx: Tx,
    job: JobDefinition<Payload>,
    items: readonly ({ readonly payload: Payload } & EnqueueOptions)[],
  ): Promise<void>;
  close(): Promise<void>;
}

export interface WorkQueue extends JobQueue {
  /** Begins to run jobs, and puts scheduled ones on the clock. */
  work(handlers: readonly JobHandler[]): Promise<void>;
  /** How many jobs have failed for good and wait for a person. */
  countDeadLetters(): Promise<number>;
}

const schema = 'queue';
/** Jobs that failed for good, of every kind, kept for a month so that a person can look and send them back. */
const deadLetters = 'dead-letters';
const deadLetterDays = 30;

// A worker that dies says nothing; it is missed when its heartbeat is ten seconds old, which is the least that pg-boss
// takes, and the look for such jobs comes every two. With the wait before a retry and the next look of a free worker, a
// dead worker's jobs are in other hands within fourteen seconds.
const heartbeatSeconds = 10;
const heartbeatRefreshSeconds = 3;
const superviseIntervalSeconds = 2;
/** An idle worker looks this often, and is woken in between for jobs that start at once. */
const pollingIntervalSeconds = 1;
/** Finished jobs tell nothing that our own tables do not; fewer rows make every look cheaper. */
const keepFinishedSeconds = 600;
const retryDelayMaxSeconds = 300;
/** Longer than any customer's list may wait for its turn; what is older was forgotten and is removed. */
const keepWaitingSeconds = 30 * 86_400;
const stopPatienceMs = 10_000;

/** For processes that only hand out work. */
export async function openQueue(options: QueueOptions): Promise<JobQueue> {
  return open(options, { supervise: false, schedule: false, max: 2 });
}

/** For processes that do the work: they also look after the queue itself. */
export async function openWorkQueue(options: QueueOptions): Promise<WorkQueue> {
  return open(options, {
    useListenNotify: true,
    superviseIntervalSeconds,
    monitorIntervalSeconds: superviseIntervalSeconds,
    maintenanceIntervalSeconds: 60,
    max: 4,
  });
}

async function open(
  { databaseUrl, applicationName, logger, onRun, clock }: QueueOptions,
  role: ConstructorParameters<typeof PgBoss>[0] & object,
): Promise<WorkQueue> {
  const boss = new PgBoss({
    ...role,
    schema,
    connectionString: databaseUrl,
    application_name: applicationName,
    ...(clock && { clock }),
  });
  boss.on('error', (error) => logger.error({ err: error }, 'the queue had a problem; it goes on'));
  boss.on('warning', ({ message }) => logger.warn({ warning: message }, 'the queue warns'));
  await boss.start();

  const stopping = new AbortController();
  const prepared = new Map<string, Promise<void>>();
  /** A queue is made or brought up to date at its first use in a process. */
  const prepare = (job: JobDefinition): Promise<void> => {
    let preparing = prepared.get(job.name);
    if (!preparing) {
      preparing = prepareQueue(boss, job);
      preparing.catch(() => prepared.delete(job.name));
      prepared.set(job.name, preparing);
    }
    return preparing;
  };

  const enqueueMany: JobQueue['enqueueMany'] = async (tx, job, items) => {
    if (items.length === 0) return;
    await prepare(job as unknown as JobDefinition);
    const rows = items.map(({ payload, startAfter, priority }) => ({
      data: z.parse(job.payload, payload),
      ...(startAfter && { startAfter }),
      ...(priority !== undefined && { priority }),
    }));
    await boss.insert(job.name, rows, { db: fromKysely(tx) });
  };

  return {
    enqueueMany,
    enqueue: (tx, job, payload, options) => enqueueMany(tx, job, [{ payload, ...options }]),
    work: async (handlers) => {
      for (const handler of handlers) {
        await prepare(handler.job);
        for (let lane = 0; lane < handler.concurrency; lane += 1) {
          await startLane({ boss, handler, stopping: stopping.signal, logger, onRun });
        }
        if (handler.job.schedule) {
          await boss.schedule(handler.job.name, handler.job.schedule, {}, { missed: 'once' });
        }
      }
    },
    countDeadLetters: async () => (await boss.getQueue(deadLetters))?.totalCount ?? 0,
    close: async () => {
      stopping.abort(new Error('The process is stopping.'));
      await boss.stop({ timeout: stopPatienceMs });
    },
  };
}

async function prepareQueue(boss: PgBoss, job: JobDefinition): Promise<void> {
  await boss.createQueue(deadLetters, { retentionSeconds: deadLetterDays * 86_400 });
  const options = {
    deadLetter: deadLetters,
    expireInSeconds: job.expireSeconds,
    heartbeatSeconds,
    retryLimit: job.retryLimit,
    retryDelay: job.retryDelaySeconds ?? 1,
    retryBackoff: true,
    retryDelayMax: retryDelayMaxSeconds,
    retentionSeconds: keepWaitingSeconds,
    deleteAfterSeconds: keepFinishedSeconds,
    notify: job.startsAtOnce ?? false,
  };
  await boss.createQueue(job.name, { ...options, policy: job.schedule ? 'exclusive' : 'standard' });
  await boss.updateQueue(job.name, options);
}

interface Lane {
  readonly boss: PgBoss;
  readonly handler: JobHandler;
  readonly stopping: AbortSignal;
  readonly logger: Logger;
  readonly onRun: QueueOptions['onRun'];
}

/** One job at a time. */
async function startLane({ boss, handler, stopping, logger, onRun }: Lane): Promise<void> {
  const { job } = handler;
  let lane: string | undefined;
  lane = await boss.work<object>(
    job.name,
    {
      pollingIntervalSeconds,
      notifyPollingIntervalSeconds: pollingIntervalSeconds,
      heartbeatRefreshSeconds,
    },
    async (jobs) => {
      for (const { id, data, retryCount, signal } of jobs) {
        const startedAt = performance.now();
        const tellRun = (outcome: 'completed' | 'failed') =>
          onRun?.({ job: job.name, outcome, seconds: (performance.now() - startedAt) / 1_000 });
        try {
          const payload = z.parse(job.payload, data);
          await handler.run(payload, { jobId: id, retryCount, signal: AbortSignal.any([signal, stopping]) });
          tellRun('completed');
        } catch (error) {
          tellRun('failed');
          const isLast = retryCount >= job.retryLimit;
          logger.error(
            { err: error, job: job.name, job_id: id, retry_count: retryCount, is_last: isLast },
            'a job failed',
          );
          // pg-boss keeps the error in its table, where it must not tell about people any more than the log.
          throw new Error(describeError(error).message);
        }
      }
      // A worker that had something to do looks for more at once; only one that found nothing waits.
      if (lane) boss.notifyWorker(lane);
    },
  );
}
