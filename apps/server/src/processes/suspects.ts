// Runs jobs of dead workers apart from all others, because one of them may be what ended its worker. A worker starts this
// process when there are such jobs. See docs/decisions/queue-worker-presence.md.
import { bulkHandlers } from '../features/verification/index.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config/index.ts';
import { openDatabase } from '../platform/database/database.ts';
import { createMetrics } from '../platform/metrics/index.ts';
import { countOperations } from '../platform/operation-counts.ts';
import { openWorkQueue } from '../platform/queue/index.ts';
import { startTracing } from '../platform/tracing/index.ts';
import { timeRuns } from './job-metrics.ts';
import { openHandlers } from './open-handlers.ts';
import { openVerifier } from './open-verifier.ts';
import { type RunningProcess, runUntilStopped } from './run-until-stopped.ts';
import { aliveEveryMs } from './suspects-child.ts';

/** Runs jobs of dead workers on behalf of a worker until none is left or that worker ends. */
export const runSuspectsOf = (workerNumber: number, config: Config): Promise<number> =>
  runUntilStopped({ level: config.logLevel, process: 'suspects' }, (running) =>
    work(workerNumber, config, running),
  );

async function work(
  suspectsOf: number,
  config: Config,
  { logger, stopAsked, hasFailed, opened }: RunningProcess,
): Promise<void> {
  opened.defer(await startTracing(config.tracing, 'worker'));
  // Nobody collects these: the process is short-lived.
  const metrics = createMetrics();
  const database = openDatabase({
    ...config.database,
    plansOnce: false,
    applicationName: 'assay suspects',
    onIdleError: (error) => logger.warn({ err: error }, 'an idle database connection broke'),
  });
  opened.defer(() => database.close());
  const { db, pool } = database;
  const counts = countOperations({ db, logger });
  opened.defer(() => counts.close());
  const queue = await openWorkQueue({
    databaseUrl: config.database.url,
    directUrl: config.database.directUrl,
    applicationName: 'assay suspects queue',
    logger,
    onRun: timeRuns(metrics, counts),
    supervises: false,
    suspectsOf,
  });
  opened.defer(() => queue.close());
  const parts = { db, logger, metrics, counts };
  const verifier = await openVerifier(config, { ...parts, work: 'prompt' });
  opened.defer(() => verifier.close());
  const bulkVerifier = await openVerifier(config, { ...parts, metrics: createMetrics(), work: 'bulk' });
  opened.defer(() => bulkVerifier.close());
  const stopWork = await queue.work([
    ...(await openHandlers(config, { ...parts, pool, queue, verifier, opened })),
    ...bulkHandlers({
      db,
      clock: systemClock,
      queue,
      verifier: bulkVerifier,
      egress: config.verifier.egress,
    }),
  ]);
  opened.defer(() => stopWork({ leavesJobs: hasFailed() }));
  const tellAlive = () => process.connected && process.send?.('alive');
  tellAlive();
  const telling = setInterval(tellAlive, aliveEveryMs);
  opened.defer(() => clearInterval(telling));
  logger.info('retrying jobs of dead workers');
  await Promise.race([stopAsked, queue.runSuspects()]);
}
