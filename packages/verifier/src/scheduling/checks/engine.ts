import type { RefusedAddress } from '../../address/parse-address.ts';
import { type CheckSteps, resolverAway, startCheck, takeNextStep } from '../../check.ts';
import type { Governor } from '../../conduct/governor.ts';
import { OwnerDoors, type OwnerStop, type WishStore } from '../../conduct/owner-doors.ts';
import { findHostAddresses } from '../../dns/mail-route.ts';
import { type EvidenceStage, ownerRule, ownLimitRule, quoteReply, resolverAwayNote } from '../../evidence.ts';
import { ignoreStoreFailure } from '../../fact-store.ts';
import type { ReplyClass } from '../../judgement/classify-reply.ts';
import { type CatchAllKnowledge, judgeFailures, type RefusalKnowledge } from '../../judgement/judge.ts';
import type { Reason } from '../../judgement/reasons.ts';
import { type SessionSettings, SmtpSession } from '../../smtp/session.ts';
import type { HostPermits } from '../hosts/host-permits.ts';
import { HostPools } from '../hosts/host-pools.ts';
import type { PoolOwner, PoolServices, UnaskedCause } from '../hosts/pool-services.ts';
import type { Provider } from '../hosts/providers.ts';
import { Agenda } from '../jobs/agenda.ts';
import { attemptsMax, deferralDelay } from '../jobs/deferral.ts';
import type { Client, Job, JobPlace, JobProbe, JobSession, JobStreak, MailDomain } from '../jobs/job.ts';
import { CatchAllProver } from '../probes/catch-all-prover.ts';
import type { DomainProbe } from '../probes/domain-probe.ts';
import { RefusalControl } from '../probes/refusal-control.ts';
import { type DomainServices, MailDomains } from './mail-domains.ts';
import { OwnerWishes } from './owner-wishes.ts';

export interface EngineSettings extends Omit<DomainServices, 'clock' | 'doors'> {
  wishes: WishStore;
  session: SessionSettings;
  permits: HostPermits;
  governor: Governor;
  limits: PoolServices['limits'];
  providerOf(host: string): Provider;
  /** Whether more addresses may come soon, so that idle connections are worth keeping. */
  mayRest(): boolean;
  /** Whether more addresses arrive within this turn or the next ones. */
  isMoreComing(): boolean;
}

/** A caller with its own queue takes an address back only for a rest that is longer than this. */
const restWorthReturningMs = 2_000;
/**
 * Time after the first failure in which we still ask further hosts of a domain: twenty silent hosts would take too long. With
 * the short patience after a silent host, an address is done within two minutes.
 */
const nextHostWithinMs = 30_000;
/** The evidence for clients that want none. */
const unrecorded: EvidenceStage[] = [];
const plainYes: ReplyClass = {
  meaning: 'accepted',
  reason: 'mailbox_accepted',
  rule: 'accepted',
};

/** Carries out the steps of checks (`check.ts` tells the story) and reports verdicts to their clients. */
export class Engine implements CheckSteps, PoolOwner {
  readonly #settings: EngineSettings;
  readonly #agenda: Agenda;
  readonly #domains: MailDomains;
  readonly #wishes: OwnerWishes;
  readonly #pools: HostPools;
  readonly #prover: CatchAllProver;
  readonly #control: RefusalControl;
  /** What a host says of the later names of one read may confirm what it says of the earlier. */
  #unread: Job[] = [];
  /** Transactions that are complete since the last read. */
  #completed: { session: JobSession; domain: MailDomain }[] = [];
  /** The streaks on each connection that have addresses waiting. */
  readonly #held = new Map<JobSession, Set<JobStreak>>();

  constructor(settings: EngineSettings) {
    this.#settings = settings;
    const { session, permits, governor, limits, facts } = settings;
    const { clock } = session;
    this.#agenda = new Agenda(clock);
    const doors = new OwnerDoors({ resolver: settings.resolver, store: settings.wishes, clock });
    this.#domains = new MailDomains({ ...settings, doors, clock });
    this.#wishes = new OwnerWishes({
      doors,
      clock,
      decline: (job, stage) => this.decline(job, stage),
      askLater: (job, stage) => this.#deferUncounted(job, stage),
    });
    this.#pools = new HostPools({
      services: {
        clock,
        agenda: this.#agenda,
        owner: this,
        permits,
        governor,
        limits,
        ourNames: [session.mailFrom, session.helo],
        openSession: (target, owner) => new SmtpSession(target, session, owner),
      },
      mayRest: settings.mayRest,
      providerOf: settings.providerOf,
    });
    const probeServices = {
      clock,
      agenda: this.#agenda,
      facts,
      onProbed: (job: Job) => takeNextStep(job, this),
      settle: (job: Job, reason: Reason) => this.settle(job, reason),
      tryAgain: (job: Job, reason: Reason, afterMs: number) => this.#returnUnproved(job, reason, afterMs),
    };
    this.#prover = new CatchAllProver(probeServices);
    this.#control = new RefusalControl(probeServices);
  }

  /** Begins the check of an address; the client receives the verdict. */
  submit(email: string, client: Client, item: unknown): void {
    startCheck(email, client, item, this);
  }

  /** Forgets the work of cancelled clients and closes the connections that served only them. */
  dropCancelled(): void {
    this.#pools.dropCancelled();
    for (const { hosts } of this.#domains) {
      for (const { proof, controlProbe } of hosts) {
        this.#prover.probe.dropCancelled(proof);
        this.#control.probe.dropCancelled(controlProbe);
      }
    }
    for (const streaks of this.#held.values()) {
      for (const streak of streaks) this.#probeOf(streak).dropCancelled(streak.question);
    }
  }

  isMoreComing(): boolean {
    return this.#settings.isMoreComing();
  }

  /** A stream has filled its window, or waits for its source. */
  onFilled(): void {
    this.#pools.onFilled();
  }

  /** A stream has ended: closes the idle connections that only it needed. */
  onInputDone(): void {
    if (!this.#settings.mayRest()) this.#pools.closeIdle();
  }

  /** Drops every connection and every plan at once. */
  abort(): void {
    this.#forgetPlans();
    this.#pools.abort();
  }

  /** Quits every connection; resolves when the last one is gone. */
  async close(): Promise<void> {
    this.#forgetPlans();
    await this.#pools.close();
    await this.#settings.governor.close();
  }

  #forgetPlans(): void {
    this.#agenda.clear();
    this.#settings.resolver.close();
    this.#domains.clear();
  }

  domainOf(name: string): MailDomain {
    return this.#domains.named(name);
  }

  refuse(client: Client, item: unknown, address: RefusedAddress): void {
    client.onBadSyntax(item, address);
  }

  findRoute(job: Job): void {
    this.#domains.findRoute(job, this.#onRouted);
  }

  readonly #onRouted = (job: Job): void => {
    job.isRouted = true;
    takeNextStep(job, this);
  };

  ownerRefusal({ domain }: Job): EvidenceStage | undefined {
    return this.#wishes.refusalOf(domain);
  }

  decline(job: Job, stage: EvidenceStage): void {
    job.addFailure('owner_declined', stage);
    this.settle(job, 'owner_declined');
  }

  admit(pool: JobPlace, jobs: Job[]): Job[] {
    return this.#wishes.admit(pool, jobs);
  }

  mayStillAsk({ domain }: Job): boolean {
    return this.#wishes.isCurrent(domain);
  }

  onOwnerStops({ domain }: Job, stop: Pick<OwnerStop, 'host' | 'words'>): void {
    this.#wishes.noteStop(domain, stop);
  }

  #deferUncounted(job: Job, stage: EvidenceStage): void {
    const found: ReplyClass = { meaning: 'ask_later', reason: 'owner_declined', rule: ownerRule };
    if (job.probe) {
      answerProbe(job, job.probe, found, stage);
      return;
    }
    job.evidence = [job.domain.dnsStage, stage];
    this.askLater(job, found);
  }

  /** Queues the job at its host. The host's addresses are looked up once for all jobs that wait for them. */
  askHost(job: Job, host: string): void {
    const { domain, hostRank } = job;
    const pool = domain.pools[hostRank];
    if (Array.isArray(pool)) pool.push(job);
    else if (pool !== undefined) pool.add(job);
    else {
      const waiting = [job];
      domain.pools[hostRank] = waiting;
      void this.#findPool(job, host, waiting);
    }
  }

  /** For the first of the waiting jobs and all that join it. */
  async #findPool(first: Job, host: string, waiting: readonly Job[]): Promise<void> {
    const { domain, hostRank: rank } = first;
    const { resolver, facts } = this.#settings;
    const [addresses, acceptedAt, silentAt] = await Promise.all([
      findHostAddresses(host, resolver.askedBy(first.client.customer)),
      ignoreStoreFailure(() => facts.findAcceptance(host)),
      ignoreStoreFailure(() => facts.findSilence(host)),
    ]);
    // The MX records may have expired meanwhile. The next jobs then look up the hosts of the new ones.
    const isCurrent = domain.pools[rank] === waiting;
    if (addresses.kind === 'addresses') {
      const pool = this.#pools.poolOf(host, addresses.ips);
      if (isCurrent) domain.pools[rank] = pool;
      pool.acceptedAt = Math.max(pool.acceptedAt, acceptedAt ?? 0);
      if (silentAt !== undefined && silentAt > pool.acceptedAt) pool.noteSilence(silentAt);
      // The addresses may expire before the MX records do; the next lookup asks for both.
      if (isCurrent && domain.route !== undefined)
        domain.route.expiresAt = Math.min(domain.route.expiresAt, addresses.expiresAt);
      for (const job of waiting) pool.add(job);
      return;
    }
    if (isCurrent) domain.pools[rank] = undefined;
    if (addresses.isResolverAway) {
      const stage: EvidenceStage = { stage: 'dns', host, note: resolverAwayNote, rule: resolverAway.rule };
      for (const job of waiting) {
        job.evidence = [job.domain.dnsStage, stage];
        this.askLater(job, resolverAway);
      }
      return;
    }
    const isMissing = addresses.kind === 'none';
    const reason: Reason = addresses.kind === 'none' ? 'no_mail_host' : addresses.kind;
    const note = isMissing ? 'no address' : addresses.kind;
    for (const job of waiting) this.onHostFailed(job, reason, { stage: 'dns', host, note });
  }

  onAccepted(pool: JobPlace, job: Job, session: JobSession, code: number, text: string): void {
    job.connection = session;
    if (!job.client.wantsEvidence) {
      this.#answer(job, pool, plainYes, unrecorded);
      return;
    }
    const stage: EvidenceStage = {
      stage: job.probe?.stage ?? 'rcpt',
      host: pool.name,
      ip: session.ip,
      reply: quoteReply(code, text),
      ms: session.readAt - session.askedAt,
      rule: plainYes.rule,
    };
    if (job.probe) job.probe.onAnswer(job, plainYes, stage);
    else this.#answer(job, pool, plainYes, evidenceOf(job, session.evidence, stage));
  }

  onReply(pool: JobPlace, job: Job, found: ReplyClass, stage: EvidenceStage, session: JobSession): void {
    job.connection = session;
    if (job.probe) {
      answerProbe(job, job.probe, found, stage);
      return;
    }
    const evidence = job.client.wantsEvidence ? evidenceOf(job, session.evidence, stage) : unrecorded;
    this.#answer(job, pool, found, evidence);
  }

  onNameUnsupported(job: Job, session: JobSession): void {
    const { host } = session.target;
    const stage: EvidenceStage = { stage: 'rcpt', host, ip: session.ip, note: 'SMTPUTF8 not offered' };
    // Another host of the domain may take such names, or may only be away.
    this.onHostFailed(job, 'mailbox_name_not_supported', stage);
  }

  #answer(job: Job, pool: JobPlace, answer: ReplyClass, evidence: EvidenceStage[]): void {
    job.answer = answer;
    job.answeredBy = pool;
    job.evidence = evidence;
    if (answer.meaning === 'accepted' || answer.meaning === 'refused') this.#unread.push(job);
    else takeNextStep(job, this);
  }

  onTransactionOver(session: JobSession, domain: MailDomain): void {
    this.#completed.push({ session, domain });
  }

  onRead(): void {
    const jobs = this.#unread;
    const completed = this.#completed;
    if (jobs.length > 0) {
      this.#unread = [];
      const confirmed = new Set<JobStreak>();
      for (const job of jobs) this.#noteAnswer(job, confirmed);
      for (const job of jobs) takeNextStep(job, this);
      for (const streak of confirmed) this.#probeOf(streak).release(streak.question);
    }
    if (completed.length > 0) {
      this.#completed = [];
      for (const { session, domain } of completed) this.#checkStreak(session, domain);
    }
  }

  /** Adds an answer to its streak, which ends a streak of the other kind and confirms that. */
  #noteAnswer(job: Job, confirmed: Set<JobStreak>): void {
    const { domain, answer, answeredBy, connection } = job;
    if (answeredBy === undefined || connection === undefined) return;
    const isAccepted = answer?.meaning === 'accepted';
    const last = domain.streaks.latestOn(connection);
    job.streak = domain.streaks.add(connection, isAccepted ? 'accepted' : 'refused', this.#now());
    if (last?.isConfirmed && last.hasWaiting) confirmed.add(last);
    if (isAccepted) this.#control.onAccepted(job, answeredBy);
    else this.#prover.onRefused(job);
  }

  /** A transaction is complete: asks the connection for a name whose answer we know, if addresses wait for that. */
  #checkStreak(session: JobSession, domain: MailDomain): void {
    const streak = domain.streaks.latestOn(session);
    if (streak === undefined) return;
    streak.isTransactionOver = true;
    if (!streak.hasWaiting) return;
    if (streak.isConfirmed) this.#probeOf(streak).release(streak.question);
    else this.#probeOf(streak).askConnection(streak);
  }

  onConnectionGone(session: JobSession): void {
    const streaks = this.#held.get(session);
    this.#held.delete(session);
    for (const streak of streaks ?? []) this.#probeOf(streak).onConnectionGone(streak);
  }

  #probeOf({ kind }: JobStreak): DomainProbe {
    return kind === 'accepted' ? this.#prover.probe : this.#control.probe;
  }

  /** Remembers where addresses may wait for a connection, until it is gone. */
  #noteHeld({ streak }: Job): void {
    if (streak === undefined || !streak.hasWaiting || streak.connection.isLeaving) return;
    const held = this.#held.get(streak.connection) ?? new Set();
    // A connection may serve millions of addresses, and few streaks at a time.
    if (!held.has(streak)) for (const other of held) if (!other.hasWaiting) held.delete(other);
    this.#held.set(streak.connection, held.add(streak));
  }

  onHostFailed(job: Job, reason: Reason, stage: EvidenceStage): void {
    job.addFailure(reason, stage);
    // Only the host that gave an answer can confirm it.
    if (job.probe) {
      this.settle(job, reason);
      return;
    }
    if (job.firstFailedAt === 0) job.firstFailedAt = this.#now();
    if (this.#hasNextHost(job) && !this.#mayAskNextHost(job)) {
      this.settle(job, judgeFailures(job.failures, { hasUnaskedHosts: true }));
      return;
    }
    job.hostRank += 1;
    job.lostCount = 0;
    job.transaction = undefined;
    takeNextStep(job, this);
  }

  onHostSilent(host: string): void {
    void ignoreStoreFailure(() => this.#settings.facts.saveSilence(host, this.#now()));
  }

  deferUnasked(pool: JobPlace, job: Job, cause: UnaskedCause, stage: EvidenceStage): void {
    const found: ReplyClass = { meaning: 'ask_later', reason: 'connection_timeout', rule: cause };
    if (job.probe) answerProbe(job, job.probe, found, stage);
    else this.#answer(job, pool, found, evidenceOf(job, { ...stage, rule: cause }));
  }

  waitsUntil(job: Job, time: number, isRepeated: boolean): boolean {
    const now = this.#now();
    if (job.deferralCount >= attemptsMax) return false;
    if (isRepeated && this.#mayAskNextHost(job)) return false;
    if (job.client.deferrals === 'return') return !isRepeated && time - now <= restWorthReturningMs;
    if (job.giveUpAt === 0) job.giveUpAt = now + job.client.patienceMs;
    return time <= job.giveUpAt;
  }

  onHeldOff(job: Job, found: ReplyClass, afterMs: number, stage: EvidenceStage): void {
    if (job.probe && job.streak === undefined) {
      // The addresses that wait for the answer come back when the host has rested. What the host said was about the rest,
      // and must not count as its answer.
      const retryAfterMs = Math.max(afterMs, found.retryAfterMs ?? 0);
      const rest: ReplyClass = { ...found, meaning: 'slow_down', ...(retryAfterMs > 0 && { retryAfterMs }) };
      answerProbe(job, job.probe, rest, stage);
    } else if (job.probe || (found.rule !== ownLimitRule && this.#mayAskNextHost(job))) {
      // Another host of the domain must not be a way around our own limit.
      this.onHostFailed(job, found.reason, stage);
    } else if (job.client.deferrals === 'return')
      this.#tryAgain(job, found.reason, afterMs, evidenceOf(job, stage));
    else {
      job.addFailure(found.reason, stage);
      this.settle(job, found.reason);
    }
  }

  /** A question of our own stays at the host that it is about. */
  #mayAskNextHost(job: Job): boolean {
    if (job.probe || !this.#hasNextHost(job)) return false;
    return job.firstFailedAt === 0 || this.#now() - job.firstFailedAt <= nextHostWithinMs;
  }

  #hasNextHost(job: Job): boolean {
    const { route } = job.domain;
    return route?.kind === 'hosts' && job.hostRank + 1 < route.hosts.length;
  }

  /** Asks again when the host says, as long as the client is patient. */
  askLater(job: Job, answer: ReplyClass): void {
    job.deferralCount += 1;
    if (job.client.deferrals === 'return') {
      this.#tryAgain(job, answer.reason, answer.retryAfterMs, this.#evidenceOf(job));
      return;
    }
    const now = this.#now();
    if (job.giveUpAt === 0) job.giveUpAt = now + job.client.patienceMs;
    const delayMs = deferralDelay(job.deferralCount, answer.retryAfterMs, job.giveUpAt - now);
    if (delayMs === undefined || job.deferralCount >= attemptsMax) {
      this.settle(job, answer.reason);
      return;
    }
    job.client.onParked(1);
    this.#agenda.at(now + delayMs, () => {
      job.client.onParked(-1);
      job.startOver();
      takeNextStep(job, this);
    });
  }

  catchAllOf(job: Job): CatchAllKnowledge {
    return this.#prover.knowledgeOf(job);
  }

  proveCatchAll(job: Job): void {
    this.#prover.prove(job);
    this.#noteHeld(job);
  }

  refusalOf(job: Job, refusal: ReplyClass): RefusalKnowledge {
    return this.#control.knowledgeOf(job, refusal);
  }

  controlRefusal(job: Job): void {
    this.#control.control(job);
    this.#noteHeld(job);
  }

  settle(job: Job, reason: Reason): void {
    if (job.probe) {
      const stage = job.failures.at(-1)?.stage ?? { stage: job.probe.stage };
      job.probe.onAnswer(job, { meaning: 'no_answer', reason, rule: 'host-failed' }, stage);
    } else if (!job.client.isCancelled) job.client.onVerdict(job, reason, this.#evidenceOf(job));
  }

  /** Returns the job to its caller: for as long as the host says, and longer after each deferral, but not forever. */
  #tryAgain(job: Job, reason: Reason, namedMs: number | undefined, evidence: EvidenceStage[]): void {
    const { client, deferralCount } = job;
    if (client.isCancelled) return;
    if (deferralCount >= attemptsMax) {
      client.onVerdict(job, reason, evidence);
      return;
    }
    // A job that only waited in the queue was not deferred: it comes back when the host has rested.
    const wasDeferred = deferralCount > client.deferralCount || namedMs === undefined;
    client.onTryAgain(job, reason, wasDeferred ? deferralDelay(deferralCount, namedMs) : namedMs, evidence);
  }

  /**
   * Returns a job whose answer waits for a question of our own that the host deferred. The host did not defer the address
   * this time, so the wait is that of one attempt less.
   */
  #returnUnproved(job: Job, reason: Reason, afterMs: number): void {
    job.deferralCount += 1;
    const waitMs = deferralDelay(Math.max(job.deferralCount - 1, 1), afterMs);
    if (job.client.isCancelled) return;
    if (job.deferralCount >= attemptsMax) job.client.onVerdict(job, reason, this.#evidenceOf(job));
    else job.client.onTryAgain(job, reason, waitMs, this.#evidenceOf(job));
  }

  /** What the host said, with the proof if it accepted; or what went wrong at all hosts. */
  #evidenceOf(job: Job): EvidenceStage[] {
    const { client, domain, answer, evidence, failures } = job;
    if (evidence === undefined) return [domain.dnsStage, ...failures.map((failure) => failure.stage)];
    if (!client.wantsEvidence || answer === undefined) return evidence;
    const state = probeOf(job, answer.meaning);
    return state?.stage === undefined ? evidence : [...evidence, job.ownStage(state.stage)];
  }

  #now(): number {
    return this.#settings.session.clock.now();
  }
}

const evidenceOf = (job: Job, ...stages: EvidenceStage[]): EvidenceStage[] => [
  job.domain.dnsStage,
  ...stages.map((stage) => job.ownStage(stage)),
];

/** The question of our own that confirms an answer. */
function probeOf({ domainHost }: Job, meaning: ReplyClass['meaning']): JobProbe | undefined {
  if (meaning === 'accepted') return domainHost.proof;
  return meaning === 'refused' ? domainHost.controlProbe : undefined;
}

function answerProbe(
  job: Job,
  probe: NonNullable<Job['probe']>,
  found: ReplyClass,
  stage: EvidenceStage,
): void {
  probe.onAnswer(job, found, { ...stage, stage: probe.stage });
}
