import { Worker } from 'node:worker_threads';
import type { PartName, Parts } from './part-thread.ts';
import { RestartPolicy } from './restart-policy.ts';

export interface PartThreads {
  /** Starts a part and keeps it running. Resolves with what it tells after its first start, rejects if that fails. */
  keepRunning<Name extends PartName>(name: Name, input: Parts[Name]['input']): Promise<Parts[Name]['facts']>;
  stop(): Promise<void>;
}

interface PartThreadsOptions {
  readonly say: (line: string) => void;
  /** The program of a thread; tests have their own. */
  readonly program?: URL;
}

/** How long parts may take to close. */
const closePatienceMs = 1_000;

/**
 * The stand-ins, each on a thread of its own: an error that nothing catches ends only its thread, which is started again
 * with what the first start told, such as its ports. So the addresses in the product's settings stay right.
 */
export function createPartThreads({
  say,
  program = new URL('./part-thread.ts', import.meta.url),
}: PartThreadsOptions): PartThreads {
  const threads = new Map<string, Worker>();
  const waiting = new Set<NodeJS.Timeout>();
  let isStopping = false;

  function start(name: PartName, input: unknown, onEnd: (failure: Error) => void): Promise<unknown> {
    const { promise: told, resolve, reject } = Promise.withResolvers<unknown>();
    const thread = new Worker(program, { workerData: { name, input } });
    threads.set(name, thread);
    let failure: Error | undefined;
    thread.once('message', resolve);
    thread.on('error', (error) => {
      failure = error;
    });
    thread.once('exit', (code) => {
      threads.delete(name);
      failure ??= new Error(`its thread ended with ${code}`);
      reject(failure);
      onEnd(failure);
    });
    return told;
  }

  function keep(name: PartName, input: object, policy: RestartPolicy): Promise<unknown> {
    const startedAt = performance.now();
    let facts: object | undefined;
    const started = start(name, input, (failure) => {
      // A first start that fails is the caller's to handle.
      if (isStopping || (!facts && !('facts' in input))) return;
      const { delayMs } = policy.afterEnd(performance.now() - startedAt);
      say(`The embedded part ${name} failed (${failure.message}); starting it again. The rest goes on.`);
      const timer = setTimeout(() => {
        waiting.delete(timer);
        keep(name, { ...input, ...(facts && { facts }) }, policy).catch(() => undefined);
      }, delayMs);
      waiting.add(timer);
    });
    return started.then((told) => {
      facts = told as object;
      return told;
    });
  }

  return {
    keepRunning: <Name extends PartName>(name: Name, input: Parts[Name]['input']) =>
      keep(name, { ...input }, new RestartPolicy()) as Promise<Parts[Name]['facts']>,
    stop: async () => {
      isStopping = true;
      for (const timer of waiting) clearTimeout(timer);
      await Promise.all([...threads.values()].map(stopThread));
    },
  };
}

function stopThread(thread: Worker): Promise<void> {
  return new Promise((resolve) => {
    const lastResort = setTimeout(() => thread.terminate().catch(() => undefined), closePatienceMs);
    thread.once('exit', () => {
      clearTimeout(lastResort);
      resolve();
    });
    thread.postMessage('stop');
  });
}
