import type { Db as Sql } from 'pg-boss';
import type { NamedJob } from './job.ts';

/**
 * Sends running jobs round again at once. Their number of tries stays, because handlers look at it, but one more is allowed: a
 * deploy or the death of a worker must not make a dead letter of a job that is at its last try.
 */
export async function giveBack(sql: Sql, jobs: readonly NamedJob[]): Promise<void> {
  await sql.executeSql(
    `update queue.job set state = 'retry', retry_limit = retry_limit + 1, start_after = queue.job_now()
     from unnest($1::text[], $2::uuid[], $3::int[]) as given (name, id, retry_count)
     where job.name = given.name and job.id = given.id and job.retry_count = given.retry_count and state = 'active'`,
    [jobs.map(({ name }) => name), jobs.map(({ id }) => id), jobs.map(({ retryCount }) => retryCount)],
  );
}
