import { sql } from 'kysely';
import { type Clock, fromKysely, PgBoss } from 'pg-boss';
import * as z from 'zod/mini';
import type { Tx } from '../database/database.ts';
import type { Logger } from '../logging/index.ts';
import { linkToTrace, type TraceLink } from '../tracing/index.ts';
import { createForwardClock } from './forward-clock.ts';
import { giveBack } from './give-back.ts';
import type { JobDefinition, JobHandler, NamedJob } from './job.ts';
import { Lane, type LaneOptions } from './lane.ts';
import { announcePresence, jobsChannel, type Presence, removing } from './presence.ts';
import { type RequestedJob, readRequestedJob } from './requested-job.ts';
import { createSharedPoll } from './shared-poll.ts';
import { areSuspectsWaiting, releaseSuspect, runSuspects } from './suspects.ts';
import { isNoSuspect, isWaiting, makeOwnersIndex, takeJobs, taking } from './take-jobs.ts';

export interface QueueOptions {
  readonly databaseUrl: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  readonly logger: Logger;
  readonly onRun?: LaneOptions['onRun'];
  /** Moved by hand in tests. */
  readonly clock?: Clock;
}

export interface WorkQueueOptions extends QueueOptions {
  /** Without a pooler, where `databaseUrl` leads to one. */
  readonly directUrl?: string;
  /** Whether this one also looks after the queue itself: schedules, dead workers, tidying. One of a process is enough. */
  readonly supervises?: boolean;
  /** Runs nothing but jobs of dead workers, on behalf of the worker with this number. */
  readonly suspectsOf?: number;
}

export interface EnqueueOptions {
  /** Not before this time has passed by the clock of the database, which all processes share. */
  readonly afterMs?: number;
  /** Higher goes first; 0 unless given. */
  readonly priority?: number;
  /** The trace that the job belongs to; the one under way unless given. */
  readonly trace?: TraceLink;
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
  /** Sends a job that failed for good back to its queue. Returns false if there is none with this id. */
  retryDeadLetter(tx: Tx, id: string): Promise<boolean>;
  close(): Promise<void>;
}

export interface WorkQueue extends JobQueue {
  /** Which worker of the installation this is. */
  readonly workerNumber: number;
  /**
   * Begins to run jobs, and puts scheduled ones on the clock. Returns how to stop: it takes no more jobs and gives those under way
   * back to the queue. Stop before you close anything that the handlers use.
   */
  work(handlers: readonly JobHandler[]): Promise<StopWork>;
  /** Runs jobs of dead workers until none is left, if it was opened for them. */
  runSuspects(): Promise<void>;
  /** Whether such jobs wait in these queues. */
  areSuspectsWaiting(queues: readonly string[]): Promise<boolean>;
  /** Lets ordinary workers run one of them, if no other one has just begun there. */
  releaseSuspect(queues: readonly string[]): Promise<void>;
  /** How many jobs have failed for good and wait for a person. */
  countDeadLetters(): Promise<number>;
}

/** A process that an uncaught error ends leaves its jobs: each of them may be the cause. */
type StopWork = (options?: { readonly leavesJobs?: boolean }) => Promise<void>;

const schema = 'queue';
const forwardClock = createForwardClock();
/** Jobs that failed for good, of every kind, kept for a month so that a person can look and send them back. */
export const deadLetters = 'dead-letters';
const deadLetterDays = 30;

// A worker that dies is missed within two polls of who is present. One that hangs, or whose machine lost the network, is
// missed when its heartbeat is ten seconds old, which is the least that pg-boss takes, and the poll for that comes every
// two. With the wait before a retry and the next poll of a free worker, jobs are in other hands within four and within
// fourteen seconds.
const presencePollMs = 1_000;
/** Free lanes are woken this often if they have jobs, and in between for jobs that start at once. */
const pollEveryMs = 1_000;
const heartbeatSeconds = 10;
const superviseIntervalSeconds = 2;
/** Finished jobs tell nothing that our own tables do not; fewer rows make every poll cheaper. */
const keepFinishedSeconds = 600;
const retryDelayMaxSeconds = 300;
/** Longer than any customer's list may wait for its turn; what is older was forgotten and is removed. */
const keepWaitingSeconds = 30 * 86_400;
const stopPatienceMs = 10_000;

/** For processes that only hand out work. */
export async function openQueue(options: QueueOptions): Promise<JobQueue> {
  const boss = await startBoss(options, { supervise: false, schedule: false, max: 2 });
  return { ...enqueuing(boss), close: () => boss.stop({ timeout: stopPatienceMs }) };
}

/** For processes that do the work: they also look after the queue itself, unless another of their parts does. */
export async function openWorkQueue(options: WorkQueueOptions): Promise<WorkQueue> {
  const { clock = forwardClock, logger, supervises = true, suspectsOf } = options;
  const boss = await startBoss(options, {
    supervise: supervises,
    schedule: supervises,
    superviseIntervalSeconds,
    monitorIntervalSeconds: superviseIntervalSeconds,
    maintenanceIntervalSeconds: 60,
    max: 4,
  });
  const { prepare, ...enqueue } = enqueuing(boss);
  const lanes: Lane[] = [];
  const sql = boss.getDb();
  for (const { make } of [taking, removing]) await sql.executeSql(make);
  const isForSuspects = suspectsOf !== undefined;
  const stopping = new AbortController();
  let suspectsRun: Promise<void> | undefined;
  /** New jobs in a queue, a job to enqueue first, or nothing when some of either may have been missed. */
  const hear = async (message?: string): Promise<void> => {
    const requested = message === undefined ? undefined : readRequestedJob(message);
    const name = requested?.name ?? message;
    const wakened = lanes.filter((lane) => name === undefined || lane.name === name);
    if (requested && wakened.length > 0) await enqueueRequested({ boss, requested, logger });
    for (const lane of wakened) lane.wake();
  };
  const presence = await announcePresence({
    databaseUrl: options.directUrl ?? options.databaseUrl,
    applicationName: `${options.applicationName} presence`,
    sql,
    logger,
    onJobs: (message) => void hear(message),
  });
  const poll = createSharedPoll({ find: (names) => findQueuesWithJobs(boss, names), lanes, logger });
  const polling = isForSuspects ? undefined : clock.setInterval(() => void poll(), pollEveryMs);
  const takingOver = supervises
    ? clock.setInterval(() => void takeOverAbandoned({ boss, presence, logger }), presencePollMs)
    : undefined;

  const stopWork: StopWork = async (how) => {
    if (polling) clock.clearInterval(polling);
    stopping.abort();
    await suspectsRun;
    await Promise.all(lanes.splice(0).map((lane) => lane.close(how)));
  };

  return {
    ...enqueue,
    workerNumber: presence.workerNumber,
    work: async (handlers) => {
      const take: LaneOptions['take'] = isForSuspects ? async () => [] : (wanted) => takeJobs(sql, wanted);
      for (const handler of handlers) {
        // The queues of suspects are there.
        if (!isForSuspects) await prepare(handler.job);
        lanes.push(new Lane({ boss, handler, presence, take, clock, logger, onRun: options.onRun }));
        const { name, schedule } = handler.job;
        if (schedule && !isForSuspects) await boss.schedule(name, schedule, {}, { missed: 'once' });
      }
      return stopWork;
    },
    runSuspects: async () => {
      if (!isForSuspects) return;
      const { workerNumber } = presence;
      const { signal } = stopping;
      suspectsRun = runSuspects({
        sql,
        workerNumber,
        parentNumber: suspectsOf,
        lanes: [...lanes],
        clock,
        logger,
        signal,
      });
      await suspectsRun;
    },
    areSuspectsWaiting: (queues) => areSuspectsWaiting(sql, queues),
    releaseSuspect: (queues) => releaseSuspect(sql, queues),
    countDeadLetters: async () => (await boss.getQueue(deadLetters))?.totalCount ?? 0,
    close: async () => {
      await stopWork();
      if (takingOver) clock.clearInterval(takingOver);
      await boss.stop({ timeout: stopPatienceMs });
      await presence.close();
    },
  };
}

async function startBoss(
  { databaseUrl, applicationName, logger, clock = forwardClock }: QueueOptions,
  role: ConstructorParameters<typeof PgBoss>[0] & object,
): Promise<PgBoss> {
  const boss = new PgBoss({
    ...role,
    schema,
    connectionString: databaseUrl,
    application_name: applicationName,
    clock,
  });
  boss.on('error', (error) => logger.error({ err: error }, 'the queue had a problem; it goes on'));
  boss.on('warning', ({ message }) => logger.warn({ warning: message }, 'the queue warns'));
  await boss.start();
  await boss.getDb().executeSql(makeOwnersIndex);
  await boss.createQueue(deadLetters, { retentionSeconds: deadLetterDays * 86_400 });
  return boss;
}

function enqueuing(boss: PgBoss) {
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
    const rows = items.map(({ payload, afterMs, priority, trace = linkToTrace() }) => ({
      data: { ...z.parse(job.payload, payload), ...trace },
      ...(afterMs !== undefined && { startAfter: afterMs / 1_000 }),
      ...(priority !== undefined && { priority }),
    }));
    await boss.insert(job.name, rows, { db: fromKysely(tx) });
    if (job.startsAtOnce) await sql`select pg_notify(${jobsChannel}, ${job.name})`.execute(tx);
  };
  const enqueue: JobQueue['enqueue'] = (tx, job, payload, options) =>
    enqueueMany(tx, job, [{ payload, ...options }]);
  const retryDeadLetter: JobQueue['retryDeadLetter'] = async (tx, id) =>
    (await boss.redrive(deadLetters, { ids: [id], db: fromKysely(tx) })) > 0;
  return { prepare, enqueue, enqueueMany, retryDeadLetter };
}

/** All workers do this; the first one enqueues the job. */
async function enqueueRequested({
  boss,
  requested: { name, id, data },
  logger,
}: {
  boss: PgBoss;
  requested: RequestedJob;
  logger: Logger;
}): Promise<void> {
  try {
    await boss.insert(name, [{ id, data }]);
  } catch (error) {
    logger.warn({ err: error, job: name }, 'could not enqueue a requested job; a scheduled one follows');
  }
}

/** The queues among these that have a job whose time has come. */
async function findQueuesWithJobs(boss: PgBoss, names: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await boss.getDb().executeSql(
    `select name from unnest($1::text[]) as free (name)
     where exists (
       select from ${schema}.job
       where job.name = free.name and ${isWaiting('job')} and start_after <= ${schema}.job_now() and ${isNoSuspect('job')}
     )`,
    [names],
  );
  return new Set(rows.map(({ name }) => name));
}

interface TakeOver {
  readonly boss: PgBoss;
  readonly presence: Presence;
  readonly logger: Logger;
}

/** Sends a dead worker's jobs round again, except one that is to blame. */
async function takeOverAbandoned({ boss, presence, logger }: TakeOver): Promise<void> {
  try {
    const abandoned = await presence.findAbandoned();
    for (const job of abandoned) {
      logger.warn(
        { job: job.name, job_id: job.id, is_last: job.isToBlame },
        job.isToBlame
          ? 'a job has ended its process again, this time alone; it is tried no more'
          : 'the worker of a job is gone; the job is tried again apart from others',
      );
    }
    const others = abandoned.filter(({ isToBlame }) => !isToBlame);
    if (others.length > 0) await giveBack(boss.getDb(), others);
    for (const job of abandoned) if (job.isToBlame) await giveUp(boss, job);
  } catch (error) {
    logger.warn({ err: error }, 'could not poll for abandoned jobs; trying again soon');
  }
}

/** pg-boss fails active jobs only, and this one may have missed its heartbeats before it ended its process. */
async function giveUp(boss: PgBoss, job: NamedJob): Promise<void> {
  await boss.getDb().executeSql(
    `update ${schema}.job set state = 'active', retry_limit = retry_count
     where name = $1 and id = $2 and retry_count = $3 and state <= 'active'`,
    [job.name, job.id, job.retryCount],
  );
  await boss.fail(job.name, job, { message: 'It ended the process that ran it.' });
}

async function prepareQueue(boss: PgBoss, job: JobDefinition): Promise<void> {
  const options = {
    expireInSeconds: job.expireSeconds,
    heartbeatSeconds,
    retryLimit: job.retryLimit,
    retryDelay: job.retryDelaySeconds ?? 1,
    retryBackoff: true,
    retryDelayMax: retryDelayMaxSeconds,
    retentionSeconds: keepWaitingSeconds,
    deleteAfterSeconds: keepFinishedSeconds,
    // We tell our own lanes of new jobs.
    notify: false,
  };
  await boss.createQueue(job.name, { ...options, policy: job.schedule ? 'exclusive' : 'standard' });
  await boss.updateQueue(job.name, { ...options, deadLetter: job.retryLimit === 0 ? null : deadLetters });
}
