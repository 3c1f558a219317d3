import type { Clock } from '../clock.ts';
import type { EvidenceStage } from '../evidence.ts';
import { type FactStore, isFresh } from '../fact-store.ts';
import type { ReplyClass } from '../judgement/classify-reply.ts';
import { judgeAccepted, judgeProof } from '../judgement/judge.ts';
import type { Reason } from '../judgement/reasons.ts';
import type { Agenda } from './agenda.ts';
import { deferralDelay } from './deferral.ts';
import { type Client, Job, type JobPlace, type MailDomain } from './job.ts';
import { inventMailboxName } from './proof-name.ts';

export interface ProverServices {
  clock: Clock;
  agenda: Agenda;
  facts: FactStore;
  settle(job: Job, reason: Reason, evidence: EvidenceStage[]): void;
  tryAgain(job: Job, reason: Reason, afterMs: number, evidence: EvidenceStage[]): void;
}

const restAfterNoAnswerMs = 60_000;

/**
 * Finds out, once per domain, whether it takes any name: after a real address was accepted, the same host is asked for
 * one that nobody has. Accepted addresses wait here for the outcome.
 */
export class CatchAllProver {
  readonly #services: ProverServices;

  constructor(services: ProverServices) {
    this.#services = services;
  }

  onAccepted(pool: JobPlace, job: Job, evidence: EvidenceStage[]): void {
    const { domain } = job;
    const fact = domain.catchAll;
    if (fact !== undefined && isFresh(fact, this.#services.clock)) {
      this.#settle(job, evidence, judgeAccepted(fact.isCatchAll ? 'yes' : 'no'));
      return;
    }
    domain.catchAll = undefined;
    job.acceptance = evidence;
    if (
      !domain.isProofUnderWay &&
      domain.nextProofAt > this.#services.clock.now() &&
      domain.waitingForProof.length === 0
    ) {
      // Asked a moment ago and told nothing: asking for every address would only annoy.
      this.#settleUnproved(job, domain.nextProofAt - this.#services.clock.now());
      return;
    }
    domain.waitingForProof.push(job);
    if (!domain.isProofUnderWay) this.#ask(pool, domain, job.hostRank);
  }

  #ask(pool: JobPlace, domain: MailDomain, hostRank: number): void {
    domain.isProofUnderWay = true;
    // The same name each time: to a greylister a new name is a new stranger.
    domain.proofMailbox ??= `${inventMailboxName()}@${domain.name}`;
    const address = { email: '', mailbox: domain.proofMailbox, needsUtf8: false };
    const proof = new Job(address, this.#clientOf(domain), domain, pool, true);
    proof.hostRank = hostRank;
    pool.add(proof);
  }

  /** The proof is wanted as long as any of the addresses that wait for it is. */
  #clientOf(domain: MailDomain): Client {
    return {
      get isCancelled() {
        return domain.waitingForProof.every((job) => job.client.isCancelled);
      },
      get patienceMs() {
        return domain.waitingForProof.reduce((most, job) => Math.max(most, job.client.patienceMs), 0);
      },
      deferrals: 'wait',
      wantsEvidence: true,
      isUrgent: true,
      onVerdict: () => {},
      onTryAgain: () => {},
      onParked: () => {},
    };
  }

  onAnswer(proof: Job, found: ReplyClass, stage: EvidenceStage): void {
    const { domain } = proof;
    domain.isProofUnderWay = false;
    const isCatchAll = judgeProof(found);
    if (isCatchAll !== undefined) {
      this.#conclude(domain, isCatchAll, stage, proof.hostRank);
      return;
    }
    domain.proofStage = stage;
    const mayChange = found.meaning === 'ask_later' || found.meaning === 'slow_down';
    if (mayChange) this.#postpone(proof, found);
    else this.#giveUp(domain, restAfterNoAnswerMs);
  }

  #conclude(domain: MailDomain, isCatchAll: boolean, stage: EvidenceStage, hostRank: number): void {
    const fact = { isCatchAll, provedAt: this.#services.clock.now() };
    domain.catchAll = fact;
    domain.proofStage = stage;
    domain.proofDeferralCount = 0;
    // A backup host often takes everything and finds out later. What it says is used now, while the first host is away,
    // and not remembered for a week.
    if (hostRank === 0) void this.#services.facts.saveCatchAll(domain.name, fact);
    const waiting = domain.waitingForProof;
    domain.waitingForProof = [];
    const reason = judgeAccepted(isCatchAll ? 'yes' : 'no');
    for (const job of waiting) this.#settle(job, job.acceptance ?? [], reason);
  }

  /** A temporary answer is no answer: the proof is tried again for those with the patience to wait. */
  #postpone(proof: Job, found: ReplyClass): void {
    const { clock, agenda } = this.#services;
    const { domain } = proof;
    domain.proofDeferralCount += 1;
    const now = clock.now();
    const delayMs = deferralDelay(domain.proofDeferralCount, found.retryAfterMs);
    domain.nextProofAt = now + delayMs;
    const staying: Job[] = [];
    for (const job of domain.waitingForProof) {
      if (job.giveUpAt === 0) job.giveUpAt = now + job.client.patienceMs;
      if (job.client.deferrals === 'wait' && job.giveUpAt >= domain.nextProofAt) staying.push(job);
      else this.#settleUnproved(job, delayMs);
    }
    domain.waitingForProof = staying;
    if (staying.length === 0) return;
    domain.isProofUnderWay = true;
    const pool = proof.item as JobPlace;
    agenda.at(domain.nextProofAt, () => {
      domain.isProofUnderWay = false;
      if (domain.waitingForProof.some((job) => !job.client.isCancelled))
        this.#ask(pool, domain, proof.hostRank);
    });
  }

  #giveUp(domain: MailDomain, restMs: number): void {
    domain.nextProofAt = this.#services.clock.now() + restMs;
    const waiting = domain.waitingForProof;
    domain.waitingForProof = [];
    for (const job of waiting) this.#settleUnproved(job, undefined);
  }

  #settleUnproved(job: Job, againInMs: number | undefined): void {
    const evidence = job.acceptance ?? [];
    this.#addProof(job, evidence);
    const reason = judgeAccepted('unproved');
    if (job.client.deferrals === 'return' && againInMs !== undefined) {
      this.#services.tryAgain(job, reason, againInMs, evidence);
    } else this.#services.settle(job, reason, evidence);
  }

  #settle(job: Job, evidence: EvidenceStage[], reason: Reason): void {
    this.#addProof(job, evidence);
    this.#services.settle(job, reason, evidence);
  }

  #addProof(job: Job, evidence: EvidenceStage[]): void {
    const { proofStage } = job.domain;
    if (proofStage !== undefined && job.client.wantsEvidence) evidence.push(proofStage);
  }

  dropCancelled(domain: MailDomain): void {
    if (domain.waitingForProof.length === 0) return;
    domain.waitingForProof = domain.waitingForProof.filter((job) => !job.client.isCancelled);
    if (domain.waitingForProof.length === 0) domain.isProofUnderWay = false;
  }
}
