import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Logger } from '../platform/logging/index.ts';
import type { WorkQueue } from '../platform/queue/index.ts';

/** How often the process for suspects says that it is alive, from when it is ready on. */
export const aliveEveryMs = 1_000;
const lookEveryMs = 1_000;
/** Looks, not seconds: while this process is stopped, it hears nothing. */
const silentLooksMax = { beforeReady: 60, afterwards: 15 } as const;
/** For how many looks ordinary workers run suspects after no process for them could start. */
const looksWithoutChild = 60;
/** Jobs have ten seconds to leave off. */
const stopPatienceMs = 12_000;
/** A job that needs more is what we look for. */
const heapMb = 512;
const assay = fileURLToPath(new URL('../../bin/assay.mjs', import.meta.url));

interface SuspectsOptions {
  readonly queue: Pick<WorkQueue, 'workerNumber' | 'areSuspectsWaiting' | 'releaseSuspect'>;
  readonly queues: readonly string[];
  readonly logger: Logger;
  readonly start?: (workerNumber: number) => ChildProcess;
}

export interface SuspectsKeeper {
  stop(): Promise<void>;
}

interface Child {
  readonly process: ChildProcess;
  readonly ended: Promise<unknown>;
  isReady: boolean;
  silentLooks: number;
}

/** Starts a process for jobs of dead workers whenever there are some. */
export function keepSuspectsApart(options: SuspectsOptions): SuspectsKeeper {
  const { queue, queues, logger, start = startChild } = options;
  let child: Child | null = null;
  let looksToGoWithout = 0;
  let isStopping = false;

  const goWithout = (error?: unknown): void => {
    looksToGoWithout = looksWithoutChild;
    logger.warn(
      { err: error },
      'no process for jobs of dead workers could start; workers try these jobs one by one',
    );
  };

  const launch = (): void => {
    const started = start(queue.workerNumber);
    const failed = Promise.withResolvers<void>();
    started.on('error', (error) => {
      if (started.pid === undefined) failed.resolve();
      else logger.warn({ err: error }, 'could not reach the process for jobs of dead workers');
    });
    const mine: Child = {
      process: started,
      ended: Promise.race([once(started, 'exit'), failed.promise]),
      isReady: false,
      silentLooks: 0,
    };
    started.on('message', () => {
      mine.isReady = true;
      mine.silentLooks = 0;
    });
    child = mine;
    void mine.ended.then(() => {
      child = null;
      if (isStopping) return;
      if (!mine.isReady) goWithout();
      else if (started.exitCode !== 0) {
        const how = started.signalCode ?? `exit ${started.exitCode}`;
        logger.warn({ how }, 'a job of a dead worker has ended the process for such jobs');
      }
    });
  };

  const watch = (running: Child): void => {
    running.silentLooks += 1;
    const max = running.isReady ? silentLooksMax.afterwards : silentLooksMax.beforeReady;
    if (running.silentLooks > max) running.process.kill('SIGKILL');
  };

  const look = async (): Promise<void> => {
    if (child) return watch(child);
    const isWithout = looksToGoWithout > 0;
    if (isWithout) looksToGoWithout -= 1;
    let areWaiting = false;
    try {
      areWaiting = await queue.areSuspectsWaiting(queues);
      if (areWaiting && isWithout) await queue.releaseSuspect(queues);
    } catch (error) {
      logger.warn({ err: error }, 'could not poll for jobs of dead workers; trying again soon');
    }
    if (!areWaiting || isWithout || child || isStopping) return;
    try {
      launch();
    } catch (error) {
      // Node throws when there is no memory for a process.
      goWithout(error);
    }
  };

  const looking = setInterval(() => void look(), lookEveryMs);
  return {
    stop: async () => {
      isStopping = true;
      clearInterval(looking);
      if (!child) return;
      const { process: running, ended } = child;
      running.kill('SIGTERM');
      const lastResort = setTimeout(() => running.kill('SIGKILL'), stopPatienceMs);
      await ended;
      clearTimeout(lastResort);
    },
  };
}

function startChild(workerNumber: number): ChildProcess {
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${heapMb}`, assay, 'worker', `--suspects-of=${workerNumber}`],
    // The channel closes when this process ends, however it ends: the child then stops too.
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  );
  // `launch` handles it; this one is there before anything can happen.
  child.on('error', () => undefined);
  return child;
}
