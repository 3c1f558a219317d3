import { Gauge, Histogram } from 'prom-client';
import type { Metrics } from '../platform/metrics/index.ts';
import type { OperationCounts } from '../platform/operation-counts.ts';
import type { QueueOptions, WorkQueue } from '../platform/queue/index.ts';

export function timeRuns({ registry }: Metrics, counts: OperationCounts): QueueOptions['onRun'] {
  const durations = new Histogram({
    name: 'assay_job_duration_seconds',
    help: 'Duration of jobs, by queue and outcome.',
    // Not `job`: Prometheus sets that label itself.
    labelNames: ['queue', 'outcome'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300],
    registers: [registry],
  });
  return ({ job, outcome, seconds, failure }) => {
    durations.observe({ queue: job, outcome }, seconds);
    if (failure) counts.fail('failed_jobs', job, failure);
    else if (outcome === 'failed') counts.add('failed_jobs', job);
  };
}

export function watchDeadLetters({ registry }: Metrics, queue: WorkQueue): void {
  new Gauge({
    name: 'assay_dead_letters',
    help: 'Jobs that failed permanently and need a person. Alert above 0.',
    registers: [registry],
    async collect() {
      // Keeps the last number while the database is away, and the other metrics are served.
      const count = await queue.countDeadLetters().catch(() => null);
      if (count !== null) this.set(count);
    },
  });
}
