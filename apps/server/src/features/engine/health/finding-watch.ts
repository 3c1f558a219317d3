import { egressAwayNote, type Finding, ownLimitNote, registrableDomainOf } from '@assay/verifier';
import { Gauge } from 'prom-client';
import type { SteadyClock } from '../../../platform/clock.ts';
import type { Logger } from '../../../platform/logging/index.ts';
import type { Metrics } from '../../../platform/metrics/index.ts';

/** Notices when a provider suddenly stops telling us about mailboxes. */
export interface FindingWatch {
  note(finding: Finding<unknown>): void;
}

interface WatchParts {
  readonly clock: SteadyClock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Called at each alert: port 25 may be closed, a block list may name us, or the egress may be away. */
  onAlert(egress: string): void;
}

const kinds = ['unknown', 'blocked'] as const;
type Kind = (typeof kinds)[number];
type Counts = Record<Kind | 'total', number>;

interface Provider {
  readonly egress: string;
  readonly name: string;
  /** Of the current ten minutes. */
  current: Counts;
  startedAt: number;
  /** Of the time before, the older the less. */
  usual: Counts;
  readonly alerts: Set<Kind>;
}

const windowMs = 10 * 60_000;
const usualWeight = 0.9;
const findingsMin = 50;
const shareMin = 0.3;
/** A provider that we know little about is expected to leave this share open. */
const usualShareMin = 0.1;
const riseFactor = 3;
const providersMax = 2_000;
/** More alerts would only repeat the line in the log: a check is made at most once a minute. */
const awayAlertEveryMs = 60_000;

/** Watches the findings of several egresses, each with its own providers. */
export function createFindingWatch(parts: WatchParts): (egress: string) => FindingWatch {
  const { clock, logger, metrics, onAlert } = parts;
  const providers = new Map<string, Provider>();
  const gauge = new Gauge({
    name: 'assay_egress_alerts',
    help: 'Providers whose share of unknown or blocked findings rose suddenly, by egress. Alert above 0.',
    labelNames: ['egress', 'provider', 'kind'],
    registers: [metrics.registry],
    collect: () => {
      for (const provider of providers.values()) closeWindow(provider);
    },
  });

  function closeWindow(provider: Provider): void {
    const { egress, name } = provider;
    const now = clock.steadyMs();
    if (now - provider.startedAt < windowMs) return;
    for (const kind of provider.alerts) {
      if (hasRisen(provider, kind)) continue;
      provider.alerts.delete(kind);
      gauge.remove({ egress, provider: name, kind });
    }
    for (const key of ['total', ...kinds] as const) {
      // An alert must not become what is usual.
      if (provider.alerts.size === 0) {
        provider.usual[key] = provider.usual[key] * usualWeight + provider.current[key];
      }
      provider.current[key] = 0;
    }
    provider.startedAt = now;
  }

  function raise(provider: Provider, kind: Kind): void {
    const { egress, name } = provider;
    provider.alerts.add(kind);
    gauge.set({ egress, provider: name, kind }, 1);
    const percent = Math.round((100 * provider.current[kind]) / provider.current.total);
    logger.warn({ egress, provider: name, kind, percent }, 'a provider answers less than usual');
    onAlert(egress);
  }

  return (egress) => {
    let nextAwayAlertAt = 0;
    return { note };

    /** Asks for a check at once: only its result sends new domains to another egress. */
    function noteAway(): void {
      const now = clock.steadyMs();
      if (now < nextAwayAlertAt) return;
      nextAwayAlertAt = now + awayAlertEveryMs;
      logger.warn({ egress }, 'the egress is away');
      onAlert(egress);
    }

    function note(finding: Finding<unknown>): void {
      const { note: lastNote } = finding.evidence.at(-1) ?? {};
      if (lastNote === egressAwayNote) noteAway();
      // The provider was not asked, so it cannot have changed.
      if (lastNote === ownLimitNote) return;
      const host = finding.evidence.findLast((stage) => stage.host !== undefined)?.host;
      if (finding.kind !== 'verdict' || host === undefined) return;
      const name = registrableDomainOf(host);
      const provider =
        providers.get(`${egress} ${name}`) ?? remember(providers, { egress, name }, clock.steadyMs());
      closeWindow(provider);
      provider.current.total += 1;
      if (finding.result === 'UNKNOWN') provider.current.unknown += 1;
      if (finding.reason === 'blocked') provider.current.blocked += 1;
      for (const kind of kinds) {
        if (!provider.alerts.has(kind) && hasRisen(provider, kind)) raise(provider, kind);
      }
    }
  };
}

function hasRisen({ current, usual }: Provider, kind: Kind): boolean {
  if (current.total < findingsMin) return false;
  const share = current[kind] / current.total;
  const usualShare = usual.total < findingsMin ? 0 : usual[kind] / usual.total;
  return share >= shareMin && share >= riseFactor * Math.max(usualShare, usualShareMin);
}

/** Drops the provider that was added first when there are too many; one with an alert stays. */
function remember(
  providers: Map<string, Provider>,
  { egress, name }: Pick<Provider, 'egress' | 'name'>,
  startedAt: number,
): Provider {
  if (providers.size >= providersMax) {
    for (const [oldest, { alerts }] of providers) {
      if (alerts.size > 0) continue;
      providers.delete(oldest);
      break;
    }
  }
  const none = { total: 0, unknown: 0, blocked: 0 };
  const alerts = new Set<Kind>();
  const provider = { egress, name, current: { ...none }, usual: { ...none }, startedAt, alerts };
  providers.set(`${egress} ${name}`, provider);
  return provider;
}
