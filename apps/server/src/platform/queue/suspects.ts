// A job that was under way when its worker died may be what ended it. Such suspects run in a process of their own. First all
// of them together, because most are innocent; when that process dies, half of those that it ran, until the one that ends
// processes runs alone. See docs/decisions/queue-worker-presence.md.
import type { Clock, Db as Sql } from 'pg-boss';
import type { Logger } from '../logging/index.ts';
import type { Lane } from './lane.ts';
import { asTaken, isOf, isWaiting, ownerOf, startTaken, type TakenJob } from './take-jobs.ts';

/** How long suspects run before the next ones join them; four times longer after each loss, so that a slow killer is found too. */
const aloneSeconds = 5;
const lossesCounted = 8;
const pollEveryMs = 1_000;

/** Suspects of the queues $1 that could run now. Jobs are looked up one by one: a join could read all jobs. */
const waitingSuspects = `
  select run.* from job_runs as run
  cross join lateral (
    select from queue.job
    where job.name = run.job_name and job.id = run.job_id and ${isWaiting('job')} and start_after <= queue.job_now()
    limit 1
  ) as waiting
  where run.losses > 0 and run.released_at is null and run.job_name = any($1::text[])`;

/** Of one kind and customer at a time, so that a long list does not make a long table. */
const blamedAtATime = 20;

/** Makes suspects of waiting jobs of the queues $1 that are of the kind and customer of a job that is to blame. */
const suspectBlamed = `
  insert into job_runs (job_id, job_name, owner_id, retry_count, worker_number, losses, lost_at)
  select next.id, job_name, owner_id, next.retry_count, 0, 1, now()
  from (select distinct job_name, owner_id from job_runs where is_blamed and job_name = any($1::text[])) as blamed
  cross join lateral (
    select id, retry_count from queue.job
    where name = job_name and ${isWaiting('job')} and start_after <= queue.job_now() and ${isOf('job', 'owner_id')}
    order by ${ownerOf('job')}, priority desc, created_on
    limit ${blamedAtATime}
  ) as next
  on conflict (job_id) do nothing`;

/** New suspects wait from the next call on. */
export async function areSuspectsWaiting(sql: Sql, queues: readonly string[]): Promise<boolean> {
  const { rows } = await sql.executeSql(`with suspected as (${suspectBlamed}) ${waitingSuspects} limit 1`, [
    queues,
  ]);
  return rows.length > 0;
}

/** Lets ordinary workers run one suspect, when no earlier one is under way there or all have run for some time. */
export async function releaseSuspect(sql: Sql, queues: readonly string[]): Promise<void> {
  await sql.executeSql(
    `with waiting as (${waitingSuspects})
     update job_runs set released_at = queue.job_now()
     where job_id = (select job_id from waiting order by losses, job_id limit 1)
       and pg_try_advisory_xact_lock(722122)
       and not exists (
         select from job_runs where losses > 0 and released_at > queue.job_now()
           - ${aloneSeconds} * interval '1 second' * 4 ^ least(losses - 1, ${lossesCounted})
       )`,
    [queues],
  );
}

interface TakenSuspect extends TakenJob {
  readonly losses: number;
}

interface SuspectsWanted {
  readonly workerNumber: number;
  readonly parentNumber: number;
  readonly lanes: readonly Pick<Lane, 'name' | 'freeCount'>[];
}

/** Starts as many suspects as may run together, those first that may run with the fewest others. */
async function takeSuspects(
  sql: Sql,
  { workerNumber, parentNumber, lanes }: SuspectsWanted,
): Promise<TakenSuspect[]> {
  const { rows } = await sql.executeSql(
    `with suspected as (${suspectBlamed}), waiting as (
       select run.*, row_number() over (partition by job_name order by together_max, job_id) as nth
       from (${waitingSuspects}) as run
     ), found as (
       select job_name, job_id, losses from waiting join unnest($1::text[], $2::int[]) as room (name, count) on job_name = name
       where nth <= room.count
       order by together_max, job_id
       limit (select min(together_max) from waiting)
     ), taken as materialized (
       select found.* from found
       cross join lateral (
         select from queue.job
         where job.name = job_name and job.id = job_id and ${isWaiting('job')}
         for update skip locked
       ) as locked
     ), started as (
       ${startTaken} where job.name = job_name and job.id = job_id
       returning ${asTaken}, taken.losses
     ), recorded as (
       update job_runs set retry_count = "retryCount", worker_number = $3, parent_number = $4
       from started where job_id = started.id
     )
     select * from started`,
    [lanes.map(({ name }) => name), lanes.map(({ freeCount }) => freeCount), workerNumber, parentNumber],
  );
  return rows;
}

interface SuspectsOptions {
  readonly sql: Sql;
  readonly workerNumber: number;
  readonly parentNumber: number;
  readonly lanes: readonly Lane[];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Runs suspects until none is left. When it is asked to stop, the lanes know of all that were taken. */
export async function runSuspects(options: SuspectsOptions): Promise<void> {
  const { sql, lanes, clock, logger, signal } = options;
  while (!signal.aborted) {
    const taken = await takeSuspects(sql, options).catch((error) => {
      logger.warn({ err: error }, 'could not fetch jobs of dead workers; trying again within a second');
      return null;
    });
    if (taken?.length === 0 && lanes.every(({ isIdle }) => isIdle)) return;
    const next = Promise.withResolvers<void>();
    const timer = clock.setTimeout(next.resolve, taken?.length ? aloneMs(taken) : pollEveryMs);
    signal.addEventListener('abort', () => next.resolve(), { once: true });
    if (taken?.length) {
      const runs = taken.map((job) => lanes.find(({ name }) => name === job.name)?.run(job));
      void Promise.all(runs).then(() => next.resolve());
    }
    await next.promise;
    clock.clearTimeout(timer);
  }
}

const aloneMs = (taken: readonly TakenSuspect[]): number =>
  aloneSeconds * 1_000 * 4 ** Math.min(...taken.map(({ losses }) => losses - 1), lossesCounted);
