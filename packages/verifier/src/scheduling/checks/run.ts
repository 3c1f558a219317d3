import type { RefusedAddress } from '../../address/parse-address.ts';
import type { QuestionBill } from '../../conduct/question-bill.ts';
import type { EvidenceStage } from '../../evidence.ts';
import type { Finding } from '../../finding.ts';
import type { Reason } from '../../judgement/reasons.ts';
import type { Client, Job } from '../jobs/job.ts';
import { buildSyntaxVerdict, buildTryAgain, buildVerdict } from './build-finding.ts';
import type { Engine } from './engine.ts';

/** An address, or anything that carries one. */
export type Item = string | { readonly email: string };

/** Addresses one by one, or in arrays, which saves an asynchronous step for each. */
export type Items<T extends Item> = Iterable<T> | AsyncIterable<T | readonly T[]>;

export interface RunOptions {
  patienceMs: number;
  deferrals: 'wait' | 'return';
  wantsEvidence: boolean;
  isUrgent: boolean;
  deferralCount: number;
  customer: string;
  bill: QuestionBill | undefined;
  /** Whether connections stay open for a moment after the last address, for the next run. */
  lingers: boolean;
  /** Addresses under way at one time. Deferred ones come on top, up to as many again. */
  inFlightMax: number;
  signal: AbortSignal | undefined;
}

/** Parsing a full window takes longer than the lookup of a domain, the greeting of its host and many single replies. */
const readMs = 2;

/**
 * One stream of addresses on its way through the engine. It reads its input only as fast as the caller takes findings, so
 * a list of any length needs only the memory of its window.
 */
export class Run<T extends Item> implements Client, AsyncIterableIterator<Finding<T>> {
  isCancelled = false;
  /** The input has ended. */
  isInputDone = false;
  /** More addresses arrive within this turn or the next ones. */
  isFilling = false;
  readonly patienceMs: number;
  readonly deferrals: 'wait' | 'return';
  readonly wantsEvidence: boolean;
  readonly isUrgent: boolean;
  readonly deferralCount: number;
  readonly customer: string;
  readonly bill: QuestionBill | undefined;
  readonly lingers: boolean;
  readonly #engine: Engine;
  readonly #options: RunOptions;
  readonly #onDone: (run: Run<T>) => void;
  readonly #input: Iterator<T> | AsyncIterator<T | readonly T[]>;
  #batch: readonly T[] = [];
  #batchFrom = 0;
  #isReading = false;
  #underWay = 0;
  #parked = 0;
  #ready: Finding<T>[] = [];
  #readyFrom = 0;
  #hasFindings = false;
  #wake: (() => void) | undefined;
  #isWakeDue = false;
  #failure: { error: unknown } | undefined;
  #isOver = false;

  constructor(items: Items<T>, engine: Engine, options: RunOptions, onDone: (run: Run<T>) => void) {
    this.#engine = engine;
    this.#options = options;
    this.#onDone = onDone;
    this.patienceMs = options.patienceMs;
    this.deferrals = options.deferrals;
    this.wantsEvidence = options.wantsEvidence;
    this.isUrgent = options.isUrgent;
    this.deferralCount = options.deferralCount;
    this.customer = options.customer;
    this.bill = options.bill;
    this.lingers = options.lingers;
    this.#input =
      Symbol.asyncIterator in items
        ? items[Symbol.asyncIterator]()
        : (items as Iterable<T>)[Symbol.iterator]();
    const { signal } = options;
    if (signal?.aborted) this.#cancel({ error: signal.reason });
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Finding<T>>> {
    while (!this.#hasReady() && !this.#isOver) await this.#change();
    if (!this.#hasReady()) return this.#last();
    const value = this.#ready[this.#readyFrom++] as Finding<T>;
    if (!this.#hasReady()) this.#takeReady();
    return { value, done: false };
  }

  /** All ready findings each time, for callers that write them in batches. */
  batches(): AsyncIterableIterator<Finding<T>[]> {
    const batches: AsyncIterableIterator<Finding<T>[]> = {
      [Symbol.asyncIterator]: () => batches,
      next: async () => {
        while (!this.#hasReady() && !this.#isOver) await this.#change();
        return this.#hasReady() ? { value: this.#takeReady(), done: false } : this.#last();
      },
      return: () => this.return(),
    };
    return batches;
  }

  /** The caller wants no more findings. */
  async return(): Promise<{ value: undefined; done: true }> {
    if (!this.#isOver) this.#cancel();
    this.#failure = undefined;
    return { value: undefined, done: true };
  }

  /** Ends the run early. The caller gets the error, so that it cannot take the findings so far for all of them. */
  fail(error: unknown): void {
    this.#cancel({ error });
  }

  #hasReady(): boolean {
    return this.#readyFrom < this.#ready.length;
  }

  #takeReady(): Finding<T>[] {
    const taken = this.#readyFrom === 0 ? this.#ready : this.#ready.slice(this.#readyFrom);
    this.#ready = [];
    this.#readyFrom = 0;
    this.#readSoon();
    return taken;
  }

  /** Resolves when something is ready or the run is over. */
  #change(): Promise<void> {
    const change = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#readSoon();
    this.#finishIfDone();
    return change;
  }

  /** Ends the iteration; throws the first time if the run failed. */
  #last(): { value: undefined; done: true } {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure.error;
    return { value: undefined, done: true };
  }

  onBadSyntax(item: unknown, address: RefusedAddress): void {
    this.#deliver(buildSyntaxVerdict(item as T, address));
  }

  onVerdict(job: Job, reason: Reason, evidence: EvidenceStage[]): void {
    this.#deliver(buildVerdict(job, reason, evidence));
  }

  onTryAgain(job: Job, reason: Reason, afterMs: number, evidence: EvidenceStage[]): void {
    this.#deliver(buildTryAgain(job, reason, afterMs, evidence));
  }

  onParked(change: 1 | -1): void {
    this.#parked += change;
    if (change > 0) this.#readSoon();
  }

  #deliver(finding: Finding<T>): void {
    this.#underWay -= 1;
    this.#hasFindings = true;
    this.#ready.push(finding);
    this.#wakeConsumerSoon();
    this.#readSoon();
    this.#finishIfDone();
  }

  /** Findings come in bursts; the consumer gets all of a turn at its end. */
  #wakeConsumerSoon(): void {
    if (this.#wake === undefined || this.#isWakeDue) return;
    this.#isWakeDue = true;
    setImmediate(() => {
      this.#isWakeDue = false;
      this.#wakeConsumer();
    });
  }

  #wakeConsumer(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  /**
   * Until the first host answers we fill the whole window. From then on half of it keeps the hosts busy, and addresses
   * live so briefly that the garbage collector frees them in its cheap young generation.
   */
  #hasRoom(): boolean {
    const { inFlightMax } = this.#options;
    const window = this.#hasFindings ? Math.ceil(inFlightMax / 2) : inFlightMax;
    const active = this.#underWay - Math.min(this.#parked, inFlightMax);
    return active + (this.#ready.length - this.#readyFrom) < window;
  }

  #readSoon(): void {
    if (this.#isReading || this.isInputDone || this.isCancelled || !this.#hasRoom()) return;
    this.#isReading = true;
    // Findings come in bursts; one read at the end of the turn serves all of them.
    setImmediate(() => void this.#read());
  }

  /** Reads as long as there is room, with short pauses in which DNS and hosts are heard. */
  async #read(): Promise<void> {
    this.isFilling = true;
    let pauseAt = performance.now() + readMs;
    try {
      for (let count = 1; !this.isCancelled && this.#hasRoom(); count++) {
        if (count % 10 === 0 && performance.now() >= pauseAt) {
          await new Promise(setImmediate);
          pauseAt = performance.now() + readMs;
        }
        if (this.#batchFrom < this.#batch.length) {
          this.#submit(this.#batch[this.#batchFrom++] as T);
          continue;
        }
        const step = this.#input.next();
        if (step instanceof Promise) this.#onFilled();
        const result = step instanceof Promise ? await step : step;
        this.isFilling = true;
        if (result.done) {
          this.isInputDone = true;
          this.#engine.onInputDone();
          break;
        }
        this.#batch = Array.isArray(result.value) ? result.value : [result.value as T];
        this.#batchFrom = 0;
      }
    } catch (error) {
      this.#cancel({ error });
    }
    this.#onFilled();
    this.#isReading = false;
    this.#finishIfDone();
  }

  #onFilled(): void {
    this.isFilling = false;
    this.#engine.onFilled();
  }

  #submit(item: T): void {
    this.#underWay += 1;
    this.#engine.submit(typeof item === 'string' ? item : item.email, this, item);
  }

  #finishIfDone(): void {
    if (this.#isOver || !this.isInputDone || this.#isReading || this.#underWay > 0) return;
    this.#end();
  }

  readonly #onAbort = (): void => this.#cancel({ error: this.#options.signal?.reason });

  #cancel(failure?: { error: unknown }): void {
    if (this.#isOver) return;
    this.isCancelled = true;
    this.#ready = [];
    this.#readyFrom = 0;
    this.#failure = failure;
    if (!this.isInputDone) void Promise.resolve(this.#input.return?.()).catch(() => {});
    this.#end();
  }

  #end(): void {
    this.#isOver = true;
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    this.#onDone(this);
    this.#wakeConsumer();
  }
}
