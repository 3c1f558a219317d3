import { AggregatorRegistry } from 'prom-client';
import { showHealth, startHealthChecks } from '../features/engine/index.ts';
import { refuseUnfinishedRestore } from '../features/recovery/index.ts';
import { bulkJobs } from '../features/verification/index.ts';
import type { Config } from '../platform/config/index.ts';
import { openDatabase } from '../platform/database/database.ts';
import { migrate } from '../platform/database/migrate.ts';
import { announceProcess } from '../platform/live-processes.ts';
import type { Logger } from '../platform/logging/index.ts';
import {
  createMetrics,
  type Metrics,
  serveMetrics,
  showBuild,
  watchProcess,
} from '../platform/metrics/index.ts';
import { countOperations } from '../platform/operation-counts.ts';
import { openWorkQueue } from '../platform/queue/index.ts';
import { startTracing } from '../platform/tracing/index.ts';
import { readVersion } from '../platform/version.ts';
import { type BulkThread, startBulkThread } from './bulk.ts';
import { checkEgressOf } from './check-egress.ts';
import { timeRuns, watchDeadLetters } from './job-metrics.ts';
import { openHandlers } from './open-handlers.ts';
import { openVerifier } from './open-verifier.ts';
import { type RunningProcess, runUntilStopped } from './run-until-stopped.ts';
import { keepSuspectsApart } from './suspects-child.ts';
import { untilDatabaseAnswers } from './until-database.ts';

/** Runs jobs until it is stopped, then finishes or returns running jobs. */
export const runWorker = (config: Config): Promise<number> =>
  runUntilStopped({ level: config.logLevel, process: 'worker' }, (running) => work(config, running));

/**
 * Statements of the ends of single checks, which run a hundred times a second. Others may read the rows of lists, of which a million can
 * arrive before PostgreSQL notices. See docs/decisions/request-cost.md.
 */
const ofSingleChecks = /\b(?:single_validations|holds|webhooks|validation_metrics|question_bills)\b/;

async function work(config: Config, running: RunningProcess): Promise<void> {
  const { logger, stopAsked, hasFailed, opened } = running;
  opened.defer(await startTracing(config.tracing, 'worker'));
  if (!(await untilDatabaseAnswers(config.database, running))) return;
  await migrate(config.database.directUrl);
  const metrics = createMetrics();
  watchProcess(metrics);
  const database = openDatabase({
    ...config.database,
    plansOnce: config.database.plansOnce && ofSingleChecks,
    applicationName: 'assay worker',
    onIdleError: (error) => logger.warn({ err: error }, 'an idle database connection broke'),
  });
  opened.defer(() => database.close());
  await refuseUnfinishedRestore(database.db);
  metrics.watchPool(database.pool);
  const counts = countOperations({ db: database.db, logger });
  opened.defer(() => counts.close());
  const queue = await openWorkQueue({
    databaseUrl: config.database.url,
    directUrl: config.database.directUrl,
    applicationName: 'assay worker queue',
    logger,
    onRun: timeRuns(metrics, counts),
  });
  opened.defer(() => queue.close());
  const verifier = await openVerifier(config, { db: database.db, logger, metrics, counts, work: 'prompt' });
  opened.defer(() => verifier.close());
  const { egress, egresses } = config.verifier;
  showHealth(
    metrics,
    database.db,
    egresses.map(({ name }) => name),
  );
  for (const address of egresses) {
    const check = (signal: AbortSignal) => checkEgressOf(config.verifier, address, { signal });
    const health = startHealthChecks({ db: database.db, logger, egress: address.name, check });
    opened.defer(() => health.stop());
  }
  const { db, pool } = database;
  const handlers = await openHandlers(config, { db, pool, logger, metrics, queue, verifier, opened });
  const stopWork = await queue.work(handlers);
  const stopJobs = () => stopWork({ leavesJobs: hasFailed() });
  opened.defer(stopJobs);
  const version = await readVersion(config.commit);
  showBuild(metrics, version);
  const announced = await announceProcess({ db: database.db, logger, kind: 'worker', version });
  opened.defer(() => announced.close());
  watchDeadLetters(metrics, queue);
  const bulk = await startBulkThread(config, { logger });
  const jobs = [...handlers.map(({ job }) => job), ...bulkJobs(egress)];
  const suspects = keepSuspectsApart({ queue, queues: jobs.map(({ name }) => name), logger });
  opened.defer(async () => {
    // Together: supervisors lose their patience after some seconds.
    await Promise.all([stopJobs(), bulk.stop(), suspects.stop()]);
  });
  const metricsServer = await tryToServeMetrics(config, { metrics, bulk, logger });
  opened.defer(async () => metricsServer?.close());
  logger.info({ metrics_port: metricsServer?.port }, 'working');

  logger.info({ asked_by: await Promise.race([stopAsked, bulk.fallen]) }, 'stopping');
}

/** A taken port must not stop the worker, for example if a second worker on this machine has the same one. */
async function tryToServeMetrics(
  { metrics: { host, workerPort } }: Config,
  { metrics, bulk, logger }: { metrics: Metrics; bulk: BulkThread; logger: Logger },
) {
  const registry = {
    contentType: metrics.registry.contentType,
    metrics: async () => {
      const ofThreads = [await metrics.registry.getMetricsAsJSON(), await bulk.readMetrics()];
      return AggregatorRegistry.aggregate(ofThreads).metrics();
    },
  };
  try {
    return await serveMetrics({ host, port: workerPort, registry });
  } catch (error) {
    logger.warn(
      { err: error, port: workerPort },
      'metrics are not served; give this worker its own WORKER_METRICS_PORT',
    );
    return undefined;
  }
}
