import { createVerifier } from '@assay/verifier';
import { AggregatorRegistry } from 'prom-client';
import { accountHandlers } from '../features/account/index.ts';
import { activityHandlers } from '../features/activity/index.ts';
import { billingHandlers, openGateway } from '../features/billing/index.ts';
import { showHealth, startHealthChecks } from '../features/engine/index.ts';
import { guessingHandlers } from '../features/guessing/index.ts';
import { noticesHandlers } from '../features/notices/index.ts';
import { operatorHandlers } from '../features/operator/index.ts';
import { recoveryHandlers, refuseUnfinishedRestore } from '../features/recovery/index.ts';
import { supportHandlers } from '../features/support/index.ts';
import { findUser } from '../features/users/index.ts';
import { sandboxHandlers, validationsHandlers } from '../features/verification/index.ts';
import { createMailboxGateways, createTokenVault, warmUpHandlers } from '../features/warmup/index.ts';
import { webhooksHandlers } from '../features/webhooks/index.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config/index.ts';
import { createSecrets } from '../platform/crypto/secrets.ts';
import { type Db, openDatabase } from '../platform/database/database.ts';
import { migrate } from '../platform/database/migrate.ts';
import { openFileStore } from '../platform/files/open-file-store.ts';
import { createIdentityAdmin } from '../platform/identity-admin/index.ts';
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
import { openVerifier } from './open-verifier.ts';
import { type RunningProcess, runUntilStopped } from './run-until-stopped.ts';

/** Runs jobs until it is stopped, then finishes or returns running jobs. */
export const runWorker = (config: Config): Promise<void> =>
  runUntilStopped({ level: config.logLevel, process: 'worker' }, (running) => work(config, running));

async function work(config: Config, { logger, stopAsked, opened }: RunningProcess): Promise<void> {
  opened.defer(await startTracing(config.tracing, 'worker'));
  await migrate(config.database.directUrl);
  const metrics = createMetrics();
  watchProcess(metrics);
  const database = openDatabase({
    ...config.database,
    plansOnce: false,
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
    const check = (signal: AbortSignal) => checkEgressOf(config.verifier, address, signal);
    const health = startHealthChecks({ db: database.db, logger, egress: address.name, check });
    opened.defer(() => health.stop());
  }
  const sandboxVerifier = config.sandbox && createSandboxVerifier(config.sandbox);
  opened.defer(() => sandboxVerifier?.close());
  const parts = { db: database.db, clock: systemClock, logger, metrics };
  const secrets = createSecrets(config.secret, config.previousSecrets);
  const files = await openFileStore(config);
  const stopWork = await queue.work([
    ...billingHandlers({ ...parts, payments: await paymentsOf(config, database.db) }),
    ...activityHandlers(parts),
    ...accountHandlers({
      ...parts,
      files,
      identityAdmin: config.identity.admin && createIdentityAdmin(config.identity.admin),
    }),
    ...operatorHandlers({ ...parts, queue }),
    ...recoveryHandlers({ ...parts, files }),
    ...warmUpHandlers({
      ...parts,
      vault: createTokenVault(config.warmUp.tokenKeys, config.secret, config.previousSecrets),
      gateways: createMailboxGateways(config),
    }),
    ...supportHandlers({ ...parts, support: config.support }),
    ...noticesHandlers({
      ...parts,
      queue,
      secrets,
      publicUrl: config.publicUrl,
      graceDays: config.payments.graceDays,
      mail: config.mail,
    }),
    ...(sandboxVerifier ? sandboxHandlers({ ...parts, queue, verifier: sandboxVerifier }) : []),
    ...validationsHandlers({
      ...parts,
      queue,
      verifier,
      files,
      egress,
    }),
    ...webhooksHandlers({ ...parts, ...config.webhooks, queue, secrets }),
    ...guessingHandlers({
      ...parts,
      queue,
      verifier,
      secrets,
      limits: config.guessing,
      egress,
    }),
  ]);
  opened.defer(stopWork);
  const version = await readVersion(config.commit);
  showBuild(metrics, version);
  const announced = await announceProcess({ db: database.db, logger, kind: 'worker', version });
  opened.defer(() => announced.close());
  watchDeadLetters(metrics, queue);
  const bulk = await startBulkThread(config);
  opened.defer(() => bulk.stop());
  const metricsServer = await tryToServeMetrics(config, { metrics, bulk, logger });
  opened.defer(async () => metricsServer?.close());
  logger.info({ metrics_port: metricsServer?.port }, 'working');

  logger.info({ asked_by: await Promise.race([stopAsked, bulk.fallen]) }, 'stopping');
}

async function paymentsOf({ payments }: Config, db: Db) {
  const gateway = await openGateway(payments);
  if (!gateway) return null;
  return {
    gateway,
    graceDays: payments.graceDays,
    findAddress: async (userId: string) => (await findUser(db, userId))?.email_address,
  };
}

/** The engine of the sandbox. It shares no catch-all proofs with the real one. */
const createSandboxVerifier = ({ dns, allowRanges }: NonNullable<Config['sandbox']>) =>
  createVerifier({ dns: [dns], allowRanges });

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
