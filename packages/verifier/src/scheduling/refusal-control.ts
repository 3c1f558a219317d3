import { type FactStore, ignoreStoreFailure, isRecent } from '../fact-store.ts';
import type { ReplyClass } from '../judgement/classify-reply.ts';
import type { RefusalKnowledge } from '../judgement/judge.ts';
import { hasSameWords } from '../judgement/same-words.ts';
import { DomainProbe, type ProbePlan, type ProbeServices } from './domain-probe.ts';
import { type Job, type JobPlace, localPartOf, type MailDomain } from './job.ts';

export interface ControlServices extends ProbeServices {
  facts: FactStore;
}

/** How old a remembered acceptance may become before it is remembered anew. */
const acceptanceRefreshMs = 3_600_000;
const microsoftEdge = '.mail.protection.outlook.com';
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
    if (!job.needsUtf8) domain.witness = job.mailbox;
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
    if (isAtMicrosoftEdge(job, answer)) return 'borne_out';
    const isWatched = domain.witness !== undefined && domain.streak.isTooLong('refused');
    if (isWatched) return 'unproved';
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

  namesFor({ witness }: MailDomain): string[] {
    return [witness === undefined ? postmaster : localPartOf(witness)];
  }

  judge(domain: MailDomain, [answer]: readonly (ReplyClass | undefined)[]): boolean {
    if (answer === undefined || answer.meaning === 'ask_later' || answer.meaning === 'slow_down')
      return false;
    // The host went away, so nothing was asked.
    if (answer.rule === 'host-failed') return false;
    if (domain.witness === undefined) this.#notePostmaster(domain, answer);
    else this.#noteWitness(domain, answer);
    return true;
  }

  #notePostmaster(domain: MailDomain, answer: ReplyClass): void {
    const { clock, facts } = this.#services;
    const words = answer.meaning === 'accepted' ? undefined : answer.words;
    const control = { askedAt: clock.now(), ...(words !== undefined && { words }) };
    domain.control = control;
    void ignoreStoreFailure(() => facts.saveControl(domain.name, control));
  }

  /** The host accepted this mailbox before. If it refuses it now, its refusals since then prove nothing. */
  #noteWitness(domain: MailDomain, answer: ReplyClass): void {
    const now = this.#services.clock.now();
    if (answer.meaning === 'accepted') {
      domain.acceptedAt = now;
      domain.streak.confirm('refused');
    } else domain.streak.refute(now);
  }
}

/** Its 'Access denied' means that the recipient does not exist, and many tenants have no postmaster. */
function isAtMicrosoftEdge({ domain: { route }, hostRank }: Job, { rule }: ReplyClass): boolean {
  if (rule !== 'microsoft-365-recipient' || route?.kind !== 'hosts') return false;
  return route.hosts[hostRank]?.endsWith(microsoftEdge) === true;
}
