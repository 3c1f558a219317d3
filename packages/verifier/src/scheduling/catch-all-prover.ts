import type { Clock } from '../clock.ts';
import type { EvidenceStage } from '../evidence.ts';
import { type FactStore, ignoreStoreFailure, isFresh } from '../fact-store.ts';
import type { ReplyClass } from '../judgement/classify-reply.ts';
import { type CatchAllKnowledge, judgeAccepted, judgeProof } from '../judgement/judge.ts';
import type { Reason } from '../judgement/reasons.ts';
import type { Agenda } from './agenda.ts';
import { deferralDelay } from './deferral.ts';
import { type Client, Job, type JobPlace, type MailDomain } from './job.ts';
import { inventMailboxName } from './proof-name.ts';

export interface ProverServices {
  clock: Clock;
  agenda: Agenda;
  facts: FactStore;
  /** The domain of this accepted job is proved; the check goes on. */
  onProved(job: Job): void;
  settle(job: Job, reason: Reason): void;
  tryAgain(job: Job, reason: Reason, afterMs: number): void;
}

const restAfterNoAnswerMs = 60_000;

/**
 * Finds out, once per domain, whether it accepts any name: after the host accepted a real address, it asks the same host
 * for one that nobody has. Accepted addresses wait here for the answer.
 */
export class CatchAllProver {
  readonly #services: ProverServices;

  constructor(services: ProverServices) {
    this.#services = services;
  }

  knowledgeOf({ catchAll }: MailDomain): CatchAllKnowledge {
    if (catchAll === undefined || !isFresh(catchAll, this.#services.clock)) return 'unproved';
    return catchAll.isCatchAll ? 'yes' : 'no';
  }

  /** Proves the domain of an accepted job, or settles the job without a proof if the host gave none a moment ago. */
  prove(job: Job): void {
    const { domain, answeredBy } = job;
    domain.catchAll = undefined;
    const restMs = domain.nextProofAt - this.#services.clock.now();
    if (!domain.isProofUnderWay && restMs > 0 && domain.waitingForProof.length === 0) {
      this.#settleUnproved(job, restMs);
      return;
    }
    domain.waitingForProof.push(job);
    if (!domain.isProofUnderWay && answeredBy !== undefined) this.#ask(answeredBy, domain, job.hostRank);
  }

  #ask(pool: JobPlace, domain: MailDomain, hostRank: number): void {
    domain.isProofUnderWay = true;
    // The same name each time: a greylisting host defers every new name.
    domain.proofMailbox ??= `${inventMailboxName()}@${domain.name}`;
    const address = { email: '', mailbox: domain.proofMailbox, needsUtf8: false };
    const proof = new Job(address, this.#clientOf(domain), domain, pool, true);
    proof.isRouted = true;
    proof.hostRank = hostRank;
    pool.add(proof);
  }

  /** The client of the proof: as patient as the most patient job that waits, and cancelled when all are. */
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
      deferralCount: 0,
      onBadSyntax: () => {},
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
    const { facts, clock } = this.#services;
    const fact = { isCatchAll, provedAt: clock.now() };
    domain.catchAll = fact;
    domain.proofStage = stage;
    domain.proofDeferralCount = 0;
    // A backup host often accepts everything and bounces later. We use its answer now, while the first host is away, and
    // do not remember it for a week.
    if (hostRank === 0) void ignoreStoreFailure(() => facts.saveCatchAll(domain.name, fact));
    const waiting = domain.waitingForProof;
    domain.waitingForProof = [];
    for (const job of waiting) this.#services.onProved(job);
  }

  /** A temporary answer is no answer: asks again later for the jobs that are patient enough. */
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
    const reason = judgeAccepted('unproved');
    if (job.client.deferrals === 'return' && againInMs !== undefined) {
      this.#services.tryAgain(job, reason, againInMs);
    } else this.#services.settle(job, reason);
  }

  dropCancelled(domain: MailDomain): void {
    if (domain.waitingForProof.length === 0) return;
    domain.waitingForProof = domain.waitingForProof.filter((job) => !job.client.isCancelled);
    if (domain.waitingForProof.length === 0) domain.isProofUnderWay = false;
  }
}
