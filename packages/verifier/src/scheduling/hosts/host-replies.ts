import type { AnswerKind } from '../../conduct/provider-gate.ts';
import { asksUsToStop } from '../../conduct/stop-request.ts';
import { type EvidenceStage, quoteReply } from '../../evidence.ts';
import {
  classifyEarlyReply,
  createReplyClassifier,
  type ReplyClass,
} from '../../judgement/classify-reply.ts';
import { replaceMailbox } from '../../judgement/echoed-mailbox.ts';
import { attemptsMax } from '../jobs/deferral.ts';
import type { Job, JobPlace, JobSession } from '../jobs/job.ts';
import type { ControlQuestions } from './control-questions.ts';
import { troublesMax } from './host-manners.ts';
import type { HostRests } from './host-rests.ts';
import type { PoolParts } from './pool-services.ts';
import { stageOfReply } from './session-failure.ts';

/** An answer that takes longer is not a sign that the host goes on. */
const promptMs = 30_000;

/** The stage for clients that want no evidence. */
const unrecorded: EvidenceStage = { stage: 'rcpt' };

const kindOf = ({ meaning, reason }: ReplyClass): AnswerKind => {
  if (meaning === 'refused') return 'unknown';
  return reason === 'blocked' ? 'blocked' : 'other';
};

/** Reads what a host says to MAIL and RCPT: answers go to the engine, deferred jobs back into the queue. */
export class HostReplies {
  readonly #pool: JobPlace;
  readonly #parts: PoolParts;
  readonly #rests: HostRests;
  readonly #controls: ControlQuestions;
  readonly #classify: ReturnType<typeof createReplyClassifier>;

  constructor(pool: JobPlace, parts: PoolParts, rests: HostRests, controls: ControlQuestions) {
    this.#pool = pool;
    this.#parts = parts;
    this.#rests = rests;
    this.#controls = controls;
    this.#classify = createReplyClassifier(parts.services.ourNames);
  }

  onAnswer(session: JobSession, job: Job, code: number, text: string): void {
    const { services, provider, queue, manners } = this.#parts;
    this.#closeQuestion(session, job);
    const { gate } = this.#parts;
    if (code === 250) {
      gate.note('accepted', job.client.customer);
      this.#noteAnswer(job);
      services.owner.onAccepted(this.#pool, job, session, code, text);
      return;
    }
    const found = this.#classify(code, text, job.mailbox);
    this.#noteKind(job, found);
    this.#heedOwner(job, code, text);
    if (found.meaning === 'new_transaction' && session.answeredInTransaction > 0) {
      manners.limitTransaction(session.answeredInTransaction);
      if (job.probe && job.streak) this.#controls.askSoon(job, job.streak.connection);
      else queue.add(job);
      return;
    }
    const isTrouble = found.meaning === 'new_transaction' || found.meaning === 'slow_down';
    const isSeen = isTrouble || job.client.wantsEvidence || provider.restAfter !== undefined;
    const stage = isSeen ? stageOfReply(session, 'rcpt', { code, text, found }) : unrecorded;
    if (this.#rests.startForProvider(text, found, stage, job.mailbox)) this.#defer(job, found, stage);
    else if (isTrouble) this.#onSlowDown(session, job, found, stage);
    else {
      this.#noteAnswer(job);
      services.owner.onReply(this.#pool, job, found, stage, session);
    }
  }

  /** For our own limits, and for the bill of those who wanted the answer. */
  #noteKind({ client }: Job, found: ReplyClass): void {
    const { gate, provider } = this.#parts;
    const kind = kindOf(found);
    gate.note(kind, client.customer);
    if (kind === 'unknown' || kind === 'blocked') client.bill?.note(provider.name, kind);
  }

  /** A reply may ask us not to ask about this domain again. */
  #heedOwner(job: Job, code: number, text: string): void {
    if (code < 500 || !asksUsToStop(text, job.mailbox)) return;
    const { services, name } = this.#parts;
    services.owner.onOwnerStops(job, {
      host: name,
      words: quoteReply(code, replaceMailbox(text, job.mailbox)),
    });
  }

  #noteAnswer({ probe, repeatCount, transaction }: Job): void {
    const { manners, progress, services } = this.#parts;
    manners.onAnswer();
    const isPrompt = transaction !== undefined && services.clock.now() - transaction.askedAt < promptMs;
    // Slow answers to an address that is asked again, or to questions of our own, must not add up without end.
    if (isPrompt || (probe === undefined && repeatCount === 0)) progress.restart();
  }

  onSenderRefused(session: JobSession, job: Job, code: number, text: string): void {
    const { owner } = this.#parts.services;
    this.#closeQuestion(session, job);
    const found = classifyEarlyReply('sender', code, text);
    this.#noteKind(job, found);
    this.#heedOwner(job, code, text);
    const stage = stageOfReply(session, 'sender', { code, text, found });
    if (this.#rests.startForProvider(text, found, stage, job.mailbox)) this.#defer(job, found, stage);
    else if (found.meaning === 'slow_down') this.#onSlowDown(session, job, found, stage);
    else if (found.meaning === 'ask_later') owner.onReply(this.#pool, job, found, stage, session);
    else owner.onHostFailed(job, found.reason, stage);
  }

  /** The host was not asked this question after all. */
  onWithdrawn(session: JobSession, job: Job): void {
    this.#closeQuestion(session, job);
  }

  #closeQuestion(session: JobSession, { domain, transaction }: Job): void {
    if (transaction === undefined) return;
    transaction.openCount -= 1;
    if (transaction.openCount === 0) this.#parts.services.owner.onTransactionOver(session, domain);
  }

  #onSlowDown(session: JobSession, job: Job, found: ReplyClass, stage: EvidenceStage): void {
    const { manners, connections } = this.#parts;
    this.#defer(job, found, stage);
    if (connections.isSpent(session)) return;
    const isUsedUp = found.rule === 'too-many-bad-recipients' || found.meaning === 'new_transaction';
    if (isUsedUp && session.answeredCount > 0) {
      // Only this connection has had too many recipients or wrong names. A new one starts from zero.
      manners.limitConnection(session.answeredCount);
      connections.spend(session);
      return;
    }
    manners.onSlowDown();
    this.#rests.start(found, stage);
  }

  /** The host deferred this job, which waits for the next attempt if it may have one. */
  #defer(job: Job, found: ReplyClass, stage: EvidenceStage): void {
    job.deferralCount += 1;
    const session = job.probe && job.streak?.connection;
    if (session !== undefined && job.deferralCount <= troublesMax) this.#controls.askSoon(job, session);
    else if (session === undefined && job.deferralCount < attemptsMax) this.#pool.add(job);
    else this.#parts.services.owner.onHeldOff(job, found, 0, stage);
  }
}
