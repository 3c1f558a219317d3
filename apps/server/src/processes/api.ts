import os from 'node:os';
import { setFlagsFromString } from 'node:v8';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../app.ts';
import { refuseUnfinishedRestore } from '../features/recovery/index.ts';
import { systemClock, systemSchedule } from '../platform/clock.ts';
import type { Config } from '../platform/config/index.ts';
import { type Database, openDatabase } from '../platform/database/database.ts';
import { migrate, migrationNames } from '../platform/database/migrate.ts';
import { openFileStore } from '../platform/files/open-file-store.ts';
import { isWebAppIn, type Readiness } from '../platform/http/index.ts';
import { announceProcess } from '../platform/live-processes.ts';
import type { Logger } from '../platform/logging/index.ts';
import { createMetrics, serveMetrics, showBuild, watchProcess } from '../platform/metrics/index.ts';
import { openQueue } from '../platform/queue/index.ts';
import { startTracing } from '../platform/tracing/index.ts';
import { readVersion } from '../platform/version.ts';
import { boundHeap } from './bound-heap.ts';
import { type RunningProcess, runUntilStopped } from './run-until-stopped.ts';
import { untilDatabaseAnswers } from './until-database.ts';

/** Requests that take longer are cut off. */
const shutdownPatienceMs = 10_000;

/** Serves the API and the web app until it is stopped, then finishes running requests. */
export const runApi = (config: Config): Promise<number> =>
  runUntilStopped(
    { level: config.logLevel, process: 'api', drainSeconds: config.http.drainSeconds },
    (running) => serve(config, running),
  );

async function serve(config: Config, running: RunningProcess): Promise<void> {
  const { logger, stopAsked, hasFailed, opened } = running;
  boundHeap();
  // The helpers that mark would work for the reading threads too, with a higher priority than theirs.
  setFlagsFromString('--no-concurrent-marking');
  opened.defer(await startTracing(config.tracing, 'api'));
  if (!(await untilDatabaseAnswers(config.database, running))) return;
  await migrate(config.database.directUrl);
  const database = openDatabase({
    ...config.database,
    applicationName: 'assay api',
    onIdleError: (error) => logger.warn({ err: error }, 'an idle database connection broke'),
  });
  opened.defer(() => database.close());
  await refuseUnfinishedRestore(database.db);
  const queue = await openQueue({
    databaseUrl: config.database.url,
    applicationName: 'assay api queue',
    logger,
  });
  opened.defer(() => queue.close());
  const metrics = createMetrics();
  watchProcess(metrics);
  const metricsServer = await serveMetrics({ ...config.metrics, registry: metrics.registry });
  opened.defer(() => metricsServer.close());

  // A separate connection: readiness means that the database answers, not that the pool has a free connection.
  const health = openDatabase({
    ...config.database,
    poolSize: 1,
    applicationName: 'assay api health',
    onIdleError: () => undefined,
  });
  opened.defer(() => health.close());

  const version = await readVersion(config.commit);
  showBuild(metrics, version);
  const announced = await announceProcess({ db: database.db, logger, kind: 'api', version });
  opened.defer(() => announced.close());
  let isStopping = false;
  const { app } = await buildApp({
    config,
    database,
    queue,
    files: await openFileStore(config),
    logger,
    metrics,
    clock: systemClock,
    schedule: systemSchedule,
    version,
    whyNotReady: readiness(health, {
      migrations: await migrationNames(),
      isWebAppMissing: await warnWithoutWebApp(config, logger),
      isStopping: () => isStopping,
    }),
    mustRefuse: hasFailed,
  });
  opened.defer(() => closeWithin(app, shutdownPatienceMs));
  // Rendering the documentation blocks the event loop for a moment: better now than in the middle of somebody's call.
  await app.inject('/docs/openapi.json');
  tolerateUnknownInterfaces();
  await app.listen({ port: config.http.port, host: config.http.host });
  logger.info({ port: config.http.port, metrics_port: metricsServer.port }, 'serving');

  logger.info({ asked_by: await stopAsked }, 'stopping');
  isStopping = true;
  // A load balancer gets no time to notice: after an uncaught error every answer is a refusal.
  if (hasFailed()) return;
  await new Promise<void>((resolve) => systemSchedule(resolve, config.http.drainSeconds * 1_000));
}

/**
 * For its log, Fastify asks for the interfaces behind 0.0.0.0, outside of any promise. The system refuses that where
 * processes may not use netlink, which is no reason not to serve.
 */
function tolerateUnknownInterfaces(): void {
  const { networkInterfaces } = os;
  os.networkInterfaces = () => {
    try {
      return networkInterfaces();
    } catch {
      return {};
    }
  };
}

/** Accepts no new connections, waits for requests and sockets to end, and cuts off the rest. */
async function closeWithin(app: FastifyInstance, patienceMs: number): Promise<void> {
  const cancel = systemSchedule(() => app.server.closeAllConnections(), patienceMs);
  await app.close();
  cancel();
}

/** Without its build the web app answers 404, which nothing else would tell. */
async function warnWithoutWebApp({ webRoot }: Config, logger: Logger): Promise<boolean> {
  const isMissing = webRoot !== null && !(await isWebAppIn(webRoot));
  if (isMissing) {
    logger.error(
      { folder: webRoot },
      'the web app is not built: run `npm run build`, or set ASSAY_WEB_APP=none if something else serves it',
    );
  }
  return isMissing;
}

function readiness(
  database: Database,
  {
    migrations,
    isWebAppMissing,
    isStopping,
  }: { migrations: readonly string[]; isWebAppMissing: boolean; isStopping: () => boolean },
): Readiness {
  let looking: Promise<{ rows: { count: number }[] } | null> | undefined;
  /** One look serves all that ask meanwhile: anyone may ask, as often as they like. */
  const look = () => {
    looking ??= database.pool
      .query<{ count: number }>('select count(*) from schema_migrations where name = any($1)', [migrations])
      .catch(() => null)
      .finally(() => {
        looking = undefined;
      });
    return looking;
  };
  return async () => {
    if (isStopping()) return 'stopping';
    const applied = await look();
    if (!applied) return 'database_unreachable';
    if (isWebAppMissing) return 'web_app_missing';
    return applied.rows[0]?.count === migrations.length ? null : 'migrations_missing';
  };
}
