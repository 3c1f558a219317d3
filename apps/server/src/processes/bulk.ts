import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { Config } from '../platform/config/index.ts';
import type { Logger } from '../platform/logging/index.ts';

/** Messages from the thread for long lists. */
export type BulkWord =
  | { readonly kind: 'working' }
  | { readonly kind: 'metrics'; readonly metrics: MetricsOfThread };
/** Messages to it. */
export type BulkQuestion = 'metrics' | 'stop';
type MetricsOfThread = MetricObjectWithValues<MetricValue<string>>[];

export interface BulkThread {
  /** Rejects when the thread ends without a stop request. */
  readonly fallen: Promise<never>;
  readMetrics(): Promise<MetricsOfThread>;
  stop(): Promise<void>;
}

interface BulkThreadOptions {
  readonly logger: Logger;
  readonly program?: URL;
  readonly stopPatienceMs?: number;
}

/** Its jobs have ten seconds to leave off, and its process thirty to end. */
const usualStopPatienceMs = 15_000;

/** Starts the thread for long lists and waits until it works. */
export async function startBulkThread(
  config: Config,
  {
    logger,
    program = new URL('./bulk-thread.ts', import.meta.url),
    stopPatienceMs = usualStopPatienceMs,
  }: BulkThreadOptions,
): Promise<BulkThread> {
  const thread = new Worker(program, {
    workerData: config,
    // Addresses are short-lived. With enough new space for all in flight, the collector frees them in its cheap passes.
    resourceLimits: { maxYoungGenerationSizeMb: 64 },
  });
  const ask = (question: BulkQuestion) => thread.postMessage(question);
  let isStopAsked = false;
  const exited = once(thread, 'exit');
  const fallen = new Promise<never>((_, reject) => {
    thread.on('error', reject);
    thread.once('exit', (code) => {
      if (!isStopAsked) reject(new Error(`The thread for long lists exited unexpectedly (${code}).`));
    });
  });
  // Prevents an unhandled rejection; callers may still await it.
  fallen.catch(() => undefined);
  const hear = async <Kind extends BulkWord['kind']>(kind: Kind) => {
    for (;;) {
      const [word] = (await Promise.race([once(thread, 'message'), fallen])) as [BulkWord];
      if (word.kind === kind) return word as Extract<BulkWord, { kind: Kind }>;
    }
  };

  await hear('working');
  return {
    fallen,
    readMetrics: async () => {
      const heard = hear('metrics');
      ask('metrics');
      return (await heard).metrics;
    },
    stop: async () => {
      isStopAsked = true;
      ask('stop');
      const { promise: late, resolve: beLate } = Promise.withResolvers<'late'>();
      const patience = setTimeout(beLate, stopPatienceMs, 'late');
      const isLate = (await Promise.race([exited, late])) === 'late';
      clearTimeout(patience);
      if (!isLate) return;
      // Its low priority can keep it from closing for a minute where others want every processor, and its process must end before.
      logger.warn('the thread for long lists did not close in time; others take over its jobs');
      void thread.terminate();
      thread.unref();
    },
  };
}
