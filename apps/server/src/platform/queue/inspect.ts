// What operators see of the queue. Read from pg-boss's tables, because its own calls count all jobs of a queue. Each query names
// queues, because every index of the jobs begins with the name.
import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../database/database.ts';
import type { AccountId } from '../ids.ts';
import { deadLetters } from './queue.ts';

interface QueueLoad {
  readonly name: string;
  readonly waiting: number;
  readonly active: number;
  readonly oldestSince: Date | null;
}

/**
 * Queues with work that could start now or runs. pg-boss counts too, but only while a worker lives, so that a queue without
 * workers would look empty. Its count of running jobs is a few seconds old.
 */
export async function findQueueLoads(db: Db, now: Date): Promise<QueueLoad[]> {
  const { rows } = await sql<QueueLoad>`
    select name, waiting, active_count as active, "oldestSince"
    from queue.queue, lateral (
      select count(*) as waiting, min(greatest(start_after, created_on)) as "oldestSince" from queue.job
      where job.name = queue.name and state < 'active' and start_after <= ${now}) ready
    where name <> ${deadLetters} and waiting + active_count > 0
    order by name`.execute(db);
  return rows;
}

/** Whether a job of the queue completed since then. They are deleted after `keepFinishedSeconds`, so ask for no earlier time. */
export async function hasCompletedJobs(db: Db, queue: string, since: Date): Promise<boolean> {
  const { rows } = await sql`
    select from queue.job where name = ${queue} and state = 'completed' and completed_on >= ${since} limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

export interface FailedJob {
  readonly id: string;
  readonly queue: string;
  readonly tries: number;
  readonly problem: string;
  /** When the job failed for good, or when its next try is. */
  readonly moment: Date;
  readonly data: unknown;
}

const wordsMax = 500;
const messageIn = (output: RawBuilder<unknown>) =>
  sql`left(coalesce(${output} ->> 'message', ${output} #>> '{}', ''), ${wordsMax})`;

/** Jobs that failed for good, the oldest first. */
export async function findDeadLetters(db: Db, limit: number): Promise<FailedJob[]> {
  const { rows } = await sql<FailedJob>`
    select id, coalesce(source_name, name) as queue, coalesce(source_retry_count, 0) + 1 as tries,
      ${messageIn(sql.ref('source_output'))} as problem, created_on as moment, data
    from queue.job where name = ${deadLetters} and state = 'created'
    order by created_on, id limit ${limit}`.execute(db);
  return rows;
}

export async function countDeadLetters(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from queue.job where name = ${deadLetters} and state = 'created'`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Locks a job that failed for good. Returns its queue, or nothing if there is none with this id. */
export async function lockDeadLetter(tx: Tx, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ queue: string }>`
    select coalesce(source_name, name) as queue from queue.job
    where name = ${deadLetters} and id = ${id} and state = 'created' for update`.execute(tx);
  return rows[0]?.queue;
}

export async function removeDeadLetter(tx: Tx, id: string): Promise<void> {
  await sql`delete from queue.job where name = ${deadLetters} and id = ${id}`.execute(tx);
}

/** Jobs that failed at least this often and wait for their next try. */
export async function findFailingJobs(
  db: Db,
  { triesMin, limit }: { readonly triesMin: number; readonly limit: number },
): Promise<FailedJob[]> {
  const { rows } = await sql<FailedJob>`
    select id, name as queue, retry_count as tries, ${messageIn(sql.ref('output'))} as problem, start_after as moment, data
    from queue.job where name in (select name from queue.queue) and state < 'active' and state = 'retry'
      and retry_count >= ${triesMin}
    order by retry_count desc, id limit ${limit}`.execute(db);
  return rows;
}

/** By its id, or by the trace that it belongs to. */
export type JobsToFind = { readonly id: string } | { readonly traceId: string };

/** Jobs in whatever state, dead letters among them. Those that ended are there for ten minutes. */
export async function findJobs(
  db: Db,
  wanted: JobsToFind,
  limit: number,
): Promise<(FailedJob & { readonly state: string })[]> {
  // Few jobs are traced, and none has an index by its trace: this reads the payloads of all jobs that wait.
  const isWanted =
    'id' in wanted
      ? sql`id = ${wanted.id}`
      : sql`starts_with(data ->> 'traceparent', ${`00-${wanted.traceId}-`})`;
  const { rows } = await sql<FailedJob & { state: string }>`
    select id, coalesce(source_name, name) as queue, coalesce(source_retry_count, retry_count) as tries,
      ${messageIn(sql`coalesce(source_output, output)`)} as problem, coalesce(completed_on, started_on, created_on) as moment, data,
      case when name = ${deadLetters} then 'failed for good' else state::text end as state
    from queue.job where name in (select name from queue.queue) and ${isWanted}
    order by created_on, id limit ${limit}`.execute(db);
  return rows;
}

/** Makes a job that waits for its next try due now. Returns its queue, or nothing if there is no such job. */
export async function retryJobNow(tx: Tx, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    update queue.job set start_after = now()
    where name in (select name from queue.queue) and id = ${id} and state = 'retry' returning name`.execute(
    tx,
  );
  return rows[0]?.name;
}

/** Moves the waiting jobs of these owners back by `place`, and forward again those of all others that are there. */
export async function moveJobs(
  tx: Tx,
  {
    queues,
    ownerIds,
    place,
  }: { readonly queues: readonly string[]; readonly ownerIds: readonly string[]; readonly place: number },
): Promise<void> {
  const isWaiting = sql`name = any(${queues}::text[]) and state < 'active'`;
  const isOfThese = sql`data ->> 'ownerId' = any(${ownerIds}::text[])`;
  if (ownerIds.length > 0) {
    await sql`
      update queue.job set priority = priority - ${place}
      where ${isWaiting} and priority > ${-place} and ${isOfThese}`.execute(tx);
  }
  await sql`
    update queue.job set priority = priority + ${place}
    where ${isWaiting} and priority <= ${-place} and not ${isOfThese}`.execute(tx);
}

export interface JobsAbout {
  /** What they are about, such as a list: the value of a field of their payload. */
  readonly subject: string;
  /** Those that run, that could start now, and that failed before. */
  readonly active: number;
  readonly ready: number;
  readonly failing: number;
  readonly problem: string | null;
}

/** Subjects of jobs, and the field of the payload that names them. */
interface Subjects {
  readonly field: string;
  readonly subjects: readonly string[];
}

/** The jobs about some subjects that are not done, in queues whose names begin so. */
export async function findJobsAbout(
  db: Db,
  {
    field,
    subjects,
    queuePrefixes,
    now,
  }: Subjects & { readonly queuePrefixes: readonly string[]; readonly now: Date },
): Promise<JobsAbout[]> {
  const { rows } = await sql<JobsAbout>`
    select data ->> ${field} as subject, count(*) filter (where state = 'active') as active,
      count(*) filter (where state < 'active' and start_after <= ${now}) as ready,
      count(*) filter (where retry_count > 0) as failing, max(${messageIn(sql.ref('output'))}) as problem
    from queue.job
    where name in (select name from queue.queue where name ^@ any(${queuePrefixes}::text[]))
      and state <= 'active' and data ->> ${field} = any(${subjects}::text[])
    group by 1`.execute(db);
  return rows;
}

/** The customers among these for whom no job waits or runs in a queue. */
export async function findOwnersWithoutJobs(
  db: Db,
  { ownerIds, queue }: { readonly ownerIds: readonly AccountId[]; readonly queue: string },
): Promise<AccountId[]> {
  const { rows } = await sql<{ ownerId: AccountId }>`
    select distinct data ->> 'ownerId' as "ownerId" from queue.job
    where name = ${queue} and state <= 'active' and data ->> 'ownerId' = any(${ownerIds}::text[])`.execute(
    db,
  );
  const withJobs = new Set(rows.map(({ ownerId }) => ownerId));
  return ownerIds.filter((ownerId) => !withJobs.has(ownerId));
}

/**
 * The subjects among these on which no job will work: none waits or runs in queues whose names begin so, and none failed for good
 * and waits for a person.
 */
export async function findSubjectsWithoutJobs(
  db: Db,
  { field, subjects, queuePrefix }: Subjects & { readonly queuePrefix: string },
): Promise<ReadonlySet<string>> {
  const without = new Set(subjects);
  if (without.size === 0) return without;
  const { rows } = await sql<{ subject: string }>`
    select distinct data ->> ${field} as subject from queue.job
    where (name in (select name from queue.queue where name ^@ ${queuePrefix}) and state <= 'active'
        or name = ${deadLetters} and state = 'created')
      and data ->> ${field} = any(${subjects}::text[])`.execute(db);
  for (const { subject } of rows) without.delete(subject);
  return without;
}
