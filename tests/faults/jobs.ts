import type { Product } from './product.ts';

/**
 * Adds a job to a queue of the product, before all others. Returns false if there is no such queue, or if it takes one job at a
 * time and has one.
 */
export async function addJob(
  product: Product,
  queue: string,
  payload: unknown = {},
  { retryLimit }: { retryLimit?: number } = {},
): Promise<boolean> {
  const added = await product.ask(
    `insert into queue.job (name, data, priority, retry_limit, retry_delay, expire_seconds, heartbeat_seconds, policy, dead_letter)
     select name, $2, 1000, coalesce($3, retry_limit), 1, expire_seconds, heartbeat_seconds, policy, dead_letter from queue.queue
     where name = $1 on conflict do nothing returning id`,
    [queue, JSON.stringify(payload), retryLimit],
  );
  return added.length === 1;
}

/** Jobs that are due within the hour, of all queues but those that a schedule fills, by queue. */
export const findJobsLeft = (product: Product) =>
  product.ask<{ queue: string; state: string; count: number }>(
    `select name as queue, state, count(*)::int as count from queue.job
     where state < 'completed' and name <> 'dead-letters' and start_after < now() + interval '1 hour'
       and name not in (select name from queue.schedule)
     group by 1, 2 order by 1, 2`,
  );

/** Records of runs whose jobs have ended: for others, such a job looks like work under way. */
export const findRunsLeft = (product: Product) =>
  product.ask<{ job_name: string; worker_number: number }>(
    `select job_name, worker_number from job_runs
     where not is_blamed and not exists (select from queue.job where name = job_name and id = job_id and state <= 'active')`,
  );

/**
 * Lets what hosts deferred be asked again: the hosts of rounds want a second, and workers wait for at least fifteen. Call it when only
 * the end is waited for, so that a round does not sleep.
 */
export const hurryDeferred = (product: Product) =>
  product.ask(
    `update queue.job set start_after = now()
     where name like '%deferred%' and state < 'active' and created_on < now() - interval '2 seconds' and start_after > now()`,
  );
