import { randomInt } from 'node:crypto';
import pg from 'pg';
import type { Db as Sql } from 'pg-boss';

// pg-boss misses a dead worker when its heartbeat is ten seconds old, and takes no less. But a process that dies closes
// its connections, and PostgreSQL then frees its advisory locks at once: that is a quicker way to know.

/** The first half of the advisory lock that says 'this worker is here'; the second is the worker's number. */
export const presenceLock = 722_119;

/** The channel on which jobs that start at once are told, by the name of their queue. */
export const jobsChannel = 'assay_jobs';

interface TakenJob {
  readonly id: string;
  readonly retryCount: number;
}

interface AbandonedJob extends TakenJob {
  readonly name: string;
}

export interface Presence {
  /** Says that this worker runs these jobs of a queue. */
  begin(name: string, jobs: readonly TakenJob[]): Promise<void>;
  /** And that it no longer does. */
  end(jobs: readonly TakenJob[]): Promise<void>;
  /** Jobs of workers that were gone at this look and at the one before; each is told once. */
  findAbandoned(): Promise<AbandonedJob[]>;
  close(): Promise<void>;
}

const reconnectDelayMs = 200;

/** See docs/decisions/queue-worker-presence.md. */
export async function announcePresence(options: {
  readonly databaseUrl: string;
  readonly applicationName: string;
  readonly sql: Sql;
  readonly onError: (error: Error) => void;
  /** Jobs have come that start at once: in this queue, or in any when some may have been missed. */
  readonly onJobs: (name?: string) => void;
}): Promise<Presence> {
  const { sql, onError } = options;
  const workerNumber = randomInt(1, 2 ** 31 - 1);
  const session = await holdLock({ ...options, workerNumber });
  let goneBefore = new Set<number>();
  /** Heartbeats are behind this, so that a statement that fails here is no reason to fail a job. */
  const run = async (statement: string, values: unknown[]): Promise<void> => {
    await sql.executeSql(statement, values).catch(onError);
  };

  return {
    begin: (name, jobs) =>
      run(
        `insert into job_runs (job_id, job_name, retry_count, worker_number)
         select id, $1, retry_count, $2 from unnest($3::uuid[], $4::int[]) as taken (id, retry_count)
         on conflict (job_id) do update
           set retry_count = excluded.retry_count, worker_number = excluded.worker_number`,
        [name, workerNumber, jobs.map(({ id }) => id), jobs.map(({ retryCount }) => retryCount)],
      ),

    end: (jobs) =>
      run('delete from job_runs where job_id = any($1) and worker_number = $2', [
        jobs.map(({ id }) => id),
        workerNumber,
      ]),

    findAbandoned: async () => {
      const { rows } = await sql.executeSql(
        `select worker_number from (
           select distinct worker_number from job_runs where worker_number <> $1
         ) as others
         where pg_try_advisory_xact_lock($2, worker_number)`,
        [workerNumber, presenceLock],
      );
      // Twice in a row, so that a worker whose connection was cut for a moment has time to come back.
      const goneNow = new Set(rows.map((row) => row.worker_number as number));
      const gone = [...goneNow].filter((number) => goneBefore.has(number));
      goneBefore = goneNow;
      if (gone.length === 0) return [];
      const abandoned = await sql.executeSql(
        `delete from job_runs where worker_number = any($1)
         returning job_id as id, job_name as name, retry_count as "retryCount"`,
        [gone],
      );
      return abandoned.rows as AbandonedJob[];
    },

    close: () => session.close(),
  };
}

/** Keeps a connection that holds the lock and listens for jobs, and makes a new one whenever it breaks. */
async function holdLock(options: {
  readonly databaseUrl: string;
  readonly applicationName: string;
  readonly workerNumber: number;
  readonly onError: (error: Error) => void;
  readonly onJobs: (name?: string) => void;
}): Promise<{ close(): Promise<void> }> {
  let isClosed = false;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;

  const connect = async (): Promise<void> => {
    const next = new pg.Client({
      connectionString: options.databaseUrl,
      application_name: options.applicationName,
      keepAlive: true,
    });
    next.on('error', options.onError);
    next.once('end', () => {
      if (client === next) reconnectLater();
    });
    next.on('notification', ({ payload }) => options.onJobs(payload));
    client = next;
    await next.connect();
    await next.query(`listen ${jobsChannel}`);
    options.onJobs();
    // Waits, should the server still believe in a connection of ours that is broken.
    await next.query('select pg_advisory_lock($1, $2)', [presenceLock, options.workerNumber]);
  };
  const reconnectLater = () => {
    if (isClosed) return;
    clearTimeout(retry);
    retry = setTimeout(() => {
      connect().catch((error: Error) => {
        options.onError(error);
        reconnectLater();
      });
    }, reconnectDelayMs);
  };

  const close = async () => {
    isClosed = true;
    clearTimeout(retry);
    await client?.end();
  };
  try {
    await connect();
  } catch (error) {
    await close();
    throw error;
  }
  return { close };
}
