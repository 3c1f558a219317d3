import { createVerifier, defaultLimits, type Verifier } from '@assay/verifier';
import {
  askForCheck,
  createOutcomeWatch,
  createPortGate,
  createSharedFacts,
  guardVerifier,
  openSharedPermits,
} from '../features/engine/index.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config/index.ts';
import type { Db } from '../platform/database/database.ts';
import type { Logger } from '../platform/logging/index.ts';
import type { Metrics } from '../platform/metrics/index.ts';

// A worker has two engines: one for work that people wait for, one for long lists. Each uses its share of the egress address's
// connections, together with the same engines of all workers with that address. Both shares add up to the limits
// per host and provider, and no long list takes what single checks need.
const shares = {
  prompt: { connectionsPerHost: 2, connectionsPerProvider: 4, connections: 100 },
  bulk: { connectionsPerHost: 6, connectionsPerProvider: 12, connections: 400 },
} as const;

interface VerifierParts {
  readonly db: Db;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly work: keyof typeof shares;
}

export async function openVerifier(
  config: Config,
  { db, logger, metrics, work }: VerifierParts,
): Promise<Verifier> {
  const { dns, smtpPort, allowRanges, egress, helo, mailFrom } = config.verifier;
  const limits = shares[work];
  const shared = await openSharedPermits({
    db,
    logger,
    databaseUrl: config.database.url,
    applicationName: `assay worker ${work} permits`,
    egress,
    share: work,
    limits: {
      perHost: limits.connectionsPerHost,
      perProvider: limits.connectionsPerProvider,
      total: limits.connections,
    },
    partOfProvider: limits.connectionsPerProvider / defaultLimits.connectionsPerProvider,
  });
  const verifier = createVerifier({
    ...(dns && { dns: [dns] }),
    ...(helo && { helo }),
    ...(mailFrom && { mailFrom }),
    smtpPort,
    allowRanges,
    factStore: createSharedFacts(db),
    permits: shared.permits,
    limits,
  });
  const watch = createOutcomeWatch({
    egress,
    clock: systemClock,
    logger,
    metrics,
    onAlert: () => void askForCheck(db, egress).catch(() => undefined),
  });
  return {
    ...guardVerifier(verifier, createPortGate({ db, egress }), watch),
    close: async () => {
      await verifier.close();
      await shared.close();
    },
  };
}
