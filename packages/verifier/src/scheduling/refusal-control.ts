import { type FactStore, ignoreStoreFailure, isRecent } from '../fact-store.ts';
import type { ReplyClass } from '../judgement/classify-reply.ts';
import type { RefusalKnowledge } from '../judgement/judge.ts';
import { hasSameWords } from '../judgement/same-words.ts';
import { DomainProbe, type ProbePlan, type ProbeServices } from './domain-probe.ts';
import { type Job, type JobPlace, localPartOf, type MailDomain, recall, renewWitness } from './job.ts';
import { isAtMicrosoftEdge } from './microsoft-edge.ts';

export interface ControlServices extends ProbeServices {
  facts: FactStore;
}

/** How old a remembered acceptance may become before it is remembered anew. */
const acceptanceRefreshMs = 3_600_000;
const postmaster = 'postmaster';

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
    const { domain } = job;
    const { clock, facts } = this.#services;
    const now = clock.now();
    domain.acceptedAt = now;
    domain.acceptedWitness = renewWitness(domain.acceptedWitness, job, now);
    if (now - pool.acceptedAt >= acceptanceRefreshMs) {
      void ignoreStoreFailure(() => facts.saveAcceptance(pool.name, now));
    }
    pool.acceptedAt = now;
    if (domain.controlProbe.waiting.length > 0) this.probe.release(domain);
  }

  knowledgeOf(job: Job, answer: ReplyClass): RefusalKnowledge {
    const { domain, answeredBy } = job;
    const { clock } = this.#services;
    if (domain.streak.isRefuted(clock.now())) return 'changed';
    if (isAtMicrosoftEdge(domain, job.hostRank, answer)) return 'borne_out';
    if (this.#witnessOf(domain) !== undefined && domain.streak.isTooLong('refused')) return 'unproved';
    if (isRecent(domain.acceptedAt, clock)) return 'borne_out';
    if (!answer.isAmbiguous && isRecent(answeredBy?.acceptedAt, clock)) return 'borne_out';
    const { control } = domain;
    if (control === undefined || !isRecent(control.askedAt, clock)) return 'unproved';
    const isSame =
      control.words !== undefined &&
      answer.words !== undefined &&
      hasSameWords(answer.words, job.local, control.words, postmaster);
    return isSame ? 'refuted' : 'borne_out';
  }

  stateOf(domain: MailDomain) {
    return domain.controlProbe;
  }

  #witnessOf(domain: MailDomain): string | undefined {
    return recall(domain.acceptedWitness, this.#services.clock.now());
  }

  namesFor(domain: MailDomain): string[] {
    const witness = this.#witnessOf(domain);
    return [witness === undefined ? postmaster : localPartOf(witness)];
  }

  judge(domain: MailDomain, [answer]: readonly (ReplyClass | undefined)[], hostRank: number): boolean {
    // The host wants to be asked again, or went away before it answered.
    const isAnswer =
      answer !== undefined &&
      answer.meaning !== 'ask_later' &&
      answer.meaning !== 'slow_down' &&
      answer.rule !== 'host-failed';
    if (!isAnswer) return false;
    if (domain.controlProbe.questions[0]?.mailbox === domain.acceptedWitness?.mailbox) {
      return this.#noteWitness(domain, answer);
    }
    this.#notePostmaster(domain, answer, hostRank);
    return true;
  }

  #notePostmaster(domain: MailDomain, answer: ReplyClass, hostRank: number): void {
    const { clock, facts } = this.#services;
    const words = answer.meaning === 'accepted' ? undefined : answer.words;
    const control = { askedAt: clock.now(), ...(words !== undefined && { words }) };
    domain.control = control;
    // What a backup host says is used while the first host is away, and not remembered for a day.
    if (hostRank === 0) void ignoreStoreFailure(() => facts.saveControl(domain.name, control));
  }

  /** The host accepted this mailbox a moment ago. If it refuses it now, its refusals since then prove nothing. */
  #noteWitness(domain: MailDomain, answer: ReplyClass): boolean {
    const now = this.#services.clock.now();
    if (answer.meaning === 'refused') domain.streak.refute(now);
    else if (answer.meaning === 'accepted' || isOfLivingMailbox(answer)) domain.streak.confirm('refused');
    else return false;
    return true;
  }
}

const isOfLivingMailbox = ({ reason }: ReplyClass): boolean =>
  reason === 'mailbox_full' || reason === 'mailbox_busy' || reason === 'mailbox_restricted';
