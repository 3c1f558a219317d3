import { randomInt } from 'node:crypto';
import type { Db as Sql } from 'pg-boss';
import { type DirectConnectionOptions, keepDirectConnection } from '../database/direct-connection.ts';
import type { Logger } from '../logging/index.ts';
import type { NamedJob } from './job.ts';
import { plannedOnce } from './planned-once.ts';

// pg-boss misses a dead worker when its heartbeat is ten seconds old, and takes no less. But a process that dies closes
// its connections, and PostgreSQL then frees its advisory locks at once: that is a quicker way to know.

/** The first half of the advisory lock that says 'this worker is here'; the second is the worker's number. */
export const presenceLock = 722_119;

/** The channel that announces jobs that start at once, by the name of their queue, and carries requested jobs. */
export const jobsChannel = 'assay_jobs';

interface AbandonedJob extends NamedJob {
  /** Whether it ended the process for suspects while no other suspect ran there. */
  readonly isToBlame: boolean;
}

/** The worker of jobs whose worker is gone. */
const gone = 0;
/** A suspect that ran alone when its process went together with the whole worker is tried again until then: power cuts do that too. */
const lossesMax = 3;

export interface Presence {
  /** `takeJobs` and `takeSuspects` record the jobs that they take under it. */
  readonly workerNumber: number;
  /**
   * Completes these jobs and ends their runs. With one statement: a run that is left of a job that has ended would look like work under
   * way. Then no job of their kind and customer is to blame any more. Without `keepsRecord`, nothing is left of the jobs.
   */
  complete(jobs: readonly NamedJob[], how: { readonly keepsRecord: boolean }): Promise<void>;
  /** Ends the runs of jobs that fail next. A job whose failure cannot be written down then misses its heartbeats, and is tried again. */
  end(jobs: readonly NamedJob[]): Promise<void>;
  /** Says that this worker no longer runs them. Suspects among them stay suspects. */
  leave(jobs: readonly NamedJob[]): Promise<void>;
  /** Jobs of workers that were gone at this poll and at the one before. They are suspects now. Each job is returned once. */
  findAbandoned(): Promise<AbandonedJob[]>;
  close(): Promise<void>;
}

/** Shorter than two polls of the others, who would take this worker for dead. */
const reconnectDelayMsMax = 250;
/** Shorter than the time after which we give up a connection that does not answer. */
const lockWaitMsMax = 5_000;

/**
 * The tries of jobs in the arrays of `valuesOf`. The same job may run here again before its last try has left off. The ids are compared
 * twice, so that they are looked up in whatever order the tables are joined.
 */
const tries = 'unnest($1::text[], $2::uuid[], $3::int[]) as done (name, id, retry_count)';
const isTry = (row: string, id: string) =>
  `${row}.${id} = any ($2::uuid[]) and ${row}.${id} = done.id and ${row}.retry_count = done.retry_count`;
const isOurs = `${isTry('run', 'job_id')} and worker_number = $4`;
const valuesOf = (jobs: readonly NamedJob[], workerNumber: number): unknown[] => [
  jobs.map(({ name }) => name),
  jobs.map(({ id }) => id),
  jobs.map(({ retryCount }) => retryCount),
  workerNumber,
];

const endRuns = `ended as (
    delete from job_runs as run using ${tries} where ${isOurs} returning job_name, owner_id, losses
  )
  delete from job_runs as blamed using ended
  where ended.losses > 0 and is_blamed and blamed.job_name = ended.job_name and blamed.owner_id = ended.owner_id`;
const isRunning = `job.name = any ($1::text[]) and job.name = done.name and ${isTry('job', 'id')} and state = 'active'`;
const completeJobs = `with completed as (
    update queue.job set state = 'completed', completed_on = queue.job_now(), output = null from ${tries} where ${isRunning}
  ), ${endRuns}`;
/** Of single checks, so it runs as often as they do. */
export const removing = plannedOnce({
  name: 'remove_jobs',
  parameters: ['text[]', 'uuid[]', 'int[]', 'int'],
  isLoose: 'true',
  text: `with removed as (delete from queue.job using ${tries} where ${isRunning}), ${endRuns}`,
});
const leaveRuns = `with kept as (
    update job_runs as run set worker_number = ${gone}, released_at = null from ${tries} where ${isOurs} and losses > 0
  )
  delete from job_runs as run using ${tries} where ${isOurs} and losses = 0`;

/** Of jobs that ended while nothing ran them: they failed for good, or were removed. A job that is to blame stays for a day. */
const forgetEnded = `delete from job_runs as run
  where worker_number = any($1) and case when is_blamed then lost_at < now() - interval '1 day'
    else not exists (select from queue.job where job.name = job_name and job.id = job_id and state <= 'active') end`;

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
  const execute = async (statement: string, jobs: readonly NamedJob[]): Promise<void> => {
    await sql.executeSql(statement, valuesOf(jobs, workerNumber));
  };

  return {
    workerNumber,

    complete: (jobs, { keepsRecord }) => execute(keepsRecord ? completeJobs : removing.call, jobs),

    end: (jobs) => execute(`with ${endRuns}`, jobs),

    leave: async (jobs) => {
      try {
        await execute(leaveRuns, jobs);
      } catch (error) {
        // At worst they are taken for jobs of a dead worker.
        logger.warn({ err: error }, 'could not record which jobs this worker has left');
      }
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
      await sql.executeSql(forgetEnded, [[gone, ...goneTwice]]);
      if (goneTwice.length === 0) return [];
      const abandoned = await sql.executeSql(
        `with lost as (
           select job_id, worker_number, losses,
             (count(*) filter (where losses > 0) over (partition by worker_number))::int as suspects,
             parent_number is null or not pg_try_advisory_xact_lock($2, parent_number) as has_survived
           from job_runs where worker_number = any($1)
         )
         update job_runs as run set
           worker_number = ${gone}, losses = run.losses + 1, lost_at = now(), released_at = null,
           together_max = case when run.losses > 0 then least(together_max, (suspects + 1) / 2) end,
           is_blamed = run.losses > 0 and suspects = 1 and (has_survived or run.losses + 1 >= ${lossesMax})
         from lost where run.job_id = lost.job_id and run.worker_number = lost.worker_number
         returning run.job_id as id, job_name as name, retry_count as "retryCount", is_blamed as "isToBlame"`,
        [goneTwice, presenceLock],
      );
      return abandoned.rows as AbandonedJob[];
    },

    close: () => connection.close(),
  };
}
