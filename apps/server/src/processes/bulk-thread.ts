// Runs long lists on a separate thread, because they keep a processor busy and would delay single checks and short lists.
// See docs/decisions/worker-threads.md.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { bulkHandlers } from '../features/verification/index.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config/index.ts';
import { openDatabase } from '../platform/database/database.ts';
import { createLogger, flushLog } from '../platform/logging/index.ts';
import { createMetrics } from '../platform/metrics/index.ts';
import { countOperations } from '../platform/operation-counts.ts';
import { openWorkQueue } from '../platform/queue/index.ts';
import { lowerThreadPriority } from '../platform/thread-priority.ts';
import { startTracing } from '../platform/tracing/index.ts';
import type { BulkQuestion, BulkWord } from './bulk.ts';
import { timeRuns } from './job-metrics.ts';
import { catchUncaught } from './last-handler.ts';
import { openVerifier } from './open-verifier.ts';

const config = workerData as Config;
const parent = parentPort as MessagePort;
const tell = (word: BulkWord) => parent.postMessage(word);
const logger = createLogger({ level: config.logLevel, process: 'worker' });
const stopAsked = Promise.withResolvers<void>();
const lastHandler = catchUncaught(logger, stopAsked.resolve);
const opened = new AsyncDisposableStack();
opened.defer(() => flushLog(logger));
opened.defer(await startTracing(config.tracing, 'worker'));
const metrics = createMetrics();
const database = openDatabase({
  ...config.database,
  plansOnce: false,
  applicationName: 'assay worker bulk',
  onIdleError: (error) => logger.warn({ err: error }, 'an idle database connection broke'),
});
opened.defer(() => database.close());
metrics.watchPool(database.pool);
const counts = countOperations({ db: database.db, logger });
opened.defer(() => counts.close());
const queue = await openWorkQueue({
  databaseUrl: config.database.url,
  directUrl: config.database.directUrl,
  applicationName: 'assay worker bulk queue',
  logger,
  onRun: timeRuns(metrics, counts),
  supervises: false,
});
opened.defer(() => queue.close());
const verifier = await openVerifier(config, { db: database.db, logger, metrics, counts, work: 'bulk' });
opened.defer(() => verifier.close());
// Nobody waits for a single address of a long list. Not before: a busy machine would hold up the worker that waits for this thread.
lowerThreadPriority(10);
const stopWork = await queue.work(
  bulkHandlers({ db: database.db, clock: systemClock, queue, verifier, egress: config.verifier.egress }),
);
opened.defer(() => stopWork({ leavesJobs: lastHandler.failure !== undefined }));
tell({ kind: 'working' });

parent.on('message', (question: BulkQuestion) => {
  if (question === 'stop') stopAsked.resolve();
  else {
    metrics.registry.getMetricsAsJSON().then(
      (numbers) => tell({ kind: 'metrics', metrics: numbers }),
      () => tell({ kind: 'metrics', metrics: [] }),
    );
  }
});
await stopAsked.promise;
await opened.disposeAsync();
// The worker hears that the thread ended without its request, and ends too.
if (lastHandler.failure) process.exit(1);
parent.close();
