import { ServiceUnavailableError } from './errors.ts';
import { backOffMs } from './retry.ts';
import type { OnUploadProgress } from './upload.ts';

/** Why a call waits: no answer arrives, or the server sent `Retry-After`. */
export type WaitReason = 'unreachable' | 'busy';

/** The state of the machine's connection. */
export interface Connection {
  /** How long a call may wait for an answer while the machine is online, all attempts together. */
  readonly answerWithinMs: number;
  readonly isOnline: () => boolean;
  /** Resolves when the machine is online; rejects with the signal's reason if it aborts. */
  readonly untilOnline: (signal: AbortSignal | undefined) => Promise<void>;
  /** Called when a call starts to wait; returns a function to call when the wait is over. */
  readonly onWaiting: (reason: WaitReason) => () => void;
}

/** Counts waiting time in steps, not by the clock: a machine that slept for an hour has not waited for an hour. */
const longestStepMs = 1_000;
/** The longest pause between two attempts, so that a call follows soon when the server is back. */
const longestPauseMs = 5_000;
/** How often a call that costs credits is sent again after silence, each time with the full wait. */
const sentAgainMax = 2;

interface AttemptLimits {
  readonly signal: AbortSignal;
  readonly onUploadProgress?: OnUploadProgress;
}

/**
 * How long one call still waits for an answer. Time spent offline does not count.
 * See docs/decisions/web-calls-wait-in-client.md.
 */
export class Patience {
  readonly #connection: Connection;
  readonly #signal: AbortSignal | undefined;
  #spentMs = 0;
  #wasSilent = false;
  #sendsAgain: number;
  #endWait = () => {};

  /**
   * A call that costs credits may be done although its answer does not come. Its repetition with the same key gets that
   * answer, so it is not given up after the first silence.
   */
  constructor(connection: Connection, signal: AbortSignal | undefined, costsCredits = false) {
    this.#connection = connection;
    this.#signal = signal;
    this.#sendsAgain = costsCredits ? sentAgainMax : 0;
  }

  async untilOnline(): Promise<void> {
    if (this.#connection.isOnline()) return;
    await this.#connection.untilOnline(this.#signal);
    this.#spentMs = 0;
  }

  /** Runs one attempt, which ends when no answer has come in time, or when the caller aborts. */
  async attempt<Answer>(
    send: (limits: AttemptLimits) => Promise<Answer>,
    onUploadProgress: OnUploadProgress | undefined,
  ): Promise<Answer> {
    const silence = new AbortController();
    const stepMs = Math.min(longestStepMs, this.#connection.answerWithinMs);
    const timer = setInterval(() => {
      if (this.#isOver(stepMs)) silence.abort(noAnswer());
      this.#spentMs += stepMs;
    }, stepMs);
    // A body that is still being sent is not silence. The time of earlier attempts still counts: otherwise an upload that
    // always breaks would repeat forever.
    const spentBeforeMs = this.#spentMs;
    const noteProgress: OnUploadProgress = (progress) => {
      this.#spentMs = spentBeforeMs;
      onUploadProgress?.(progress);
    };
    const signal = this.#signal ? AbortSignal.any([this.#signal, silence.signal]) : silence.signal;
    try {
      const answer = send({ signal, ...(onUploadProgress && { onUploadProgress: noteProgress }) });
      return await orAborted(answer, signal);
    } catch (error) {
      this.#wasSilent = silence.signal.aborted;
      throw this.#wasSilent ? silence.signal.reason : error;
    } finally {
      clearInterval(timer);
    }
  }

  /** The pause after an attempt without an answer; null to give up. */
  pauseMs(attempt: number): number | null {
    // Offline, the next attempt waits for the connection and needs no pause.
    if (!this.#connection.isOnline()) return 0;
    const pauseMs = Math.min(longestPauseMs, backOffMs(attempt));
    if (this.#wasSilent && this.#sendsAgain > 0) {
      this.#sendsAgain -= 1;
      this.#spentMs = 0;
      return pauseMs;
    }
    if (this.#isOver(pauseMs)) return null;
    this.#spentMs += pauseMs;
    return pauseMs;
  }

  beginWaiting(reason: WaitReason): void {
    this.#endWait();
    this.#endWait = this.#connection.onWaiting(reason);
  }

  endWaiting(): void {
    this.#endWait();
    this.#endWait = () => {};
  }

  /** Whether waiting this much longer exceeds the limit. */
  #isOver(moreMs: number): boolean {
    return this.#spentMs + moreMs >= this.#connection.answerWithinMs;
  }
}

/** Rejects when the signal aborts, even if the work ignores it, as a token renewal does. */
function orAborted<Answer>(work: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

const noAnswer = () => new ServiceUnavailableError({ message: 'The server did not answer in time' });
