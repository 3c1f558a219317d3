import type { ParsedAddress, RefusedAddress } from '../../address/parse-address.ts';
import type { Door } from '../../conduct/owner-doors.ts';
import type { QuestionBill } from '../../conduct/question-bill.ts';
import type { MailRoute } from '../../dns/mail-route.ts';
import type { EvidenceStage } from '../../evidence.ts';
import type { CatchAllFact, ControlFact } from '../../fact-store.ts';
import type { ReplyClass } from '../../judgement/classify-reply.ts';
import { isSilence, type Reason } from '../../judgement/reasons.ts';
import type { Question, Session } from '../../smtp/session-types.ts';
import { type AnswerStreak, AnswerStreaks } from './answer-streak.ts';
import { newProbeState, type ProbeState } from './probe-state.ts';

/** Receives the verdicts of its jobs, and says how long they may take. */
export interface Client {
  /** The client needs no more answers. */
  isCancelled: boolean;
  /** How long we may ask again about an address that its host defers. */
  readonly patienceMs: number;
  /** Whether to wait for hosts that defer us, or to return the address with a time to try again. */
  readonly deferrals: 'wait' | 'return';
  /** Without evidence a large list is a little faster. */
  readonly wantsEvidence: boolean;
  /** Goes before others at its host: a person waits for it. */
  readonly isUrgent: boolean;
  /** How often hosts deferred these addresses before. */
  readonly deferralCount: number;
  /** Whom the work is for: customers share hosts and connections fairly. */
  readonly customer: string;
  /** Where the questions are counted, if the caller wants to know. */
  readonly bill: QuestionBill | undefined;
  onBadSyntax(item: unknown, address: RefusedAddress): void;
  onVerdict(job: Job, reason: Reason, evidence: EvidenceStage[]): void;
  onTryAgain(job: Job, reason: Reason, afterMs: number, evidence: EvidenceStage[]): void;
  /** A job starts (1) or stops (-1) waiting for a certain time. */
  onParked(change: 1 | -1): void;
}

interface HostFailure {
  readonly reason: Reason;
  readonly stage: EvidenceStage;
}

const noFailures: readonly HostFailure[] = [];

/** Recipients that were asked about together. */
export interface Transaction {
  readonly askedAt: number;
  readonly size: number;
  /** How many of them have no answer yet. */
  openCount: number;
}

/** A question at the end of a transaction of this size costs little. */
const longTransactionSize = 8;
export const isLong = (transaction: Transaction | undefined): boolean =>
  transaction !== undefined && transaction.size >= longTransactionSize;

/** Asks a question of our own and takes its answer. */
export interface Probe {
  readonly stage: 'proof' | 'control';
  onAnswer(job: Job, found: ReplyClass, stage: EvidenceStage): void;
}

/** One address on its way to a verdict, or a name that we ask for on our own account. */
export class Job implements Question {
  /** As the caller wrote it; empty for a proof. */
  readonly email: string;
  readonly mailbox: string;
  readonly needsUtf8: boolean;
  readonly client: Client;
  readonly domain: MailDomain;
  /** What the caller gave, to hand back with the finding. */
  readonly item: unknown;
  /** For a question of our own: who wants the answer. */
  readonly probe: Probe | undefined;
  /** Whether the domain's route was looked up for this job; it may have expired since. */
  isRouted = false;
  /** Which of the domain's hosts to ask, by preference. */
  hostRank = 0;
  /** Conversations at this host that ended without an answer. */
  lostCount = 0;
  /** How often a host deferred this address, in all jobs of the caller. */
  deferralCount: number;
  /** When patience ends; it starts with the first deferral. */
  giveUpAt = 0;
  /** What went wrong at the hosts that we asked before. */
  failures: readonly HostFailure[] = noFailures;
  /** When the first host failed since the route was looked up; 0 if none has. */
  firstFailedAt = 0;
  /** What the host said, which pool asked it, and the evidence. */
  answer: ReplyClass | undefined;
  answeredBy: JobPlace | undefined;
  /** The connection that answered, and its answers of the same kind in a row. */
  connection: JobSession | undefined;
  /** A question of our own that has a streak from the start may be asked only on the connection of the streak. */
  streak: JobStreak | undefined;
  transaction: Transaction | undefined;
  /** How often we asked again because the connection was gone before its answers were confirmed. */
  repeatCount = 0;
  /** How many controls on other connections it has waited for. */
  soleControlCount = 0;
  evidence: EvidenceStage[] | undefined;

  // Keeps only the needed parts of an address: there are many jobs at a time.
  constructor(
    address: Pick<ParsedAddress, 'email' | 'mailbox' | 'needsUtf8'>,
    client: Client,
    domain: MailDomain,
    item: unknown,
    probe?: Probe,
  ) {
    this.email = address.email;
    this.mailbox = address.mailbox;
    this.needsUtf8 = address.needsUtf8;
    this.client = client;
    this.domain = domain;
    this.item = item;
    this.probe = probe;
    this.deferralCount = client.deferralCount;
  }

  addFailure(reason: Reason, stage: EvidenceStage): void {
    const known = stage.reason === reason ? stage : { ...stage, reason };
    this.failures = [...this.failures, { reason, stage: this.ownStage(known) }];
  }

  /**
   * The stage with the host's name in the MX records of this job's domain. A host has one pool for all its names, and a
   * customer must not learn the names of another customer's domains.
   */
  ownStage(stage: EvidenceStage): EvidenceStage {
    const { route } = this.domain;
    const host = route?.kind === 'hosts' ? route.hosts[this.hostRank] : undefined;
    if (host === undefined || stage.host === undefined || stage.host === host) return stage;
    return { ...stage, host };
  }

  /** Forgets the answer, to ask again from the route on. */
  startOver(): void {
    this.isRouted = false;
    this.firstFailedAt = 0;
    this.answer = undefined;
    this.answeredBy = undefined;
    this.connection = undefined;
    this.streak = undefined;
    this.evidence = undefined;
  }

  /** Forgets an answer that nothing can confirm any more. */
  repeat(): void {
    this.startOver();
    this.repeatCount += 1;
  }

  /** Whether a host of the domain stayed silent. */
  get hasMetSilence(): boolean {
    return this.failures.some(({ reason }) => isSilence(reason));
  }

  get local(): string {
    return localPartOf(this.mailbox);
  }

  /** What we know about the host that answers this job. */
  get domainHost(): DomainHost {
    return this.domain.hostAt(this.hostRank);
  }
}

export const localPartOf = (mailbox: string): string => mailbox.slice(0, mailbox.lastIndexOf('@'));

export type JobSession = Session<Job>;

export type JobStreak = AnswerStreak<JobSession, Job>;

/** A question of our own that jobs wait for. */
export type JobProbe = ProbeState<Job>;

/** Where jobs wait: the pool of a mail host. */
export interface JobPlace {
  readonly name: string;
  /** When the host last accepted a mailbox; 0 if that is not known. */
  acceptedAt: number;
  add(job: Job): void;
  /** Whether the host takes one more question on this connection. */
  hasRoomForControl(connection: JobSession): boolean;
}

/** A mailbox whose answer we know. */
export interface Witness {
  readonly mailbox: string;
  readonly askedAt: number;
}

/** What was true of a mailbox longer ago may have changed by now. */
const witnessAgeMaxMs = 600_000;

/** The mailbox of a witness that is young enough. */
export function recall(witness: Witness | undefined, now: number): string | undefined {
  return witness !== undefined && now - witness.askedAt < witnessAgeMaxMs ? witness.mailbox : undefined;
}

/** The witness, or this mailbox instead of one that is too old. */
export function renewWitness(witness: Witness | undefined, job: Job, now: number): Witness | undefined {
  if (job.needsUtf8 || recall(witness, now) !== undefined) return witness;
  return { mailbox: copyOf(job.mailbox), askedAt: now };
}

/** V8 keeps the whole text alive for a slice of it; a name must not keep the piece of the list that it came from. */
export const copyOf = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

/** What we know about one domain while its addresses are under way. */
export class MailDomain {
  readonly name: string;
  isDisposable = false;
  isFreeProvider = false;
  /** A provider's domain or another ordinary one: never disposable, whatever hosts it uses. */
  isOrdinary = false;
  /** The domain that the customer probably meant, when this one looks like a typo. */
  suggestion: string | undefined;
  /** Who runs its mail host. */
  mxProvider: string | undefined;
  route: MailRoute | undefined;
  /** What its owner wants of us. */
  door: Door | undefined;
  dnsStage: EvidenceStage = { stage: 'dns' };
  /** Jobs that wait for the lookup of the route. */
  waitingForRoute: Job[] | undefined;
  /** By rank of the host: its pool once its addresses are known, or the jobs that wait for them. */
  readonly pools: (JobPlace | Job[] | undefined)[] = [];
  readonly streaks = new AnswerStreaks<JobSession, Job>();
  /** By rank. */
  readonly hosts: DomainHost[] = [];

  constructor(name: string) {
    this.name = name;
  }

  hostAt(rank: number): DomainHost {
    while (this.hosts.length <= rank) this.hosts.push(new DomainHost());
    return this.hosts[rank] as DomainHost;
  }

  /** A new route may have other backup hosts. */
  forgetBackupHosts(): void {
    for (const host of this.hosts.slice(1)) host.forget();
  }

  /** Whether addresses wait for a question of our own. */
  get isProbed(): boolean {
    return this.hosts.some(({ proof, controlProbe }) => proof.isUnderWay || controlProbe.isUnderWay);
  }
}

const changedForMs = 3_600_000;

/**
 * What one host has shown about the mailboxes of one domain. It counts for this host only: a backup host may accept or refuse
 * everyone where the first host does not, or the other way round.
 */
export class DomainHost {
  /** Whether it accepts any name. */
  catchAll: CatchAllFact | undefined;
  /** Accepted addresses that wait for the proof of catch-all. */
  readonly proof: JobProbe = newProbeState();

  /** How it answered for the postmaster. */
  control: ControlFact | undefined;
  /** Refused addresses that wait for the control. */
  readonly controlProbe: JobProbe = newProbeState();
  /** The latest control that was the only question of its connection, and that the host accepted. */
  soleControl: { readonly askedAt: number; readonly answeredBy: JobPlace } | undefined;
  /** Kinds of ambiguous refusals that a control has confirmed, and when. */
  readonly confirmedKinds = new Map<string, number>();
  /** When it accepted a mailbox. */
  acceptedAt: number | undefined;
  /** Mailboxes that it accepted and refused a moment ago; never stored. */
  acceptedWitness: Witness | undefined;
  refusedWitness: Witness | undefined;
  #changedAt: number | undefined;

  /** A control has shown that it changed its answers. */
  noteChange(now: number): void {
    this.#changedAt = now;
  }

  hasChanged(now: number): boolean {
    return this.#changedAt !== undefined && now - this.#changedAt < changedForMs;
  }

  /** Forgets all but the addresses that wait, and that it changed its answers: it may be the same host as before. */
  forget(): void {
    this.catchAll = undefined;
    this.control = undefined;
    this.soleControl = undefined;
    this.confirmedKinds.clear();
    this.acceptedAt = undefined;
    this.acceptedWitness = undefined;
    this.refusedWitness = undefined;
  }
}
