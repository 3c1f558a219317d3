import { setTimeout as pause } from 'node:timers/promises';
import type { Ending } from '../support/product-process.ts';
import type { Random } from '../support/random.ts';
import { Deadline } from '../support/until.ts';
import type { RunningFault } from './plan.ts';
import { poison } from './poison.ts';
import type { Product } from './product.ts';

type Wreck = (
  product: Product,
  deadline: Deadline,
  plan: { readonly random: Random; readonly ending: Ending },
) => Promise<string>;

/** A job whose worker sends no heartbeat is given to another after ten seconds: some cuts are shorter, some longer. */
const silenceMs = { min: 1_000, max: 15_000 } as const;
const delayMs = { min: 5, max: 40 } as const;
/** Lists have four hours of patience with mail hosts, so a jump of more would rightly end in UNKNOWN. */
const jumpMinutes = { min: 5, max: 180 } as const;
/** Nearly every write of results needs new pages, but the last ones of a list may find room. */
const fullDiskMsMax = 30_000;

/** Each fault runs while a list is being verified and returns a description. */
export const runningFaults: Record<RunningFault, Wreck> = {
  'all workers end in the middle of a job': async (product, deadline, { ending }) => {
    await deadline.until('a worker runs a job', () => countRuns(product));
    return replaceWorkers(product, ending);
  },

  // The other one goes on meanwhile and takes over what the first leaves.
  'one of two workers ends in the middle of a job': async (product, deadline, { ending }) => {
    await product.startWorker();
    // The list may have ended while the second one started.
    await deadline.until(
      'a worker runs a job, or the list is done',
      async () => (await countRuns(product)) > 0 || (await areListsDone(product)),
    );
    await product.endWorkers(ending, 'the first');
    return `by ${ending}`;
  },

  // The workers wait for a row that we lock, with their results inserted and their transaction open. Those that end
  // gracefully wait until we let go.
  'all workers end while they write results': async (product, deadline, { ending }) => {
    const { ended } = await whileHeld(product, 'select 1 from lists for update', async () => {
      await deadline.until('a worker waits to count results', () => isWaiting(product, 'assay worker bulk'));
      const replaced = replaceWorkers(product, ending);
      if (ending === 'SIGKILL') await replaced;
      return { ended: replaced };
    });
    return ended;
  },

  'PostgreSQL restarted': async ({ server }) => {
    await server.restart();
    return '';
  },

  'PostgreSQL crashed': async ({ server }) => {
    await server.crash();
    return '';
  },

  // Not those of PostgreSQL itself, such as autovacuum.
  'connections cut': async (product) => {
    const cut = await product.ask(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and usename = current_user and application_name <> 'assay faults'`,
    );
    return `${cut.length} of them`;
  },

  'worker stopped by SIGSTOP': async (product, deadline) => {
    await deadline.until('a worker runs a job', () => countRuns(product));
    return `another took ${await stopWorkers(product, deadline)} jobs`;
  },

  'poison jobs': async (product) => `${await poison(product)} of them`,

  'clock jumps': async (product, _deadline, { random }) => {
    const minutes = random.between(jumpMinutes.min, jumpMinutes.max) * random.oneOf([1, -1]);
    await product.setClock(minutes * 60_000);
    return `by ${minutes} minutes`;
  },

  // For the rest of the round.
  'slow database': async ({ server }, _deadline, { random }) => {
    const ms = random.between(delayMs.min, delayMs.max);
    server.network.delayBy(ms);
    return `${ms} ms for each way`;
  },

  // At its end, either everything that was on its way arrives, or all connections turn out to be lost.
  'network cut': async ({ server }, _deadline, { random }) => {
    const ms = random.between(silenceMs.min, silenceMs.max);
    const areLost = random.share() < 0.5;
    const end = server.network.silence();
    await pause(ms);
    if (areLost) server.network.cut();
    end();
    return `for ${ms} ms, ${areLost ? 'all connections lost' : 'everything arrives late'}`;
  },

  'disk full': async (product, deadline) => {
    const { server } = product;
    const { disk } = server;
    if (!disk) return 'not filled: this needs the right to mount a file system';
    await disk.fill();
    const isNoticed = await new Deadline(fullDiskMsMax)
      .until('a write fails', async () => product.troubles.some(isAboutSpace))
      .catch(() => false);
    await disk.free();
    // PostgreSQL itself gives up when there is no room for its log, perhaps only while it recovers.
    await deadline.until('PostgreSQL answers again', async () => {
      if (!server.isAlive()) await server.restart();
      return product.ask('select 1');
    });
    return isNoticed ? 'writes failed' : 'every write found room';
  },
};

/**
 * Stops the workers by SIGSTOP until another one has all of their jobs; returns how many. A stopped worker keeps its connections
 * and locks, so that only its missing heartbeats show that it does not work. When it goes on, it still believes that its jobs are
 * its own.
 */
export async function stopWorkers(product: Product, deadline: Deadline): Promise<number> {
  product.signalWorkers('SIGSTOP');
  const runs = await product.ask<{ job_id: string; worker_number: number }>(
    'select job_id, worker_number from job_runs where worker_number > 0',
  );
  await product.startWorker();
  await deadline.until('another worker has all of their jobs', async () => {
    const [left] = await product.ask<{ count: number }>(
      // They may have been stopped when a job was complete and its run not yet removed.
      `select count(*)::int as count from job_runs
       join unnest($1::uuid[], $2::int[]) as stopped (job_id, worker_number) using (job_id, worker_number)
       join queue.job on job.id = job_id and job.name = job_name and job.state = 'active'`,
      [runs.map(({ job_id }) => job_id), runs.map(({ worker_number }) => worker_number)],
    );
    return left?.count === 0;
  });
  product.signalWorkers('SIGCONT');
  return runs.length;
}

const isAboutSpace = (trouble: string): boolean => /No space left|53100|ENOSPC/.test(trouble);

export async function replaceWorkers(product: Product, ending: Ending): Promise<string> {
  const jobCount = await countRuns(product);
  await product.endWorkers(ending);
  await product.startWorker();
  return `by ${ending} with ${jobCount} jobs under way`;
}

const isListJob = `job_name like 'validations.verify%'`;

/** The jobs that workers run, by their own record; a dead worker's stay until others take over. */
export async function countRuns(product: Product): Promise<number> {
  const [row] = await product.ask<{ count: string }>(`select count(*) from job_runs where ${isListJob}`);
  return Number(row?.count);
}

async function areListsDone(product: Product): Promise<boolean> {
  return (
    (await product.ask(`select from lists where status in ('PREPARING', 'PENDING', 'FINISHING')`)).length ===
    0
  );
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

/** Whether a connection whose name matches the pattern waits for a lock. */
export async function isWaiting(product: Product, names: string): Promise<boolean> {
  const waiting = await product.ask(
    `select 1 from pg_stat_activity
     where datname = current_database() and application_name like $1 and wait_event_type = 'Lock'`,
    [names],
  );
  return waiting.length > 0;
}
