import { fileURLToPath } from 'node:url';
import { buildApp } from '../app.ts';
import { systemClock, systemSchedule } from '../platform/clock.ts';
import type { Config } from '../platform/config/index.ts';
import { type Database, openDatabase } from '../platform/database/database.ts';
import { migrate, migrationNames } from '../platform/database/migrate.ts';
import type { Readiness } from '../platform/http/index.ts';
import { createLogger } from '../platform/logging/index.ts';
import { createMetrics, serveMetrics, watchProcess } from '../platform/metrics/index.ts';
import { readVersion } from '../platform/version.ts';
import { untilStopAsked } from './stop-asked.ts';

const webRoot = fileURLToPath(new URL('../../../web/dist', import.meta.url));

/** Requests that are not answered by then are cut off. */
const shutdownPatienceMs = 10_000;

/** Serves the API and the web app until it is asked to stop, then finishes what it is at. */
export async function runApi(config: Config): Promise<void> {
  const logger = createLogger({ level: config.logLevel, process: 'api' });
  await migrate(config.database.url);
  const stopAsked = untilStopAsked();
  let isStopping = false;
  const metrics = createMetrics();
  watchProcess(metrics);
  const database = openDatabase({
    ...config.database,
    applicationName: 'assay api',
    onIdleError: (error) => logger.warn({ err: error }, 'an idle database connection broke'),
  });
  const { app } = await buildApp({
    config,
    database,
    logger,
    metrics,
    webRoot,
    clock: systemClock,
    schedule: systemSchedule,
    version: await readVersion(config.commit),
    whyNotReady: readiness(database, await migrationNames(), () => isStopping),
  });
  const metricsServer = await serveMetrics({ ...config.metrics, registry: metrics.registry });
  await app.listen({ port: config.http.port, host: config.http.host });
  logger.info({ port: config.http.port, metrics_port: metricsServer.port }, 'serving');

  logger.info({ asked_by: await stopAsked }, 'stopping');
  isStopping = true;
  const cutOff = systemSchedule(() => app.server.closeAllConnections(), shutdownPatienceMs);
  await app.close();
  cutOff();
  await metricsServer.close();
  await database.close();
  logger.info('stopped');
}

function readiness(database: Database, migrations: readonly string[], isStopping: () => boolean): Readiness {
  return async () => {
    if (isStopping()) return 'stopping';
    const applied = await database.pool
      .query<{ count: number }>('select count(*) from schema_migrations where name = any($1)', [migrations])
      .catch(() => null);
    if (!applied) return 'database_unreachable';
    return applied.rows[0]?.count === migrations.length ? null : 'migrations_missing';
  };
}
