import {
  basisBy,
  type Finding,
  type Findings,
  type Item,
  type Items,
  listedFlagsOf,
  parseAddress,
  type TryAgain,
  type Verifier,
  type VerifyAllOptions,
} from '@assay/verifier';
import type { Db } from '../../../platform/database/database.ts';
import { isTestDomain } from '../health/test-domain.ts';
import { bindDomains, findEgressStates } from './bindings.store.ts';
import { chooseEgress, type WeightedEgress } from './choose-egress.ts';

interface RoutedEgress extends WeightedEgress {
  readonly verifier: Verifier;
}

interface RouteParts {
  readonly db: Db;
  /** The name of the workers that have these egresses. */
  readonly workers: string;
  readonly egresses: readonly RoutedEgress[];
}

/** Long enough for a block list to change its mind; patience ends the wait. */
const pausedMs = 10 * 60_000;

/**
 * One verifier over several egress addresses. A domain sticks to its egress. A listed egress gets no new domains, nor does
 * one whose port is closed while another's is open; addresses of domains bound to it are deferred until patience ends. Addresses
 * that need no mail host outside, of bad syntax or of `.test`, never wait.
 * See docs/decisions/engine-several-egresses.md.
 */
export function routeByEgress({ db, workers, egresses }: RouteParts): Verifier {
  const names = egresses.map(({ name }) => name);
  const byName = new Map(egresses.map((egress) => [egress.name, egress]));

  async function route<T extends Item>(items: readonly T[]) {
    const paused = pausedOf(await findEgressStates(db, names), names);
    const open = egresses.filter(({ name }) => !paused.has(name));
    const usable = open.length > 0 ? open : egresses;
    const domains = new Set(items.map(domainOf).filter((domain) => domain !== ''));
    const chosen = new Map([...domains].map((domain) => [domain, chooseEgress(domain, usable)]));
    const bound = await bindDomains(db, { workers, egresses: names, paused: [...paused.keys()] }, chosen);

    const ready: { item: T; egress: string }[] = [];
    const late: LateItem<T>[] = [];
    for (const item of items) {
      const domain = domainOf(item);
      const egress = bound.get(domain) ?? usable[0]?.name ?? '';
      const reason = domain === '' || isTestDomain(domain) ? undefined : paused.get(egress);
      if (reason !== undefined) late.push({ item, egress, reason });
      else ready.push({ item, egress });
    }
    return { asked: [...Map.groupBy(ready, ({ egress }) => egress)], late };
  }

  async function* batches<T extends Item>(
    items: Items<T>,
    options: VerifyAllOptions | undefined,
  ): AsyncGenerator<Finding<T>[]> {
    const { asked, late } = await route<T>(await Array.fromAsync(flat(items)));
    if (late.length > 0) yield late.map((item) => deferred(item, options));
    yield* merge(
      asked.map(([name, group]) =>
        verifierOf(name)
          .verifyAll(
            group.map(({ item }) => item),
            options,
          )
          .batches(),
      ),
    );
  }

  const verifierOf = (name: string): Verifier => (byName.get(name) as RoutedEgress).verifier;

  return {
    async verify(email, options) {
      const { asked, late } = await route([email]);
      const [first] = late;
      if (first !== undefined) return deferred(first, options);
      return verifierOf(asked[0]?.[0] ?? '').verify(email, options);
    },
    verifyAll<T extends Item>(items: Items<T>, options?: VerifyAllOptions): Findings<T> {
      const oneByOne = async function* () {
        for await (const batch of batches(items, options)) yield* batch;
      };
      return Object.assign(oneByOne(), { batches: () => batches(items, options) });
    },
    close: async () => {
      await Promise.all(egresses.map(({ verifier }) => verifier.close()));
    },
  };
}

type PauseReason = 'blocked' | 'connection_timeout';

interface LateItem<T> {
  readonly item: T;
  readonly egress: string;
  readonly reason: PauseReason;
}

function pausedOf(
  states: Awaited<ReturnType<typeof findEgressStates>>,
  names: readonly string[],
): Map<string, PauseReason> {
  const closed = states.filter((state) => state.is_port_closed);
  const paused = new Map<string, PauseReason>();
  // If every port is closed, the work waits at the gate instead.
  if (closed.length < names.length) for (const { egress } of closed) paused.set(egress, 'connection_timeout');
  for (const { egress, is_listed } of states) if (is_listed) paused.set(egress, 'blocked');
  return paused;
}

const notes: Record<PauseReason, string> = {
  blocked: 'is on a block list',
  connection_timeout: 'cannot reach port 25',
};

function deferred<T extends Item>(
  { item, egress, reason }: LateItem<T>,
  options: VerifyAllOptions | undefined,
): TryAgain<T> {
  const parsed = parseAddress(addressOf(item));
  return {
    kind: 'try_again',
    afterMs: pausedMs,
    // The host was not asked, so the count stays.
    deferralCount: options?.deferralCount ?? 0,
    item,
    email: parsed.email,
    result: 'UNKNOWN',
    reason,
    flags: listedFlagsOf(parsed.ok ? parsed : { local: '', domain: '' }),
    basis: basisBy('egress-paused'),
    evidence: [{ stage: 'connect', note: `egress ${egress} ${notes[reason]}; the mail host was not asked` }],
  };
}

const addressOf = (item: Item): string => (typeof item === 'string' ? item : item.email);

/** Empty for an address that fails at its syntax, at any egress. */
function domainOf(item: Item): string {
  const parsed = parseAddress(addressOf(item));
  return parsed.ok ? parsed.domain : '';
}

async function* flat<T extends Item>(items: Items<T>): AsyncGenerator<T> {
  for await (const item of items) {
    if (Array.isArray(item)) yield* item;
    else yield item as T;
  }
}

/** The batches of several streams as they come. When the reader stops, so do the streams. */
async function* merge<Batch>(streams: AsyncIterator<Batch>[]): AsyncGenerator<Batch> {
  const next = (stream: AsyncIterator<Batch>) => stream.next().then((result) => ({ stream, result }));
  const pending = new Map(streams.map((stream) => [stream, next(stream)]));
  try {
    while (pending.size > 0) {
      const { stream, result } = await Promise.race(pending.values());
      if (result.done) pending.delete(stream);
      else {
        pending.set(stream, next(stream));
        yield result.value;
      }
    }
  } finally {
    for (const [stream, last] of pending) {
      // Prevents an unhandled rejection of a read that nobody awaits any more.
      last.catch(() => undefined);
      void stream.return?.().catch(() => undefined);
    }
  }
}
