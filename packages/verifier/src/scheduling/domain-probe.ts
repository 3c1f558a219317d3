import type { Clock } from '../clock.ts';
import type { EvidenceStage } from '../evidence.ts';
import type { ReplyClass } from '../judgement/classify-reply.ts';
import type { Reason } from '../judgement/reasons.ts';
import type { Agenda } from './agenda.ts';
import { deferralDelay } from './deferral.ts';
import { type Client, Job, type JobPlace, type MailDomain, type Probe, type ProbeState } from './job.ts';

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
  stateOf(domain: MailDomain): ProbeState;
  /** The names to ask for at first, without their domain. */
  namesFor(domain: MailDomain): string[];
  /** Whether the connection that answered this job may have changed its answers, which only that connection can show. */
  isInDoubt(job: Job): boolean;
  /**
   * Takes note of the answers so far, in the order of the names; a further name, or whether they decide the question.
   * The probe is the one that was answered last.
   */
  judge(probe: Job, answers: readonly (ReplyClass | undefined)[]): boolean | string;
  /** The reason of jobs whose domain gave no answer. */
  unanswered: Reason;
  stage: 'proof' | 'control';
}

const restAfterNoAnswerMs = 60_000;
const repeatsMax = 3;

/**
 * Asks a domain's host a question on our own account, once for all jobs that wait for the answer: whether it accepts any
 * name, or refuses everyone.
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
    const { domain, answeredBy } = job;
    const state = this.#plan.stateOf(domain);
    const restMs = state.nextAt - this.#services.clock.now();
    if (!state.isUnderWay && restMs > 0 && state.waiting.length === 0) {
      this.#settleUnanswered(job, restMs);
      return;
    }
    state.waiting.push(job);
    if (state.isUnderWay || answeredBy === undefined) return;
    // The same names as before a deferral: a greylisting host defers every new name.
    if (state.questions.length === 0) {
      state.questions = this.#plan.namesFor(domain).map((name) => newQuestion(name, domain));
    }
    if (this.#plan.isInDoubt(job)) {
      // What another connection said before proves nothing about this one.
      state.questions = state.questions.map(withoutAnswer);
      state.connection = job.connection;
    }
    this.#ask(answeredBy, domain, job.hostRank);
  }

  /** Asks every question that has no answer yet. */
  #ask(pool: JobPlace, domain: MailDomain, hostRank: number): void {
    const state = this.#plan.stateOf(domain);
    state.isUnderWay = true;
    const open = state.questions.filter(({ answer }) => answer === undefined || mayChange(answer));
    for (const question of open) {
      question.answer = undefined;
      question.isAsked = true;
    }
    for (const { mailbox } of open) {
      const address = { email: '', mailbox, needsUtf8: false };
      const job = new Job(address, this.#clientOf(state), domain, pool, this);
      job.isRouted = true;
      job.hostRank = hostRank;
      job.connection = state.connection;
      pool.add(job);
    }
  }

  /** The client of the question: as patient as the most patient job that waits, and cancelled when all are. */
  #clientOf(state: ProbeState): Client {
    return {
      get isCancelled() {
        return state.waiting.every((job) => job.client.isCancelled);
      },
      get patienceMs() {
        return state.waiting.reduce((most, job) => Math.max(most, job.client.patienceMs), 0);
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
    const { domain, hostRank, connection } = probe;
    const state = this.#plan.stateOf(domain);
    if (state.connection !== undefined && state.connection !== connection) return;
    const question = state.questions.find(({ mailbox, isAsked }) => isAsked && mailbox === probe.mailbox);
    // Another answer has decided the question meanwhile.
    if (question === undefined) return;
    if (state.connection !== undefined && found.rule === 'host-failed') {
      this.#onConnectionGone(state);
      return;
    }
    question.isAsked = false;
    question.answer = found;
    state.stage = stage;
    const answers = state.questions.map(({ answer }) => answer);
    const judged = this.#plan.judge(probe, answers);
    if (judged === true) this.release(domain);
    else if (typeof judged === 'string') {
      state.questions.push(newQuestion(judged, domain));
      this.#ask(probe.item as JobPlace, domain, hostRank);
    } else if (!state.questions.some(({ isAsked }) => isAsked)) this.#endRound(probe, state);
  }

  /** All answers are in and decide nothing. */
  #endRound(probe: Job, state: ProbeState): void {
    state.isUnderWay = false;
    const deferrals = state.questions.flatMap(({ answer }) => (answer && mayChange(answer) ? [answer] : []));
    if (deferrals.length > 0) this.#postpone(probe, state, deferrals);
    else this.#giveUp(state);
  }

  /** The question is decided: the jobs that wait go on. */
  release(domain: MailDomain): void {
    for (const job of takeWaiting(this.#plan.stateOf(domain))) this.#services.onProbed(job);
  }

  /** Nothing can bear out the answers of the connection any more: asks again on another one, but not forever. */
  #onConnectionGone(state: ProbeState): void {
    const { connection: gone, questions, deferralCount } = state;
    const jobs = takeWaiting(state);
    if (deferralCount > 0) {
      state.questions = questions.map(withoutAnswer);
      state.deferralCount = deferralCount;
    }
    for (const job of jobs) {
      if (job.connection === gone && job.repeatCount >= repeatsMax) this.#settleUnanswered(job, undefined);
      else {
        if (job.connection === gone) job.repeat();
        this.#services.onProbed(job);
      }
    }
  }

  /** A temporary answer is no answer: asks again later for the jobs that are patient enough. */
  #postpone(probe: Job, state: ProbeState, deferrals: readonly ReplyClass[]): void {
    const { clock, agenda } = this.#services;
    const { domain } = probe;
    const isOfConnection = state.connection !== undefined;
    // No connection stays open that long.
    state.connection = undefined;
    state.deferralCount += 1;
    const now = clock.now();
    const named = deferrals.flatMap(({ retryAfterMs }) => retryAfterMs ?? []);
    const delayMs = deferralDelay(state.deferralCount, named.length > 0 ? Math.max(...named) : undefined);
    state.nextAt = now + delayMs;
    const staying: Job[] = [];
    for (const job of state.waiting) {
      if (job.giveUpAt === 0) job.giveUpAt = now + job.client.patienceMs;
      if (job.client.deferrals === 'wait' && job.giveUpAt >= state.nextAt) staying.push(job);
      else this.#settleUnanswered(job, delayMs);
    }
    state.waiting = staying;
    if (staying.length === 0) return;
    state.isUnderWay = true;
    const pool = probe.item as JobPlace;
    agenda.at(state.nextAt, () => {
      state.isUnderWay = false;
      if (isOfConnection) this.#startOver(state);
      else if (state.waiting.some((job) => !job.client.isCancelled)) this.#ask(pool, domain, probe.hostRank);
    });
  }

  /** Asks again about the addresses that wait, on any connection. */
  #startOver(state: ProbeState): void {
    const { waiting } = state;
    state.waiting = [];
    for (const job of waiting) {
      job.startOver();
      this.#services.onProbed(job);
    }
  }

  #giveUp(state: ProbeState): void {
    state.nextAt = this.#services.clock.now() + restAfterNoAnswerMs;
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

  dropCancelled(domain: MailDomain): void {
    const state = this.#plan.stateOf(domain);
    if (state.waiting.length === 0) return;
    state.waiting = state.waiting.filter((job) => !job.client.isCancelled);
    if (state.waiting.length > 0) return;
    state.isUnderWay = false;
    for (const question of state.questions) question.isAsked = false;
  }
}

/** Ends the question, and returns the jobs that wait for its answer. */
function takeWaiting(state: ProbeState): Job[] {
  const { waiting } = state;
  state.isUnderWay = false;
  state.connection = undefined;
  state.deferralCount = 0;
  state.nextAt = 0;
  state.questions = [];
  state.waiting = [];
  return waiting;
}

const newQuestion = (name: string, domain: MailDomain) => ({
  mailbox: `${name}@${domain.name}`,
  isAsked: false,
  answer: undefined,
});

const withoutAnswer = ({ mailbox }: { mailbox: string }) => ({ mailbox, isAsked: false, answer: undefined });

const mayChange = ({ meaning }: ReplyClass): boolean => meaning === 'ask_later' || meaning === 'slow_down';
