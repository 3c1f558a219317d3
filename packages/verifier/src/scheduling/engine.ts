import type { ParsedAddress } from '../address/parse-address.ts';
import { findHostAddresses, findMailRoute } from '../dns/mail-route.ts';
import type { Resolver } from '../dns/resolver.ts';
import { type EvidenceStage, quoteReply } from '../evidence.ts';
import { type FactStore, isFresh } from '../fact-store.ts';
import type { ReplyClass } from '../judgement/classify-reply.ts';
import { judgeFailures, judgeRoute } from '../judgement/judge.ts';
import type { Reason } from '../judgement/reasons.ts';
import type { SessionSettings, SmtpSession } from '../smtp/session.ts';
import { Agenda } from './agenda.ts';
import { CatchAllProver } from './catch-all-prover.ts';
import { deferralDelay } from './deferral.ts';
import type { HostPermits } from './host-permits.ts';
import { HostPool, type PoolOwner, type PoolServices } from './host-pool.ts';
import { type Client, Job, MailDomain } from './job.ts';

export interface DomainTraits {
  /** Fills in what lists know of a domain. */
  describe(domain: MailDomain): void;
  /** A domain that was probably meant instead, before it is known to have a mail host. */
  suggestionFor(domain: string): string | undefined;
  /** Who runs a mail host: the registrable domain of its name. */
  providerOf(host: string): string;
}

export interface EngineSettings {
  session: SessionSettings;
  resolver: Resolver;
  facts: FactStore;
  permits: HostPermits;
  traits: DomainTraits;
  limits: PoolServices['limits'];
  /** Whether somebody may ask more soon, so that connections are worth keeping. */
  mayRest(): boolean;
}

const domainsMax = 20_000;
const poolsMax = 5_000;
/** The evidence for those who want none. */
const unrecorded: EvidenceStage[] = [];
const plainYes: ReplyClass = { meaning: 'accepted', reason: 'mailbox_accepted', rule: 'accepted' };

/** Takes addresses to their hosts and their answers to whoever asked. Knows nothing of streams. */
export class Engine implements PoolOwner {
  readonly #settings: EngineSettings;
  readonly #agenda: Agenda;
  readonly #prover: CatchAllProver;
  readonly #poolServices: PoolServices;
  readonly #domains = new Map<string, MailDomain>();
  readonly #pools = new Map<string, HostPool>();
  /** Pools that have no connection and wait for permission to open one. */
  readonly #starvingPools = new Set<HostPool>();
  /** Whoever closes us and waits for the last connection to go. */
  #onAllGone: (() => void) | undefined;
  /** Hosts at which others who share our permits wait for a connection that we have. */
  #wantedHosts: ReadonlySet<string> = new Set();

  constructor(settings: EngineSettings) {
    this.#settings = settings;
    const { clock } = settings.session;
    this.#agenda = new Agenda(clock);
    this.#poolServices = {
      settings: settings.session,
      permits: settings.permits,
      agenda: this.#agenda,
      owner: this,
      limits: settings.limits,
    };
    this.#prover = new CatchAllProver({
      clock,
      agenda: this.#agenda,
      facts: settings.facts,
      settle: (job, reason, evidence) => this.#settle(job, reason, evidence),
      tryAgain: (job, reason, afterMs, evidence) => this.#tryAgain(job, reason, afterMs, evidence),
    });
    settings.permits.watchWanted?.((hosts) => {
      this.#wantedHosts = hosts;
      for (const pool of this.#pools.values()) if (hosts.has(pool.place.host)) pool.closeIdle();
    });
  }

  /** Begins work on an address; the client hears of the verdict. */
  submit(address: ParsedAddress, client: Client, item: unknown): void {
    const domain = this.#domainOf(address.domain);
    const job = new Job(address, client, domain, item, false);
    this.#route(job);
  }

  /** Forgets the work of cancelled clients and closes what served only them. */
  dropCancelled(): void {
    for (const pool of this.#pools.values()) pool.dropCancelled();
    for (const domain of this.#domains.values()) this.#prover.dropCancelled(domain);
  }

  /** Drops every connection and every plan, now. */
  abort(): void {
    this.#agenda.clear();
    this.#settings.resolver.close();
    for (const pool of this.#pools.values()) pool.abort();
    this.#pools.clear();
    this.#domains.clear();
  }

  /** Takes leave of every host, and resolves when the last connection is gone. */
  close(): Promise<void> {
    this.#agenda.clear();
    this.#settings.resolver.close();
    for (const pool of this.#pools.values()) pool.close();
    this.#domains.clear();
    return new Promise((resolve) => {
      this.#onAllGone = resolve;
      this.onConnectionGone();
    });
  }

  onConnectionGone(): void {
    if (this.#onAllGone === undefined) return;
    for (const pool of this.#pools.values()) if (pool.connectionCount > 0) return;
    this.#onAllGone();
  }

  #domainOf(name: string): MailDomain {
    const known = this.#domains.get(name);
    if (known !== undefined) return known;
    const domain = new MailDomain(copyOf(name));
    this.#settings.traits.describe(domain);
    if (this.#domains.size >= domainsMax) this.#forgetOldDomains();
    this.#domains.set(domain.name, domain);
    return domain;
  }

  /** A domain that is met again is looked up again; its jobs under way keep what they hold. */
  #forgetOldDomains(): void {
    let left = domainsMax / 4;
    for (const [name, domain] of this.#domains) {
      if (left-- <= 0) return;
      if (domain.waitingForRoute === undefined && !domain.isProofUnderWay) this.#domains.delete(name);
    }
  }

  /** Finds out where the domain's mail goes, once for all the jobs that come meanwhile. */
  #route(job: Job): void {
    const { domain } = job;
    if (domain.waitingForRoute !== undefined) {
      domain.waitingForRoute.push(job);
      return;
    }
    if (domain.route !== undefined && domain.route.expiresAt > this.#now()) {
      this.#place(job);
      return;
    }
    domain.waitingForRoute = [job];
    void this.#look(domain);
  }

  async #look(domain: MailDomain): Promise<void> {
    const { resolver, traits, facts } = this.#settings;
    const startedAt = this.#now();
    const meant = traits.suggestionFor(domain.name);
    const [route, fact, meantRoute] = await Promise.all([
      findMailRoute(domain.name, resolver),
      facts.findCatchAll(domain.name),
      meant === undefined ? undefined : findMailRoute(meant, resolver),
    ]);
    domain.route = route;
    domain.pools.length = 0;
    domain.suggestion = meantRoute?.kind === 'hosts' ? meant : undefined;
    if (fact !== undefined && isFresh(fact, this.#settings.session.clock)) domain.catchAll ??= fact;
    domain.dnsStage = {
      stage: 'dns',
      note:
        route.kind === 'hosts'
          ? `${route.isImplicit ? 'A' : 'MX'} ${route.hosts.join(' ')}`
          : (route.detail ?? route.kind),
      ms: this.#now() - startedAt,
    };
    const waiting = domain.waitingForRoute ?? [];
    domain.waitingForRoute = undefined;
    for (const job of waiting) this.#place(job);
  }

  /** Puts the job in line at the host of its rank, or ends it where there is none. */
  #place(job: Job): void {
    const { domain } = job;
    const { route } = domain;
    if (job.client.isCancelled) return;
    if (route === undefined) {
      this.#route(job);
      return;
    }
    const reason = judgeRoute(route);
    const host = route.kind === 'hosts' ? route.hosts[job.hostRank] : undefined;
    if (reason !== undefined) {
      this.#settle(job, reason, [domain.dnsStage]);
      return;
    }
    if (host === undefined) {
      this.#settleFailed(job);
      return;
    }
    const pool = domain.pools[job.hostRank];
    if (Array.isArray(pool)) pool.push(job);
    else if (pool !== undefined) pool.add(job);
    else {
      domain.pools[job.hostRank] = [job];
      void this.#findPool(domain, job.hostRank, host);
    }
  }

  async #findPool(domain: MailDomain, rank: number, host: string): Promise<void> {
    const addresses = await findHostAddresses(host, this.#settings.resolver);
    const waiting = domain.pools[rank];
    const jobs = Array.isArray(waiting) ? waiting : [];
    if (addresses.kind === 'addresses') {
      const pool = this.#poolOf(host, addresses.ips);
      domain.pools[rank] = pool;
      // Addresses may be forgotten before the MX is; the next look asks for both.
      if (domain.route !== undefined)
        domain.route.expiresAt = Math.min(domain.route.expiresAt, addresses.expiresAt);
      for (const job of jobs) pool.add(job);
      return;
    }
    domain.pools[rank] = undefined;
    const reason: Reason = addresses.kind === 'none' ? 'no_mail_host' : addresses.kind;
    const stage: EvidenceStage = {
      stage: 'dns',
      host,
      note: addresses.kind === 'none' ? 'no address' : addresses.kind,
    };
    for (const job of jobs) this.onHostFailed(job, reason, stage);
  }

  /** One pool per set of addresses: many names may lead to one host, and its limits are its own. */
  #poolOf(host: string, ips: readonly string[]): HostPool {
    const key = ips.toSorted().join(' ');
    const known = this.#pools.get(key);
    if (known !== undefined) return known;
    if (this.#pools.size >= poolsMax) {
      for (const [oldKey, pool] of this.#pools) if (pool.isForgettable) this.#pools.delete(oldKey);
    }
    const place = { host: key, provider: this.#settings.traits.providerOf(host) };
    const pool = new HostPool(host, ips, place, this.#poolServices);
    this.#pools.set(key, pool);
    return pool;
  }

  onAccepted(pool: HostPool, job: Job, session: SmtpSession<Job>, code: number, text: string): void {
    if (!job.client.wantsEvidence) {
      this.#prover.onAccepted(pool, job, unrecorded);
      return;
    }
    const stage: EvidenceStage = {
      stage: job.isProof ? 'proof' : 'rcpt',
      host: pool.name,
      ip: session.ip,
      reply: quoteReply(code, text),
      ms: session.readAt - session.askedAt,
    };
    if (job.isProof) this.#prover.onAnswer(job, plainYes, stage);
    else this.#prover.onAccepted(pool, job, [job.domain.dnsStage, session.evidence, stage]);
  }

  onReply(
    pool: HostPool,
    job: Job,
    found: ReplyClass,
    stage: EvidenceStage,
    session: SmtpSession<Job>,
  ): void {
    if (job.isProof) {
      this.#prover.onAnswer(job, found, { ...stage, stage: 'proof' });
      return;
    }
    const evidence = job.client.wantsEvidence ? [job.domain.dnsStage, session.evidence, stage] : unrecorded;
    if (found.meaning === 'ask_later') this.#defer(job, found, evidence);
    else if (found.reason === 'mailbox_accepted') this.#prover.onAccepted(pool, job, evidence);
    else this.#settle(job, found.reason, evidence);
  }

  onNameUnsupported(job: Job, session: SmtpSession<Job>): void {
    const stage: EvidenceStage = {
      stage: 'rcpt',
      host: session.target.host,
      ip: session.ip,
      note: 'SMTPUTF8 not offered',
    };
    this.#settle(job, 'mailbox_name_not_supported', [job.domain.dnsStage, session.evidence, stage]);
  }

  onHostFailed(job: Job, reason: Reason, stage: EvidenceStage): void {
    job.failures ??= [];
    job.failures.push({ reason, stage });
    job.hostRank += 1;
    job.lostCount = 0;
    this.#place(job);
  }

  waitsUntil(job: Job, time: number, isRepeated: boolean): boolean {
    const now = this.#now();
    if (isRepeated && this.#hasNextHost(job)) return false;
    // A short rest is not worth a trip back to the caller's queue.
    if (job.client.deferrals === 'return') return !isRepeated && time - now <= 2_000;
    if (job.giveUpAt === 0) job.giveUpAt = now + job.client.patienceMs;
    return time <= job.giveUpAt;
  }

  onHeldOff(job: Job, found: ReplyClass, afterMs: number, stage: EvidenceStage): void {
    if (this.#hasNextHost(job) || job.isProof) this.onHostFailed(job, found.reason, stage);
    else if (job.client.deferrals === 'return')
      this.#tryAgain(job, found.reason, afterMs, [job.domain.dnsStage, stage]);
    else this.#settle(job, found.reason, [job.domain.dnsStage, ...failureStages(job), stage]);
  }

  /** Only a host without any connection is worth taking one from another for. */
  onShortOfPermits(pool: HostPool, isShort: boolean): void {
    if (!isShort || pool.connectionCount > 0) {
      this.#starvingPools.delete(pool);
      return;
    }
    this.#starvingPools.add(pool);
    for (const other of this.#pools.values()) if (other !== pool) other.closeIdle();
  }

  mayRest(pool: HostPool): boolean {
    return !this.isCrowded(pool) && this.#settings.mayRest();
  }

  /** A stream has come to its end: what only it kept open may go. */
  onInputDone(): void {
    if (this.#settings.mayRest()) return;
    for (const pool of this.#pools.values()) pool.closeIdle();
  }

  isCrowded(pool: HostPool): boolean {
    const othersStarve = this.#starvingPools.size > (this.#starvingPools.has(pool) ? 1 : 0);
    return othersStarve || this.#wantedHosts.has(pool.place.host);
  }

  #hasNextHost(job: Job): boolean {
    const { route } = job.domain;
    return route?.kind === 'hosts' && job.hostRank + 1 < route.hosts.length;
  }

  /** Puts off the job as its host asked, as long as patience lasts. */
  #defer(job: Job, found: ReplyClass, evidence: EvidenceStage[]): void {
    job.deferralCount += 1;
    if (job.client.deferrals === 'return') {
      const afterMs = deferralDelay(job.deferralCount, found.retryAfterMs);
      this.#tryAgain(job, found.reason, afterMs, evidence);
      return;
    }
    const now = this.#now();
    if (job.giveUpAt === 0) job.giveUpAt = now + job.client.patienceMs;
    const delayMs = deferralDelay(job.deferralCount, found.retryAfterMs, job.giveUpAt - now);
    if (delayMs === undefined) {
      this.#settle(job, found.reason, evidence);
      return;
    }
    job.client.onParked(1);
    this.#agenda.at(now + delayMs, () => {
      job.client.onParked(-1);
      this.#route(job);
    });
  }

  #settleFailed(job: Job): void {
    const failures = job.failures ?? [];
    const reason = judgeFailures(failures.map((failure) => failure.reason));
    const evidence = [job.domain.dnsStage, ...failureStages(job)];
    if (job.isProof) {
      const stage = failures.at(-1)?.stage ?? { stage: 'proof' };
      this.#prover.onAnswer(job, { meaning: 'no_answer', reason, rule: 'host-failed' }, stage);
    } else this.#settle(job, reason, evidence);
  }

  #settle(job: Job, reason: Reason, evidence: EvidenceStage[]): void {
    if (!job.client.isCancelled) job.client.onVerdict(job, reason, evidence);
  }

  #tryAgain(job: Job, reason: Reason, afterMs: number, evidence: EvidenceStage[]): void {
    if (!job.client.isCancelled) job.client.onTryAgain(job, reason, afterMs, evidence);
  }

  #now(): number {
    return this.#settings.session.clock.now();
  }
}

const failureStages = (job: Job): EvidenceStage[] => (job.failures ?? []).map((failure) => failure.stage);

/** V8 keeps a part of a text by keeping all of it: a domain must not hold on to the piece of the list it came from. */
const copyOf = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');
