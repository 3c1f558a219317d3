import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { Config } from '../platform/config/index.ts';

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

/** Starts the thread for long lists and waits until it works. */
export async function startBulkThread(config: Config): Promise<BulkThread> {
  const thread = new Worker(new URL('./bulk-thread.ts', import.meta.url), {
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
      await exited;
    },
  };
}
