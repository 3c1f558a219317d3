import { randomInt } from 'node:crypto';
import type { Db as Sql } from 'pg-boss';
import { type DirectConnectionOptions, keepDirectConnection } from '../database/direct-connection.ts';
import type { Logger } from '../logging/index.ts';

// pg-boss misses a dead worker when its heartbeat is ten seconds old, and takes no less. But a process that dies closes
// its connections, and PostgreSQL then frees its advisory locks at once: that is a quicker way to know.

/** The first half of the advisory lock that says 'this worker is here'; the second is the worker's number. */
export const presenceLock = 722_119;

/** The channel that announces jobs that start at once, by the name of their queue, and carries requested jobs. */
export const jobsChannel = 'assay_jobs';

interface TakenJob {
  readonly id: string;
  readonly retryCount: number;
}

interface AbandonedJob extends TakenJob {
  readonly name: string;
  /** Whether it ended two workers, the second one while it ran alone. */
  readonly isToBlame: boolean;
}

/** How many workers were gone while they ran these jobs, for those that had any. */
export type Losses = ReadonlyMap<string, number>;

/** The worker of jobs whose worker is gone. */
const gone = 0;

export interface Presence {
  /** Says that this worker runs these jobs of a queue. */
  begin(name: string, jobs: readonly TakenJob[]): Promise<Losses>;
  /** Says whether a job that was lost before runs without others of its kind. */
  setAlone(job: TakenJob, isAlone: boolean): Promise<void>;
  /** And that it no longer does. */
  end(jobs: readonly TakenJob[]): Promise<void>;
  /** Jobs of workers that were gone at this look and at the one before. Each job is returned once. */
  findAbandoned(): Promise<AbandonedJob[]>;
  close(): Promise<void>;
}

/** Shorter than two looks of the others, who would take this worker for dead. */
const reconnectDelayMsMax = 250;
/** Shorter than the time after which we give up a connection that does not answer. */
const lockWaitMsMax = 5_000;

/** See docs/decisions/queue-worker-presence.md. */
export async function announcePresence(
  options: DirectConnectionOptions & {
    readonly sql: Sql;
    readonly logger: Logger;
    /** Called for each message of the channel, and without one when some may have been missed. */
    readonly onJobs: (message?: string) => void;
    readonly lockWaitMs?: number;
  },
): Promise<Presence> {
  const { sql, logger, onJobs, lockWaitMs = lockWaitMsMax } = options;
  const workerNumber = randomInt(1, 2 ** 31 - 1);
  const connection = await keepDirectConnection({
    ...options,
    channel: jobsChannel,
    onMessage: onJobs,
    retryDelayMsMax: reconnectDelayMsMax,
    onConnected: async (client) => {
      onJobs();
      // Waits while the server still keeps a broken connection of ours. PostgreSQL itself must end the wait: a backend that
      // waits for a lock does not notice that its client left, so each new attempt would add one more of them.
      await client.query(`set lock_timeout = ${lockWaitMs}`);
      await client.query('select pg_advisory_lock($1, $2)', [presenceLock, workerNumber]);
    },
  });
  // Others would take the jobs of a worker that never held its lock.
  if (!connection.isListening) {
    await connection.close();
    throw new Error('This worker has no direct connection to the database. The log says why.');
  }
  let goneBefore = new Set<number>();
  /** A statement that fails here fails no job, because heartbeats find the jobs of dead workers too. */
  const run = async (statement: string, values: unknown[]): Promise<Record<string, unknown>[]> => {
    try {
      return (await sql.executeSql(statement, values)).rows;
    } catch (error) {
      logger.warn({ err: error }, 'could not record which jobs this worker runs');
      return [];
    }
  };

  return {
    begin: async (name, jobs) => {
      const begun = await run(
        `insert into job_runs (job_id, job_name, retry_count, worker_number)
         select id, $1, retry_count, $2 from unnest($3::uuid[], $4::int[]) as taken (id, retry_count)
         on conflict (job_id) do update
           set retry_count = excluded.retry_count, worker_number = excluded.worker_number, is_alone = false
         returning job_id, losses`,
        [name, workerNumber, jobs.map(({ id }) => id), jobs.map(({ retryCount }) => retryCount)],
      );
      const lost = begun.filter(({ losses }) => losses !== 0);
      return new Map(lost.map(({ job_id, losses }) => [job_id as string, losses as number]));
    },

    setAlone: async ({ id }, isAlone) => {
      await run('update job_runs set is_alone = $3 where job_id = $1 and worker_number = $2', [
        id,
        workerNumber,
        isAlone,
      ]);
    },

    end: async (jobs) => {
      await run('delete from job_runs where job_id = any($1) and worker_number = $2', [
        jobs.map(({ id }) => id),
        workerNumber,
      ]);
    },

    findAbandoned: async () => {
      const { rows } = await sql.executeSql(
        `select worker_number from (
           select distinct worker_number from job_runs where worker_number not in ($1, ${gone})
         ) as others
         where pg_try_advisory_xact_lock($2, worker_number)`,
        [workerNumber, presenceLock],
      );
      // Twice in a row, so that a worker whose connection was cut for a moment has time to come back.
      const goneNow = new Set(rows.map((row) => row.worker_number as number));
      const goneTwice = [...goneNow].filter((number) => goneBefore.has(number));
      goneBefore = goneNow;
      if (goneTwice.length === 0) return [];
      // A job that was removed meanwhile never begins again.
      await sql.executeSql(
        `delete from job_runs where worker_number = ${gone} and lost_at < now() - interval '1 day'`,
      );
      const abandoned = await sql.executeSql(
        `update job_runs set worker_number = ${gone}, losses = losses + 1, lost_at = now()
         where worker_number = any($1)
         returning job_id as id, job_name as name, retry_count as "retryCount", is_alone as "isToBlame"`,
        [goneTwice],
      );
      return abandoned.rows as AbandonedJob[];
    },

    close: () => connection.close(),
  };
}
