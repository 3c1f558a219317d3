import type { Deadline } from '../support/until.ts';
import type { RunningFault } from './plan.ts';
import type { Product } from './product.ts';

type Wreck = (product: Product, deadline: Deadline) => Promise<string>;

/** Each fault runs while a list is being verified and returns a description. */
export const runningFaults: Record<RunningFault, Wreck> = {
  'worker killed in the middle of a job': async (product, deadline) => {
    await deadline.until('a worker runs a job', () => countRuns(product));
    return killWorker(product);
  },

  // The worker waits for a row that we lock: it dies with its results inserted and its transaction open.
  'worker killed while it writes results': (product, deadline) =>
    whileHeld(product, 'select 1 from validation_lists for update', async () => {
      await deadline.until('a worker waits to count results', () => isWaiting(product, 'assay worker bulk'));
      return killWorker(product);
    }),

  'PostgreSQL restarted': async ({ server }) => {
    await server.restart();
    return '';
  },

  'PostgreSQL crashed': async ({ server }) => {
    await server.crash();
    return '';
  },

  'connections cut': async (product) => {
    const cut = await product.ask(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name <> 'assay faults'`,
    );
    return `${cut.length} of them`;
  },
};

export async function killWorker(product: Product): Promise<string> {
  await product.killWorker();
  const jobCount = await countRuns(product);
  await product.startWorker();
  return `${jobCount} jobs under way`;
}

/** The jobs that workers run, by their own record; a dead worker's stay until others take over. */
export async function countRuns(product: Product): Promise<number> {
  const [row] = await product.ask<{ count: string }>(
    `select count(*) from job_runs where job_name like 'validations.verify%'`,
  );
  return Number(row?.count);
}

/** Runs an action while a transaction of ours holds the locks of a statement. */
export function whileHeld<Result>(
  product: Product,
  statement: string,
  work: () => Promise<Result>,
): Promise<Result> {
  return product.connected(async (client) => {
    await client.query('begin');
    await client.query(statement);
    try {
      return await work();
    } finally {
      await client.query('rollback');
    }
  });
}

export async function isWaiting(product: Product, applicationName: string): Promise<boolean> {
  const waiting = await product.ask(
    `select 1 from pg_stat_activity
     where datname = current_database() and application_name = $1 and wait_event_type = 'Lock'`,
    [applicationName],
  );
  return waiting.length > 0;
}
