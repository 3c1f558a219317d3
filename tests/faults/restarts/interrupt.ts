import { setTimeout as pause } from 'node:timers/promises';
import { Deadline } from '../../support/until.ts';
import { isWaiting, stopWorkers, whileHeld } from '../faults.ts';
import type { Product } from '../product.ts';
import type { PlannedInterruption, Target } from './plan.ts';

interface Targeted {
  /** The names of its connections to PostgreSQL. */
  readonly connections: string;
  /** What must be there before. */
  readonly prepare?: (product: Product) => Promise<void>;
  readonly end: (product: Product, ...ending: Required<Parameters<Product['endApi']>>) => Promise<unknown>;
  readonly startAgain?: (product: Product) => Promise<unknown>;
}

const targeted: Record<Target, Targeted> = {
  'the API': {
    connections: 'assay api%',
    end: (product, ...ending) => product.endApi(...ending),
    startAgain: (product) => product.startApi(),
  },
  'all workers': {
    connections: 'assay worker%',
    end: (product, ending, secondAfterMs) => product.endWorkers(ending, 'all', secondAfterMs),
    startAgain: (product) => product.startWorker(),
  },
  // The other one goes on and takes over what the first leaves.
  'one of two workers': {
    connections: 'assay worker%',
    prepare: (product) => product.startWorker(),
    end: (product, ending, secondAfterMs) => product.endWorkers(ending, 'the first', secondAfterMs),
  },
  'the API and all workers': {
    connections: 'assay %',
    end: (product, ending, secondAfterMs) =>
      Promise.all([product.endApi(ending, secondAfterMs), product.endWorkers(ending, 'all', secondAfterMs)]),
    startAgain: (product) => Promise.all([product.startApi(), product.startWorker()]),
  },
  'npm start': {
    connections: 'assay %',
    end: (product, ...ending) => product.endSupervisor(...ending),
    startAgain: (product) => product.startSupervisor(),
  },
};

/** Longer than work of any kind takes to come to its next write; what is complete never does. */
const momentMsMax = 10_000;

/** Starts what an interruption needs, before there is work. */
export const prepare = async (product: Product, { target }: PlannedInterruption): Promise<void> =>
  targeted[target].prepare?.(product);

/** Interrupts processes and starts them again. Returns a description. */
export async function interrupt(
  product: Product,
  deadline: Deadline,
  planned: PlannedInterruption,
): Promise<string> {
  const { target, how, secondAfterMs, table } = planned;
  const { end, startAgain, connections } = targeted[target];
  const isStopped = how === 'SIGSTOP, then SIGCONT';

  const begin = async () => {
    const met = table === undefined ? 'at once' : await untilWaiting(product, table, connections);
    const ended = isStopped ? stop(product, deadline, planned) : end(product, how, secondAfterMs);
    return { met, ended };
  };
  const { met, ended } = await (table === undefined
    ? begin()
    : whileHeld(product, `lock table ${table} in ${lockMode(table)} mode`, async () => {
        const begun = await begin();
        // Others need our lock to close, or to take over.
        if (how.endsWith('SIGKILL')) await begun.ended;
        return begun;
      }));
  await ended;
  if (!isStopped) await startAgain?.(product);
  return `${target} by ${how.replace(', then', ` and after ${secondAfterMs} ms`)} ${met}`;
}

/** Downloads only read. */
const lockMode = (table: string): string =>
  table === 'list_rows' ? 'access exclusive' : 'share row exclusive';

async function untilWaiting(product: Product, table: string, connections: string): Promise<string> {
  const isMet = await new Deadline(momentMsMax)
    .until('a process waits', () => isWaiting(product, connections))
    .catch(() => false);
  return `${isMet ? 'while it waited for' : 'with nothing to write to'} ${table}`;
}

/** Workers stop for longer than their jobs are theirs; others for as long as a machine may be busy. */
async function stop(
  product: Product,
  deadline: Deadline,
  { target, secondAfterMs }: PlannedInterruption,
): Promise<void> {
  if (target === 'all workers' || target === 'one of two workers') {
    await stopWorkers(product, deadline);
    return;
  }
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
    product.signalApi(name);
    if (target === 'the API and all workers') product.signalWorkers(name);
  };
  signal('SIGSTOP');
  await pause(secondAfterMs);
  signal('SIGCONT');
}
