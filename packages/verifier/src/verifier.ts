import { hostname } from 'node:os';
import { createDomainTraits } from './address/domain-traits.ts';
import { parseAddress } from './address/parse-address.ts';
import { type Clock, systemClock } from './clock.ts';
import { createMemoryLedger, Governor } from './conduct/governor.ts';
import { createMemoryWishes, type WishStore } from './conduct/owner-doors.ts';
import type { ShareLedger } from './conduct/provider-gate.ts';
import type { QuestionBill } from './conduct/question-bill.ts';
import { createResolver } from './dns/resolver.ts';
import { createMemoryFactStore, type FactStore, inWallTime } from './fact-store.ts';
import type { Finding } from './finding.ts';
import { createDialGuard } from './net/dial-guard.ts';
import { Engine } from './scheduling/checks/engine.ts';
import { type Item, type Items, Run, type RunOptions } from './scheduling/checks/run.ts';
import { createMemoryPermits, type HostPermits } from './scheduling/hosts/host-permits.ts';
import { createProviderFinder, type ProviderPlan, publishedProviders } from './scheduling/hosts/providers.ts';
import { anyLocalAddress, type Egress } from './smtp/egress.ts';
import { ReadTurns } from './smtp/read-turns.ts';
import type { SessionTimeouts } from './smtp/session.ts';

export interface VerifierTimeouts extends SessionTimeouts {
  /** One DNS question, retries included. */
  dnsMs: number;
}

export interface VerifierLimits {
  /**
   * Connections to one mail host, to all hosts of one provider, and in all. When `permits` is given, those decide, and an
   * engine asks them for no more than this at one host.
   */
  connectionsPerHost: number;
  connectionsPerProvider: number;
  connections: number;
  /** RFC 5321 §4.5.3.1.8 obliges every host to take 100. */
  recipientsPerTransaction: number;
  /** How long a connection may rest before we take leave. */
  idleMs: number;
}

export interface VerifierOptions {
  /** Name servers as `host` or `host:port`; the system's by default. */
  dns?: readonly string[];
  /** 25 by default. */
  smtpPort?: number;
  /** `CIDR` or `CIDR@port`: the only way to private and reserved addresses. Empty by default. */
  allowRanges?: readonly string[];
  /** How connections leave; from any address of this machine by default. */
  egress?: Egress;
  /** The name we introduce ourselves by; should resolve to our address. This machine's name by default. */
  helo?: string;
  /** The sender we name; should be able to take mail. `verify@` the name above by default. */
  mailFrom?: string;
  /** Where proofs about domains are remembered; in memory by default. */
  factStore?: FactStore;
  /** Who grants connections; by default the limits below, for this process alone. */
  permits?: HostPermits;
  /** Who counts the unknown recipients of providers; by default this process, alone. */
  shares?: ShareLedger;
  /** What owners of domains want of us; by default it is remembered and counted in this process. */
  wishes?: WishStore;
  limits?: Partial<VerifierLimits>;
  /** How providers want to be treated; data/providers.json by default. */
  providers?: readonly ProviderPlan[];
  timeouts?: Partial<VerifierTimeouts>;
  clock?: Clock;
}

export interface VerifyOptions {
  signal?: AbortSignal;
  /** How long a deferred address may be asked again, counted from the first time; 60 s by default. */
  patienceMs?: number;
  /** `wait` until a deferred address is due, or `return` it with a time to try again. */
  deferrals?: 'wait' | 'return';
  /** How often hosts deferred these addresses before: the `deferralCount` of the last finding. Waits grow with it. */
  deferralCount?: number;
  /** Whom the work is for. Customers share hosts and connections fairly; those without a name count as one. */
  customer?: string;
  /** Counts what is asked for these addresses. */
  bill?: QuestionBill;
  /** Whether findings carry evidence; true by default. Without it a large list is a little faster. */
  evidence?: boolean;
}

export interface VerifyAllOptions extends VerifyOptions {
  /** Addresses under way at one time; bounds the memory. */
  inFlightMax?: number;
  /** Whether connections rest for a while after the last address, for whoever asks next; true by default. */
  lingers?: boolean;
}

/** Findings one by one, or with `batches()` as many as are ready each time. */
export interface Findings<T> extends AsyncIterableIterator<Finding<T>> {
  batches(): AsyncIterableIterator<Finding<T>[]>;
}

export interface Verifier {
  verify(email: string, options?: VerifyOptions): Promise<Finding<string>>;
  /** Findings in any order, each with the item it belongs to. Reads the input as fast as the findings are taken. */
  verifyAll<T extends Item>(items: Items<T>, options?: VerifyAllOptions): Findings<T>;
  /** Takes leave of every host. Runs under way fail, because the rest of their addresses gets no finding. */
  close(): Promise<void>;
}

export const defaultTimeouts: VerifierTimeouts = {
  dnsMs: 10_000,
  connectMs: 15_000,
  greetingMs: 60_000,
  tlsMs: 30_000,
  commandMs: 45_000,
  recipientMs: 60_000,
};

export const defaultLimits: VerifierLimits = {
  connectionsPerHost: 8,
  connectionsPerProvider: 16,
  connections: 500,
  recipientsPerTransaction: 100,
  idleMs: 2_000,
};

const patienceDefaultMs = 60_000;
const inFlightDefault = 20_000;
const closedMessage = 'the verifier is closed';

export function createVerifier(options: VerifierOptions = {}): Verifier {
  const clock = options.clock ?? systemClock;
  const limits = { ...defaultLimits, ...options.limits };
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const helo = requireHelo(options.helo ?? hostname());
  const mailFrom = requireSender(options.mailFrom ?? `verify@${helo}`);
  const runs = new Set<Pick<Run<Item>, 'isFilling' | 'isInputDone' | 'lingers' | 'fail'>>();
  const traits = createDomainTraits();
  const engine = new Engine({
    session: {
      helo,
      mailFrom,
      timeouts,
      guard: createDialGuard(options.smtpPort ?? 25, options.allowRanges ?? []),
      egress: options.egress ?? anyLocalAddress,
      clock,
      readTurns: new ReadTurns(),
    },
    resolver: createResolver({ servers: options.dns ?? [], clock, timeoutMs: timeouts.dnsMs }),
    facts: options.factStore ? inWallTime(options.factStore, clock) : createMemoryFactStore(),
    permits:
      options.permits ??
      createMemoryPermits(
        {
          perHost: limits.connectionsPerHost,
          perProvider: limits.connectionsPerProvider,
          total: limits.connections,
        },
        clock,
      ),
    wishes: options.wishes ?? createMemoryWishes(clock),
    governor: new Governor(options.shares ?? createMemoryLedger(clock), clock),
    traits,
    providerOf: createProviderFinder(
      () => options.providers ?? publishedProviders(),
      traits.registrableDomainOf,
    ),
    limits,
    isMoreComing: () => runs.values().some((run) => run.isFilling),
    mayRest: () => runs.size === 0 || runs.values().some((run) => run.lingers || !run.isInputDone),
  });
  let isClosed = false;
  let isDropDue = false;

  /** Calls it once for all runs that are cancelled in the same turn: a worker that stops cancels thousands. */
  function dropCancelledSoon(): void {
    if (isDropDue) return;
    isDropDue = true;
    queueMicrotask(() => {
      isDropDue = false;
      engine.dropCancelled();
    });
  }

  function start<T extends Item>(items: Items<T>, run: RunOptions): Run<T> {
    if (isClosed) throw new Error(closedMessage);
    const started: Run<T> = new Run<T>(items, engine, run, (ended) => {
      runs.delete(ended);
      if (!ended.isCancelled) return;
      // Without another run, everything is aborted. Otherwise only the work of cancelled runs is dropped.
      if (runs.size === 0) engine.abort();
      else dropCancelledSoon();
    });
    if (!started.isCancelled) runs.add(started);
    return started;
  }

  return {
    async verify(email, verifyOptions = {}) {
      const run = start([email], { ...runOptions(verifyOptions), isUrgent: true });
      const { value } = await run.next();
      return value as Finding<string>;
    },
    verifyAll: (items, verifyOptions = {}) => start(items, runOptions(verifyOptions)),
    async close() {
      isClosed = true;
      for (const run of [...runs]) run.fail(new Error(closedMessage));
      await engine.close();
    },
  };
}

function runOptions(options: VerifyAllOptions): RunOptions {
  return {
    patienceMs: options.patienceMs ?? patienceDefaultMs,
    deferrals: options.deferrals ?? 'wait',
    wantsEvidence: options.evidence ?? true,
    isUrgent: false,
    deferralCount: options.deferralCount ?? 0,
    customer: options.customer ?? '',
    bill: options.bill,
    lingers: options.lingers ?? true,
    inFlightMax: options.inFlightMax ?? inFlightDefault,
    signal: options.signal,
  };
}

/** No unchecked byte may reach a command line, ours included. */
function requireHelo(helo: string): string {
  if (!/^(?:[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*|\[[0-9A-Fa-f:.IPv]+\])$/.test(helo)) {
    throw new RangeError(`"${helo}" is not a name to introduce ourselves by: write a host name`);
  }
  return helo;
}

function requireSender(mailFrom: string): string {
  if (mailFrom === '' || mailFrom === '<>') return '';
  const parsed = parseAddress(mailFrom);
  if (!parsed.ok) throw new RangeError(`"${mailFrom}" is not a sender: write an address (${parsed.reason})`);
  return parsed.mailbox;
}
