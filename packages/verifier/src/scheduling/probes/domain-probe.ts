import type { Clock } from '../../clock.ts';
import type { EvidenceStage } from '../../evidence.ts';
import type { ReplyClass } from '../../judgement/classify-reply.ts';
import type { Reason } from '../../judgement/reasons.ts';
import type { Agenda } from '../jobs/agenda.ts';
import { deferralDelay } from '../jobs/deferral.ts';
import {
  type Client,
  Job,
  type JobPlace,
  type JobProbe,
  type JobStreak,
  type MailDomain,
  type Probe,
} from '../jobs/job.ts';
import { newQuestion, type ProbeQuestion } from '../jobs/probe-state.ts';

export interface ProbeServices {
  clock: Clock;
  agenda: Agenda;
  /** The domain of this job was probed; the check goes on. */
  onProbed(job: Job): void;
  settle(job: Job, reason: Reason): void;
  tryAgain(job: Job, reason: Reason, afterMs: number): void;
}

/** What is asked, and what the answers mean. */
export interface ProbePlan {
  /** The question to the host that answers the job, for all addresses that wait for it. */
  stateOf(job: Job): JobProbe;
  /** The names to ask that host for at first, without their domain. */
  namesFor(job: Job): string[];
  /**
   * Takes note of the answers so far, in the order of the questions; a further name, or whether they decide the question.
   * The probe is the one that was answered last.
   */
  judge(probe: Job, state: JobProbe): boolean | string;
  /** The reason of jobs whose domain gave no answer. */
  unanswered: Reason;
  stage: 'proof' | 'control';
}

const restAfterNoAnswerMs = 60_000;
const repeatsMax = 3;

/**
 * Asks a host a question on our own account, once for all jobs that wait for the answer: whether a domain accepts any name
 * or refuses everyone, or whether a connection still does what the host did before.
 */
export class DomainProbe implements Probe {
  readonly #services: ProbeServices;
  readonly #plan: ProbePlan;

  constructor(services: ProbeServices, plan: ProbePlan) {
    this.#services = services;
    this.#plan = plan;
  }

  get stage(): 'proof' | 'control' {
    return this.#plan.stage;
  }

  /** Lets a job wait for the answer, or settles it without one if the host gave none a moment ago. */
  wait(job: Job): void {
    const { domain, answeredBy, hostRank } = job;
    const state = this.#plan.stateOf(job);
    if (this.#leavesForRest(job, state)) return;
    state.waiting.push(job);
    if (state.isUnderWay || answeredBy === undefined) return;
    // The same names as before a deferral: a greylisting host defers every new name.
    if (state.questions.length === 0) state.questions = this.#newQuestions(job);
    this.#ask(state, { pool: answeredBy, domain, hostRank });
  }

  /** Lets a job wait until its connection has shown that its answers are right. */
  hold(job: Job, streak: JobStreak): void {
    const shared = this.#plan.stateOf(job);
    if (this.#leavesForRest(job, shared)) return;
    const isDeferred = shared.isUnderWay && shared.nextAt > this.#services.clock.now();
    (isDeferred ? shared : streak.question).waiting.push(job);
    const isDue = streak.isTransactionOver || streak.connection.isLeaving;
    if (!isDeferred && isDue) this.askConnection(streak);
  }

  /** Asks the connection of a streak for a name whose answer we know. */
  askConnection(streak: JobStreak): void {
    const { question: state } = streak;
    const job = state.waiting.find(({ client }) => !client.isCancelled);
    if (state.isUnderWay || job?.answeredBy === undefined) return;
    const { domain, answeredBy: pool, hostRank } = job;
    const { questions } = this.#plan.stateOf(job);
    state.questions =
      questions.length > 0 ? questions.map(({ mailbox }) => newQuestion(mailbox)) : this.#newQuestions(job);
    this.#ask(state, { pool, domain, hostRank, streak });
  }

  #newQuestions(job: Job): ProbeQuestion[] {
    return this.#plan.namesFor(job).map((name) => newQuestion(`${name}@${job.domain.name}`));
  }

  #leavesForRest(job: Job, { isUnderWay, waiting, nextAt }: JobProbe): boolean {
    const restMs = nextAt - this.#services.clock.now();
    if (isUnderWay || restMs <= 0 || waiting.length > 0) return false;
    this.#settleUnanswered(job, restMs);
    return true;
  }

  /** Asks every question that has no answer yet. */
  #ask(state: JobProbe, { pool, domain, hostRank, streak }: ProbePlace): void {
    state.isUnderWay = true;
    const open = state.questions.filter(({ answer }) => answer === undefined || mayChange(answer));
    for (const question of open) {
      question.answer = undefined;
      question.isAsked = true;
    }
    const client = this.#clientOf(state);
    for (const { mailbox } of open) {
      const job = new Job({ email: '', mailbox, needsUtf8: false }, client, domain, pool, this);
      job.isRouted = true;
      job.hostRank = hostRank;
      job.streak = streak;
      pool.add(job);
    }
  }

  /** The client of the question: as patient as the most patient job that waits, and cancelled when all are. */
  #clientOf(state: JobProbe): Client {
    return {
      get isCancelled() {
        return state.waiting.every((job) => job.client.isCancelled);
      },
      get patienceMs() {
        return state.waiting.reduce((most, job) => Math.max(most, job.client.patienceMs), 0);
      },
      get customer() {
        return state.waiting[0]?.client.customer ?? '';
      },
      get bill() {
        return state.waiting[0]?.client.bill;
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

  onAnswer(probe: Job, found: ReplyClass, stage: EvidenceStage): void {
    const { domain, hostRank, streak } = probe;
    const state = streak?.question ?? this.#plan.stateOf(probe);
    const question = state.questions.find(({ mailbox, isAsked }) => isAsked && mailbox === probe.mailbox);
    // Another answer has decided the question meanwhile.
    if (question === undefined) return;
    if (streak !== undefined && found.rule === 'host-failed') {
      this.onConnectionGone(streak);
      return;
    }
    question.isAsked = false;
    question.answer = found;
    // What became of it may have happened before the question was asked.
    this.#plan.stateOf(probe).stage = { ...stage, stage: this.stage, reason: found.reason };
    const judged = this.#plan.judge(probe, state);
    if (judged === true) this.#onDecided(probe, state);
    else if (typeof judged === 'string') {
      state.questions.push(newQuestion(`${judged}@${domain.name}`));
      this.#ask(state, { pool: probe.item as JobPlace, domain, hostRank, streak });
    } else if (!state.questions.some(({ isAsked }) => isAsked)) this.#endRound(probe, state);
  }

  #onDecided(probe: Job, state: JobProbe): void {
    const shared = this.#plan.stateOf(probe);
    // Names that the host deferred before have done their service.
    if (!shared.isUnderWay) reset(shared);
    this.release(state);
  }

  /** All answers are in and decide nothing. */
  #endRound(probe: Job, state: JobProbe): void {
    state.isUnderWay = false;
    const deferrals = state.questions.flatMap(({ answer }) => (answer && mayChange(answer) ? [answer] : []));
    if (deferrals.length > 0) this.#defer(probe, state, deferrals);
    else this.#giveUp(probe, state);
  }

  /** The question is decided: the jobs that wait go on. */
  release(state: JobProbe): void {
    for (const job of takeWaiting(state)) this.#services.onProbed(job);
  }

  /** Some of the jobs that wait can go on; the others need the answer. */
  releaseWhere(state: JobProbe, canGoOn: (job: Job) => boolean): void {
    const { released = [], waiting = [] } = Object.groupBy(state.waiting, (job) =>
      canGoOn(job) ? 'released' : 'waiting',
    );
    if (waiting.length === 0) this.release(state);
    else {
      state.waiting = waiting;
      for (const job of released) this.#services.onProbed(job);
    }
  }

  /** Nothing can confirm the answers of the connection any more: asks again on another one, but not forever. */
  onConnectionGone({ question }: JobStreak): void {
    for (const job of takeWaiting(question)) {
      if (job.repeatCount >= repeatsMax) this.#settleUnanswered(job, undefined);
      else {
        job.repeat();
        this.#services.onProbed(job);
      }
    }
  }

  /** A temporary answer is no answer: asks again later for the jobs that are patient enough. */
  #defer(probe: Job, state: JobProbe, deferrals: readonly ReplyClass[]): void {
    const { clock, agenda } = this.#services;
    const { domain, hostRank, streak } = probe;
    const shared = this.#plan.stateOf(probe);
    const now = clock.now();
    // Several connections may defer the question at a time; that counts once.
    if (shared.nextAt <= now) {
      shared.deferralCount += 1;
      const named = deferrals.flatMap(({ retryAfterMs }) => retryAfterMs ?? []);
      const namedMs = named.length > 0 ? Math.max(...named) : undefined;
      shared.nextAt = now + deferralDelay(shared.deferralCount, namedMs);
    }
    // A greylisting host defers every new name, so the next connection is asked for the same ones.
    if (shared.questions.length === 0) {
      shared.questions = state.questions.map(({ mailbox }) => newQuestion(mailbox));
    }
    const staying: Job[] = [];
    for (const job of takeWaiting(state, streak === undefined)) {
      if (job.giveUpAt === 0) job.giveUpAt = now + job.client.patienceMs;
      if (job.client.deferrals === 'wait' && job.giveUpAt >= shared.nextAt) staying.push(job);
      else this.#settleUnanswered(job, shared.nextAt - now);
    }
    shared.waiting.push(...staying);
    if (staying.length === 0 || shared.isUnderWay) return;
    shared.isUnderWay = true;
    agenda.at(shared.nextAt, () => {
      shared.isUnderWay = false;
      // No connection stays open that long, so the addresses are asked again on any.
      if (streak !== undefined) this.#startOver(shared);
      else if (shared.waiting.some((job) => !job.client.isCancelled)) {
        this.#ask(shared, { pool: probe.item as JobPlace, domain, hostRank });
      }
    });
  }

  #startOver(shared: JobProbe): void {
    const { waiting } = shared;
    shared.waiting = [];
    for (const job of waiting) {
      job.startOver();
      this.#services.onProbed(job);
    }
  }

  #giveUp(probe: Job, state: JobProbe): void {
    this.#plan.stateOf(probe).nextAt = this.#services.clock.now() + restAfterNoAnswerMs;
    state.questions = [];
    const { waiting } = state;
    state.waiting = [];
    for (const job of waiting) this.#settleUnanswered(job, undefined);
  }

  #settleUnanswered(job: Job, againInMs: number | undefined): void {
    const reason = this.#plan.unanswered;
    if (job.client.deferrals === 'return' && againInMs !== undefined) {
      this.#services.tryAgain(job, reason, againInMs);
    } else this.#services.settle(job, reason);
  }

  dropCancelled(state: JobProbe): void {
    if (state.waiting.length === 0) return;
    state.waiting = state.waiting.filter((job) => !job.client.isCancelled);
    if (state.waiting.length > 0) return;
    state.isUnderWay = false;
    for (const question of state.questions) question.isAsked = false;
  }
}

/** Where a question is asked: on the connection of the streak, if there is one. */
interface ProbePlace {
  readonly pool: JobPlace;
  readonly domain: MailDomain;
  readonly hostRank: number;
  readonly streak?: JobStreak | undefined;
}

/** Forgets the question and its deferrals. */
function reset(state: JobProbe): void {
  state.isUnderWay = false;
  state.deferralCount = 0;
  state.nextAt = 0;
  state.questions = [];
}

/** Ends the question, unless it is kept, and returns the jobs that wait for its answer. */
function takeWaiting(state: JobProbe, isKept = false): Job[] {
  const { waiting } = state;
  if (!isKept) reset(state);
  state.waiting = [];
  return waiting;
}

const mayChange = ({ meaning }: ReplyClass): boolean => meaning === 'ask_later' || meaning === 'slow_down';
