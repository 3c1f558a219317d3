import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { Config } from '../platform/config/index.ts';

/** What the thread for long lists tells. */
export type BulkWord =
  | { readonly kind: 'working' }
  | { readonly kind: 'metrics'; readonly metrics: MetricsOfThread };
/** What it is asked. */
export type BulkQuestion = 'metrics' | 'stop';
type MetricsOfThread = MetricObjectWithValues<MetricValue<string>>[];

export interface BulkThread {
  /** Rejects when the thread ends although nobody asked it to. */
  readonly fallen: Promise<never>;
  readMetrics(): Promise<MetricsOfThread>;
  stop(): Promise<void>;
}

/** Starts the thread that works through long lists, and waits until it does. */
export async function startBulkThread(config: Config): Promise<BulkThread> {
  const thread = new Worker(new URL('./bulk-thread.ts', import.meta.url), {
    workerData: config,
    // Addresses live for a moment. With room for as many as are under way, the collector finds them in its cheap passes.
    resourceLimits: { maxYoungGenerationSizeMb: 64 },
  });
  const ask = (question: BulkQuestion) => thread.postMessage(question);
  let isStopAsked = false;
  const exited = once(thread, 'exit');
  const fallen = new Promise<never>((_, reject) => {
    thread.once('error', reject);
    thread.once('exit', (code) => {
      if (!isStopAsked) reject(new Error(`The thread for long lists ended by itself (${code}).`));
    });
  });
  // Whoever waits for it hears of it; nobody has to.
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
