import { type ControlFact, type FactStore, ignoreStoreFailure, isRecent } from '../../fact-store.ts';
import type { ReplyClass } from '../../judgement/classify-reply.ts';
import { isOfLivingMailbox, isRefusedAsMailbox, type RefusalKnowledge } from '../../judgement/judge.ts';
import { hasSameWords } from '../../judgement/same-words.ts';
import {
  isLong,
  type Job,
  type JobPlace,
  type JobProbe,
  localPartOf,
  recall,
  renewWitness,
} from '../jobs/job.ts';
import { DomainProbe, type ProbePlan, type ProbeServices } from './domain-probe.ts';
import { isAtMicrosoftEdge } from './microsoft-edge.ts';

export interface ControlServices extends ProbeServices {
  facts: FactStore;
}

/** How old a remembered acceptance may become before it is remembered anew. */
const acceptanceRefreshMs = 3_600_000;
const postmaster = 'postmaster';
/** A control by postmaster needs this many times as many refusals in a row as one by a mailbox that the host has accepted. */
const postmasterPrice = 2;
/** How many kinds of ambiguous refusals of a domain are remembered. */
const confirmedKindsMax = 16;
/** How many controls on other connections an address waits for. */
const soleControlsMax = 4;

/**
 * Finds out whether a refusal says anything about the mailbox. A host that accepted a mailbox lately tells mailboxes
 * apart. Otherwise its domain is asked once a day for `postmaster`, which every host must have (RFC 5321 §4.5.1): a host
 * that refuses it in the same words refuses everyone. See docs/decisions/verifier-refusals-need-a-control.md.
 */
export class RefusalControl implements ProbePlan {
  readonly stage = 'control';
  readonly unanswered = 'refusal_unproved';
  readonly probe: DomainProbe;
  readonly #services: ControlServices;

  constructor(services: ControlServices) {
    this.#services = services;
    this.probe = new DomainProbe(services, this);
  }

  /** Remembers that a host accepted a mailbox, and when; the name only as long as the domain is under way. */
  onAccepted(job: Job, pool: JobPlace): void {
    const { domainHost } = job;
    const { clock, facts } = this.#services;
    const now = clock.now();
    domainHost.acceptedAt = now;
    domainHost.acceptedWitness = renewWitness(domainHost.acceptedWitness, job, now);
    if (now - pool.acceptedAt >= acceptanceRefreshMs) {
      void ignoreStoreFailure(() => facts.saveAcceptance(pool.name, now));
    }
    pool.acceptedAt = now;
    const { controlProbe } = domainHost;
    if (controlProbe.waiting.length === 0) return;
    for (const waiting of controlProbe.waiting) this.#noteConfirmed(waiting);
    // A job that waits for a control on another connection needs that control, and has a limited number of them.
    this.probe.releaseWhere(controlProbe, (waiting) => !this.#isInDoubt(waiting));
  }

  knowledgeOf(job: Job, answer: ReplyClass): RefusalKnowledge {
    const { domain, domainHost, answeredBy, hostRank } = job;
    const { clock } = this.#services;
    if (domainHost.hasChanged(clock.now())) return 'changed';
    if (isAtMicrosoftEdge(domain, hostRank, answer)) return 'confirmed';
    if (this.#isInDoubt(job)) return 'unproved';
    if (answer.isAmbiguous) return this.#knowledgeOfAmbiguous(job, answer);
    if (isRecent(domainHost.acceptedAt, clock) || isRecent(answeredBy?.acceptedAt, clock)) return 'confirmed';
    const control = this.#controlOf(job);
    if (control === undefined) return 'unproved';
    return isSameRefusal(job, answer, control) ? 'refuted' : 'confirmed';
  }

  /** The host may have begun to refuse us in these words, so only a control that came after them confirms them. */
  #knowledgeOfAmbiguous(job: Job, answer: ReplyClass): RefusalKnowledge {
    if (isRecent(job.domainHost.confirmedKinds.get(kindOf(answer)), this.#services.clock)) return 'confirmed';
    const control = this.#controlOf(job);
    if (control === undefined) return 'unproved';
    if (isSameRefusal(job, answer, control)) return 'refuted';
    return isUseful(control) ? 'unproved' : 'unprovable';
  }

  #noteConfirmed({ answer, domainHost: { confirmedKinds } }: Job): void {
    if (!answer?.isAmbiguous) return;
    if (confirmedKinds.size >= confirmedKindsMax) confirmedKinds.clear();
    confirmedKinds.set(kindOf(answer), this.#services.clock.now());
  }

  #controlOf({ domainHost: { control } }: Job): ControlFact | undefined {
    return isRecent(control?.askedAt, this.#services.clock) ? control : undefined;
  }

  stateOf({ domainHost }: Job) {
    return domainHost.controlProbe;
  }

  /** Whether the connection may have begun to refuse everyone, and we know a mailbox that the host accepted. */
  #isInDoubt(job: Job): boolean {
    const { domain, streak, transaction } = job;
    if (streak === undefined || streak.isConfirmed || this.#isConfirmedElsewhere(job)) return false;
    const hasWitness = this.#witnessOf(job) !== undefined;
    if (!hasWitness && !this.#hasPostmaster(job)) return false;
    return isLong(transaction) || domain.streaks.isTooLong(streak, hasWitness ? 1 : postmasterPrice);
  }

  /**
   * Some hosts take one recipient per connection, so a connection cannot show that its answer is right. Another one can if
   * it was opened for nothing but the control: a host that changes its answers after some recipients treats both alike.
   */
  #isConfirmedElsewhere({ domainHost, streak, answeredBy }: Job): boolean {
    const control = domainHost.soleControl;
    if (streak === undefined || control === undefined || control.answeredBy !== answeredBy) return false;
    return streak.connection.askedCount === 1 && streak.latestAt < control.askedAt;
  }

  /** Lets a refused job wait for a control: on its connection, or on another one if that was its only question. */
  control(job: Job): void {
    const { streak, answeredBy } = job;
    if (streak === undefined || !this.#isInDoubt(job)) this.probe.wait(job);
    else if (streak.connection.askedCount === 1 && !answeredBy?.hasRoomForControl(streak.connection))
      this.#controlElsewhere(job);
    else this.probe.hold(job, streak);
  }

  /** A control that was asked before the answer arrived does not count, so a job may need several, but not forever. */
  #controlElsewhere(job: Job): void {
    job.soleControlCount += 1;
    if (job.soleControlCount > soleControlsMax) this.#services.settle(job, this.unanswered);
    else this.probe.wait(job);
  }

  #hasPostmaster(job: Job): boolean {
    const control = this.#controlOf(job);
    return control !== undefined && control.words === undefined;
  }

  #witnessOf({ domainHost }: Job): string | undefined {
    return recall(domainHost.acceptedWitness, this.#services.clock.now());
  }

  namesFor(job: Job): string[] {
    const witness = this.#witnessOf(job);
    return [witness === undefined ? postmaster : localPartOf(witness)];
  }

  judge(probe: Job, { questions, waiting }: JobProbe): boolean {
    const answer = questions[0]?.answer;
    // The host wants to be asked again, or went away before it answered.
    const isAnswer =
      answer !== undefined &&
      answer.meaning !== 'ask_later' &&
      answer.meaning !== 'slow_down' &&
      answer.rule !== 'host-failed';
    if (!isAnswer) return false;
    if (probe.local !== postmaster) return this.#noteWitness(probe, answer, waiting);
    this.#notePostmaster(probe, answer, waiting);
    return true;
  }

  #notePostmaster(probe: Job, answer: ReplyClass, waiting: readonly Job[]): void {
    const { domain, domainHost, hostRank, connection } = probe;
    const { clock, facts } = this.#services;
    const wasAccepted = this.#hasPostmaster(probe);
    const words = answer.meaning === 'accepted' ? undefined : answer.words;
    const control = { askedAt: clock.now(), ...(words !== undefined && { words }) };
    domainHost.control = control;
    this.#noteKinds(control, waiting);
    if (answer.meaning === 'accepted') domain.streaks.confirm(connection, 'refused');
    else if (answer.meaning === 'refused' && wasAccepted) domainHost.noteChange(clock.now());
    // What a backup host says is used while the first host is away, and not remembered for a day.
    if (hostRank === 0) void ignoreStoreFailure(() => facts.saveControl(domain.name, control));
  }

  /** Remembers the kinds of the refusals that waited for this control, as far as it confirms them. */
  #noteKinds(control: ControlFact, waiting: readonly Job[]): void {
    if (!isUseful(control)) return;
    for (const job of waiting) {
      if (job.answer !== undefined && !isSameRefusal(job, job.answer, control)) this.#noteConfirmed(job);
    }
  }

  /** The host accepted this mailbox a moment ago. If it refuses it now, its refusals since then prove nothing. */
  #noteWitness(probe: Job, answer: ReplyClass, waiting: readonly Job[]): boolean {
    const { domain, domainHost, connection, transaction } = probe;
    const now = this.#services.clock.now();
    if (answer.meaning === 'refused') domainHost.noteChange(now);
    else if (answer.meaning === 'accepted' || isOfLivingMailbox(answer.reason)) {
      domain.streaks.confirm(connection, 'refused');
      if (connection?.askedCount === 1 && transaction !== undefined) {
        domainHost.soleControl = { askedAt: transaction.askedAt, answeredBy: probe.item as JobPlace };
      }
      for (const job of waiting) this.#noteConfirmed(job);
    } else return false;
    return true;
  }
}

/** Refusals of one kind have the same code and are read by the same rule. */
const kindOf = ({ words, rule }: ReplyClass): string => words?.split(' ', 3).join(' ') ?? rule;

/** Whether postmaster was accepted, or refused as a mailbox. */
const isUseful = ({ words }: ControlFact): boolean => words === undefined || isRefusedAsMailbox(words);

function isSameRefusal(job: Job, { words }: ReplyClass, control: ControlFact): boolean {
  if (control.words === undefined || words === undefined) return false;
  return hasSameWords(words, job.local, control.words, postmaster);
}
