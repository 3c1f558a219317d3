import { type MailWorld, startMailWorld } from '@assay/mail-world';
import {
  createVerifier,
  type ProviderPlan,
  type Clock as VerifierClock,
  type VerifierLimits,
} from '@assay/verifier';
import { createSharedFacts, createSharedShares, createSharedWishes } from '../features/engine/index.ts';
import { guessingHandlers } from '../features/guessing/index.ts';
import { outcomesHandlers } from '../features/outcomes/index.ts';
import {
  bulkHandlers,
  createCheckFinder,
  sandboxHandlers,
  validationsHandlers,
} from '../features/verification/index.ts';
import { webhooksHandlers } from '../features/webhooks/index.ts';
import { type Schedule, systemClock } from '../platform/clock.ts';
import { createSecrets } from '../platform/crypto/secrets.ts';
import { openFileStore } from '../platform/files/open-file-store.ts';
import { createLogger } from '../platform/logging/index.ts';
import { createMetrics } from '../platform/metrics/index.ts';
import { openWorkQueue } from '../platform/queue/index.ts';
import { openReadingPool } from '../platform/reading/index.ts';
import type { TestApi } from './api.ts';

export interface TestWorker {
  readonly world: MailWorld;
  readonly sandboxWorld: MailWorld | undefined;
  /** What it has logged so far. */
  readonly logLines: readonly string[];
  close(): Promise<void>;
}

interface TestWorkerOptions {
  /** The wait before an event is tried again; the product's by default. */
  readonly webhookWaitMs?: number;
  readonly hasSandbox?: boolean;
  /** The zone of the mail world; the shipped one by default. */
  readonly zone?: string;
  /** The mail world of another worker, which closes it. */
  readonly world?: MailWorld;
  /** How providers want to be treated; as published by default. */
  readonly providers?: readonly ProviderPlan[];
  /** What the engine tells the time by; the system's by default. */
  readonly verifierClock?: VerifierClock;
  /** Runs what single checks do later; the system's by default. */
  readonly schedule?: Schedule;
  /** As many connections as the engine of a worker has for work that people wait for. */
  readonly verifierLimits?: Partial<VerifierLimits>;
  /** Whether limits of providers and wishes of owners are in the database, as in the product; else this engine counts alone. */
  readonly sharesConduct?: boolean;
}

/** A worker for a test API, with its own mail world. */
export async function startTestWorker(
  api: Pick<TestApi, 'database' | 'config'>,
  options: TestWorkerOptions = {},
): Promise<TestWorker> {
  const { db, pool, url } = api.database;
  const world =
    options.world ?? (await startMailWorld(options.zone === undefined ? {} : { zone: options.zone }));
  const verifier = createVerifier({
    dns: [world.dns],
    allowRanges: world.allowRanges,
    helo: 'worker.assay.test',
    factStore: createSharedFacts(db, 'default'),
    limits: options.verifierLimits ?? {},
    ...(options.verifierClock && { clock: options.verifierClock }),
    ...(options.providers && { providers: options.providers }),
    ...(options.sharesConduct && {
      shares: createSharedShares(db, 'default'),
      wishes: createSharedWishes(db),
    }),
  });
  const sandboxWorld = options.hasSandbox ? await startMailWorld() : undefined;
  const sandboxVerifier =
    sandboxWorld &&
    createVerifier({
      dns: [sandboxWorld.dns],
      allowRanges: sandboxWorld.allowRanges,
      helo: 'worker.assay.test',
    });
  const logLines: string[] = [];
  const destination = { write: (line: string) => logLines.push(line) };
  const logger = createLogger({ level: 'info', process: 'test', destination });
  const queue = await openWorkQueue({ databaseUrl: url, applicationName: 'assay test worker', logger });
  const files = await openFileStore(api.config);
  const readingPool = openReadingPool({ logger, metrics: createMetrics() });
  const { webhookWaitMs, schedule } = options;
  const parts = { db, clock: systemClock, queue, verifier, egress: 'test', ...(schedule && { schedule }) };
  const secrets = createSecrets(api.config.secret);
  await queue.work([
    ...validationsHandlers({ ...parts, pool, files, readingPool, limits: api.config.uploads }),
    ...bulkHandlers(parts),
    ...(sandboxVerifier ? sandboxHandlers({ db, clock: systemClock, queue, verifier: sandboxVerifier }) : []),
    ...guessingHandlers({ ...parts, secrets, limits: api.config.guessing }),
    ...outcomesHandlers({ db, queue, checks: createCheckFinder(db) }),
    ...webhooksHandlers({
      ...api.config.webhooks,
      db,
      clock: systemClock,
      queue,
      secrets,
      ...(webhookWaitMs !== undefined && { waitMs: () => webhookWaitMs }),
    }),
  ]);
  return {
    world,
    sandboxWorld,
    logLines,
    close: async () => {
      await queue.close();
      await readingPool.close();
      await verifier.close();
      await sandboxVerifier?.close();
      if (options.world === undefined) await world.close();
      await sandboxWorld?.close();
    },
  };
}
