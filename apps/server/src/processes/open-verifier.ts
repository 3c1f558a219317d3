import { createVerifier, defaultLimits, type Verifier } from '@assay/verifier';
import {
  askForCheck,
  createFindingWatch,
  createPortGate,
  createSharedFacts,
  createSharedShares,
  createSharedWishes,
  type FindingWatch,
  guardVerifier,
  openSharedPermits,
  routeByEgress,
  weatherOf,
  weatherPlace,
} from '../features/engine/index.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config, EgressConfig } from '../platform/config/index.ts';
import type { Db } from '../platform/database/database.ts';
import type { Logger } from '../platform/logging/index.ts';
import type { Metrics } from '../platform/metrics/index.ts';
import type { OperationCounts } from '../platform/operation-counts.ts';
import { type AnswerCounter, countAnswers, countVerdicts, type VerdictCounter } from './verdict-metrics.ts';

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
  readonly counts: OperationCounts;
  readonly work: keyof typeof shares;
}

/** The engine of a worker, over all of its egress addresses. */
export async function openVerifier(config: Config, parts: VerifierParts): Promise<Verifier> {
  const { db, logger, metrics, counts } = parts;
  const watch = createFindingWatch({
    clock: systemClock,
    logger,
    metrics,
    onAlert: (egress) => void askForCheck(db, egress).catch(() => undefined),
  });
  const verdicts = countVerdicts(metrics);
  const answers = countAnswers(metrics);
  const egresses = await Promise.all(
    config.verifier.egresses.map(async (egress) => {
      const verifier = await openEgress(config, egress, parts);
      const { name, weight } = egress;
      return {
        name,
        weight,
        verifier: guardVerifier(
          verifier,
          createPortGate({ db, egress: name }),
          counted(watch(name), { egress: name, counts, verdicts, answers }),
        ),
      };
    }),
  );
  const [only] = egresses;
  return egresses.length === 1 && only
    ? only.verifier
    : routeByEgress({ db, workers: config.verifier.egress, egresses });
}

interface Counters {
  readonly egress: string;
  readonly counts: OperationCounts;
  readonly verdicts: VerdictCounter;
  readonly answers: AnswerCounter;
}

/** Counts the verdicts that a finding watch sees, for the operator console and Prometheus. */
const counted = (watch: FindingWatch, { egress, counts, verdicts, answers }: Counters): FindingWatch => ({
  note(finding) {
    watch.note(finding);
    const weather = weatherOf(finding);
    if (weather !== null) {
      const provider = weatherPlace(finding.mxProvider);
      counts.add('weather', provider, `${weather} ${egress}`);
      answers.add({ egress, provider, weather });
    }
    if (finding.kind !== 'verdict') return;
    const { result, mxProvider } = finding;
    counts.add('checks', result);
    if (mxProvider !== undefined) counts.add('provider_checks', mxProvider, result);
    verdicts.add(mxProvider, result);
  },
});

/** The engine of one egress address, with the limits that it shares with other workers. */
async function openEgress(
  config: Config,
  { name, via, helo, mailFrom, connections }: EgressConfig,
  { db, logger, work }: VerifierParts,
): Promise<Verifier> {
  const { dns, smtpPort, allowRanges } = config.verifier;
  const share = shares[work];
  const limits = {
    ...share,
    connections: Math.floor((share.connections * connections) / defaultLimits.connections),
  };
  const shared = await openSharedPermits({
    db,
    logger,
    databaseUrl: config.database.directUrl,
    applicationName: `assay worker ${work} permits`,
    egress: name,
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
    egress: via,
    helo,
    mailFrom,
    smtpPort,
    allowRanges,
    factStore: createSharedFacts(db, name),
    permits: shared.permits,
    shares: createSharedShares(db, name),
    wishes: createSharedWishes(db),
    limits,
  });
  return {
    ...verifier,
    close: async () => {
      await verifier.close();
      await shared.close();
    },
  };
}
