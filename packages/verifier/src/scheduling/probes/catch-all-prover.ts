import { type CatchAllFact, type FactStore, ignoreStoreFailure, isFresh } from '../../fact-store.ts';
import type { ReplyClass } from '../../judgement/classify-reply.ts';
import { type CatchAllKnowledge, judgeProof, judgeProofs } from '../../judgement/judge.ts';
import {
  isLong,
  type Job,
  type JobProbe,
  localPartOf,
  recall,
  renewWitness,
  type Witness,
} from '../jobs/job.ts';
import { DomainProbe, type ProbePlan, type ProbeServices } from './domain-probe.ts';
import { isAtMicrosoftEdge } from './microsoft-edge.ts';
import { inventMailboxName, type NameShape, shapeOf } from './proof-name.ts';

export interface ProverServices extends ProbeServices {
  facts: FactStore;
}

/** A fact that an answer contradicts is proved anew, but not within this time of the last proof. */
const doubtAfterMs = 600_000;

/**
 * Finds out whether a domain accepts any name: after its host accepted a real address, it is asked for names of different
 * shapes that nobody has. Accepted addresses wait for the answer.
 */
export class CatchAllProver implements ProbePlan {
  readonly stage = 'proof';
  readonly unanswered = 'catch_all_unproved';
  readonly probe: DomainProbe;
  readonly #services: ProverServices;

  constructor(services: ProverServices) {
    this.#services = services;
    this.probe = new DomainProbe(services, this);
  }

  knowledgeOf(job: Job): CatchAllKnowledge {
    const catchAll = this.#factOf(job);
    if (job.domainHost.hasChanged(this.#services.clock.now())) return 'changed';
    if (catchAll === undefined) return 'unproved';
    if (catchAll.isCatchAll) return 'yes';
    return this.#isInDoubt(job) ? 'unproved' : 'no';
  }

  /** What the host that answers the job has proved lately. */
  #factOf({ domainHost: { catchAll } }: Job): CatchAllFact | undefined {
    return catchAll !== undefined && isFresh(catchAll, this.#services.clock) ? catchAll : undefined;
  }

  /** Whether the connection may have begun to accept everyone. */
  #isInDoubt({ domain, streak, transaction }: Job): boolean {
    if (streak === undefined || streak.isConfirmed) return false;
    return isLong(transaction) || domain.streaks.isTooLong(streak);
  }

  /** A real name was refused: if we believe that the domain accepts any name, the next yes needs a new proof. */
  onRefused(job: Job): void {
    const { domainHost } = job;
    const { catchAll } = domainHost;
    const now = this.#services.clock.now();
    const isDoubtful = catchAll?.isCatchAll === true && now - catchAll.provedAt >= doubtAfterMs;
    if (isDoubtful) domainHost.catchAll = undefined;
    domainHost.refusedWitness = renewWitness(domainHost.refusedWitness, job, now);
  }

  stateOf({ domainHost }: Job) {
    return domainHost.proof;
  }

  /**
   * A name of the same shape as the one that was accepted, since a host that accepts any name may refuse some shapes; for a
   * domain that is new today another one with digits, or without.
   */
  namesFor(job: Job): string[] {
    const shape = this.#shapeFor(job);
    const isKnown = this.#factOf(job) !== undefined;
    const other = { ...shape, hasDigits: !shape.hasDigits, isLong: true };
    return isKnown ? [inventMailboxName(shape)] : [inventMailboxName(shape), inventMailboxName(other)];
  }

  /** The shape of the accepted name. Somebody has almost every short name at a free provider, so names are long there. */
  #shapeFor({ domain, domainHost }: Job): NameShape {
    const accepted = recall(domainHost.acceptedWitness, this.#services.clock.now());
    const shape = shapeOf(accepted === undefined ? 'jane.doe' : localPartOf(accepted));
    return domain.isFreeProvider ? { ...shape, isLong: true, hasDot: true } : shape;
  }

  judge(probe: Job, state: JobProbe): boolean | string {
    const { domain, domainHost, hostRank } = probe;
    const answers = state.questions.map(({ answer }) => answer);
    const refused = this.#witnessIn(state, domainHost.refusedWitness);
    const accepted = this.#witnessIn(state, domainHost.acceptedWitness);
    if (accepted.again?.meaning === 'refused') {
      this.#noteChange(probe);
      return true;
    }
    const proofs = answers.filter((_, index) => index !== refused.index && index !== accepted.index);
    // Microsoft's edge always refuses in these words, so they are clear there.
    const read = proofs.map((answer) =>
      answer && isAtMicrosoftEdge(domain, hostRank, answer) ? { ...answer, isAmbiguous: false } : answer,
    );
    const isCatchAll = judgeProofs(read, accepted.again?.meaning === 'accepted');
    if (isCatchAll === 'ask_another') return inventMailboxName(this.#shapeFor(probe));
    if (isCatchAll === 'ask_real') return accepted.index < 0 && accepted.name;
    if (isCatchAll === undefined) return false;
    if (isCatchAll && refused.name !== false) {
      // It refused a real name a moment ago: an exception, or it has begun to accept everyone.
      if (refused.index < 0) return refused.name;
      if (refused.again === undefined || judgeProof(refused.again) === undefined) return false;
      if (judgeProof(refused.again) === true) {
        this.#noteChange(probe);
        return true;
      }
    }
    this.#conclude(probe, isCatchAll);
    return true;
  }

  /** A name whose answer we know: false if it is too old, where it stands among the questions, and the answer to it. */
  #witnessIn(
    { questions }: JobProbe,
    witness: Witness | undefined,
  ): { name: string | false; index: number; again: ReplyClass | undefined } {
    const mailbox = recall(witness, this.#services.clock.now());
    const index = questions.findIndex((question) => question.mailbox === witness?.mailbox);
    return { name: mailbox !== undefined && localPartOf(mailbox), index, again: questions[index]?.answer };
  }

  #noteChange({ domainHost }: Job): void {
    domainHost.noteChange(this.#services.clock.now());
    domainHost.catchAll = undefined;
  }

  #conclude(probe: Job, isCatchAll: boolean): void {
    const { domain, domainHost, hostRank, connection } = probe;
    const { facts, clock } = this.#services;
    const fact = { isCatchAll, provedAt: clock.now() };
    const wasClosed = this.#factOf(probe)?.isCatchAll === false;
    domain.streaks.confirm(connection, 'accepted');
    if (isCatchAll && wasClosed) {
      // It refused such names today and accepts them now.
      this.#noteChange(probe);
      return;
    }
    domainHost.catchAll = fact;
    // A backup host often accepts everything and bounces later. We use its answer now, while the first host is away, and
    // do not remember it for a week.
    if (hostRank === 0) void ignoreStoreFailure(() => facts.saveCatchAll(domain.name, fact));
  }

  prove(job: Job): void {
    const { domainHost, streak } = job;
    const isProved = this.#factOf(job) !== undefined;
    if (!isProved) domainHost.catchAll = undefined;
    if (isProved && streak !== undefined) this.probe.hold(job, streak);
    else this.probe.wait(job);
  }
}
