// Takes jobs by customer. The fetch of pg-boss goes by priority and age alone, so one customer's thousand jobs would go before
// another's first. See docs/decisions/queue-places.md.

import type { Db as Sql } from 'pg-boss';
import type { AccountId } from '../ids.ts';
import type { PlaceHolder } from '../limits/places.ts';
import type { TraceLink } from '../tracing/index.ts';
import type { NamedJob } from './job.ts';
import { plannedOnce } from './planned-once.ts';

/** Where jobs begin that come after those of all other customers, of which no list has as many. */
export const lastPlace = 1_000_000;

export interface TakenJob extends NamedJob {
  readonly data: object & TraceLink;
  /** Whose job it is; empty for the product's own. */
  readonly ownerId: AccountId;
}

export interface JobsWanted {
  readonly name: string;
  /** Who takes them, which is recorded with the jobs: one of them may end the process at once. */
  readonly workerNumber: number;
  readonly max: number;
  readonly holders: readonly PlaceHolder[];
  /** How many jobs each of the other customers may have. */
  readonly roomForOthers: number;
  /** Whether they may run twice at a time after a crash of the database. */
  readonly mayRunTwice: boolean;
}

/** Any client of the database may write anything, and the key of an index is short. */
export const ownerOf = (job: string) => `left(coalesce(${job}.data ->> 'ownerId', ''), 36)`;
export const isWaiting = (job: string) => `${job}.state < 'active' and not ${job}.blocked`;

/** Finds the first jobs of each customer, however many jobs the others have. Nothing happens where it is there. */
export const makeOwnersIndex = `do $$ begin
  if to_regclass('queue.job_by_owner') is null then
    perform pg_advisory_xact_lock(722121);
    create index if not exists job_by_owner on queue.job (
      name, (${ownerOf('job')}), priority desc, created_on, start_after) where ${isWaiting('job')};
  end if;
end $$`;

/** Other workers poll at the same time and take some of those that we find first. */
const foundPerTaken = 3;

/** Written as a range, because the planner would otherwise read jobs of all owners in the order of another index. */
export const isOf = (job: string, id: string) => `${ownerOf(job)} >= ${id} and ${ownerOf(job)} <= ${id}`;

/** Whether ordinary workers may run a job. Suspects, and jobs of the kind and customer of one that is to blame, run in processes of their own. */
export const isNoSuspect = (job: string) => `
  ${job}.id <> all (array(select job_id from job_runs where losses > 0 and released_at is null))
  and ((${job}.name, ${ownerOf(job)}) not in (select job_name, owner_id from job_runs where is_blamed)
    or ${job}.id = any (array(select job_id from job_runs where released_at is not null)))`;

/** What the fetch of pg-boss 12 does to the jobs in `taken`. */
export const startTaken = `
    update queue.job set
      state = 'active',
      started_on = queue.job_now(),
      heartbeat_on = queue.job_now(),
      retry_count = case when started_on is null then retry_count else retry_count + 1 end
    from taken`;
export const asTaken = `job.name, job.id, job.data, job.retry_count as "retryCount", ${ownerOf('job')} as "ownerId"`;

/** The same as the fetch of pg-boss 12, except for the choice: `queue.test.ts` has the retries that follow from it. */
const takingStatement = `
  with recursive owner (id) as (
    (select ${ownerOf('job')} from queue.job where name = $1 and ${isWaiting('job')} order by 1 limit 1)
    union all
    select (
      select ${ownerOf('job')} from queue.job
      where name = $1 and ${isWaiting('job')} and ${ownerOf('job')} > owner.id
      order by 1 limit 1)
    from owner where owner.id is not null
  ), found as (
    select first.id, first.priority <= -${lastPlace} as is_last,
      coalesce(holder.count, 0) + first.nth as nth, coalesce(holder.served_at, 0) as turn, first.created_on
    from owner
    left join unnest($3::text[], $4::int[], $5::int[], $6::int[]) as holder (id, count, room, served_at) using (id)
    cross join lateral (
      select id, priority, created_on, row_number() over (order by priority desc, created_on) as nth
      from (
        select job.id, priority, created_on from queue.job
        where name = $1 and ${isWaiting('job')} and start_after <= queue.job_now() and ${isOf('job', 'owner.id')}
          and ${isNoSuspect('job')}
        order by ${ownerOf('job')}, priority desc, created_on
        limit least(coalesce(holder.room, $7::int), $2::int * ${foundPerTaken})
      ) as waiting
    ) as first
    where owner.id is not null
    order by is_last, nth, turn, first.created_on
    limit $2::int * ${foundPerTaken}
  ), taken as materialized (
    -- One by one, in the order of \`found\`: a join could read all jobs, and sorting again would lock too many.
    select found.* from found
    cross join lateral (
      select from queue.job
      -- Not as the condition of an index of all waiting jobs, which would do as well if there were few of them.
      where job.name = $1 and job.id = found.id and coalesce(${isWaiting('job')}, false)
      for update skip locked
    ) as locked
    limit $2
  ), started as (
    ${startTaken} where job.name = $1 and job.id = taken.id and job.id = any (array(select id from taken))
    returning ${asTaken}, taken.is_last, taken.nth, taken.turn, taken.created_on
  ), recorded as (
    insert into job_runs (job_id, job_name, owner_id, retry_count, worker_number)
    select id, name, "ownerId", "retryCount", $8 from started
    on conflict (job_id) do update set retry_count = excluded.retry_count, worker_number = excluded.worker_number
  )
  select name, id, data, "retryCount", "ownerId" from started order by is_last, nth, turn, created_on`;

export const taking = plannedOnce({
  name: 'take_jobs',
  parameters: ['text', 'int', 'text[]', 'int[]', 'int[]', 'int[]', 'int', 'int', 'boolean'],
  isLoose: '$9',
  columns: 'name text, id uuid, data jsonb, "retryCount" int, "ownerId" text',
  text: takingStatement,
});

/**
 * Starts waiting jobs whose time has come: first those of customers who have the fewest running, then of those
 * who were served longest ago. A customer's own go by priority and age.
 */
export async function takeJobs(
  sql: Sql,
  { name, workerNumber, max, holders, roomForOthers, mayRunTwice }: JobsWanted,
): Promise<TakenJob[]> {
  const { rows } = await sql.executeSql(taking.call, [
    name,
    max,
    holders.map(({ ownerId }) => ownerId),
    holders.map(({ count }) => count),
    holders.map(({ room }) => room),
    holders.map(({ servedAt }) => servedAt),
    roomForOthers,
    workerNumber,
    mayRunTwice,
  ]);
  return rows;
}
