import { type AddressFlags, hasPlusTag, isRoleName } from '../address/address-flags.ts';
import { parseAddress } from '../address/parse-address.ts';
import type { EvidenceStage } from '../evidence.ts';
import { type Reason, resultOf } from '../judgement/reasons.ts';
import type { Outcome, Verdict } from '../outcome.ts';
import type { Engine } from './engine.ts';
import type { Client, Job } from './job.ts';

/** An address, or anything that carries one. */
export type Item = string | { readonly email: string };

/** Addresses one by one, or in batches, which spares an asynchronous step for each. */
export type Items<T extends Item> = Iterable<T> | AsyncIterable<T | readonly T[]>;

export interface RunOptions {
  patienceMs: number;
  deferrals: 'wait' | 'return';
  wantsEvidence: boolean;
  isUrgent: boolean;
  /** Whether connections rest for a while after the last address, for whoever asks next. */
  lingers: boolean;
  /** Addresses under way at one time; what waits for a named time does not count, up to as many again. */
  inFlightMax: number;
  signal: AbortSignal | undefined;
}

/**
 * One stream of addresses on its way through the engine. Input is read only as fast as outcomes are taken, so a list of
 * any length needs the memory of its window.
 */
export class Run<T extends Item> implements Client, AsyncIterableIterator<Outcome<T>> {
  isCancelled = false;
  /** No address will come any more. */
  isInputDone = false;
  readonly patienceMs: number;
  readonly deferrals: 'wait' | 'return';
  readonly wantsEvidence: boolean;
  readonly isUrgent: boolean;
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
  #ready: Outcome<T>[] = [];
  #readyFrom = 0;
  #hasOutcomes = false;
  #wake: (() => void) | undefined;
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

  async next(): Promise<IteratorResult<Outcome<T>>> {
    while (!this.#hasReady() && !this.#isOver) await this.#change();
    if (!this.#hasReady()) return this.#last();
    const value = this.#ready[this.#readyFrom++] as Outcome<T>;
    if (!this.#hasReady()) this.#takeReady();
    return { value, done: false };
  }

  /** Everything that is ready, each time; for whoever writes outcomes down in batches. */
  batches(): AsyncIterableIterator<Outcome<T>[]> {
    const batches: AsyncIterableIterator<Outcome<T>[]> = {
      [Symbol.asyncIterator]: () => batches,
      next: async () => {
        while (!this.#hasReady() && !this.#isOver) await this.#change();
        return this.#hasReady() ? { value: this.#takeReady(), done: false } : this.#last();
      },
      return: () => this.return(),
    };
    return batches;
  }

  /** The consumer has had enough. */
  async return(): Promise<{ value: undefined; done: true }> {
    if (!this.#isOver) this.#cancel();
    this.#failure = undefined;
    return { value: undefined, done: true };
  }

  #hasReady(): boolean {
    return this.#readyFrom < this.#ready.length;
  }

  #takeReady(): Outcome<T>[] {
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

  /** The end, told once as a failure if it was one. */
  #last(): { value: undefined; done: true } {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure.error;
    return { value: undefined, done: true };
  }

  onVerdict(job: Job, reason: Reason, evidence: EvidenceStage[]): void {
    this.#underWay -= 1;
    const verdict: Verdict<T> = {
      kind: 'verdict',
      item: job.item as T,
      email: job.email,
      result: resultOf(reason),
      reason,
      flags: flagsOf(job),
      evidence,
    };
    if (job.domain.suggestion !== undefined) verdict.didYouMean = didYouMean(job);
    this.#deliver(verdict);
  }

  onTryAgain(job: Job, reason: Reason, afterMs: number, evidence: EvidenceStage[]): void {
    this.#underWay -= 1;
    const common = {
      item: job.item as T,
      email: job.email,
      result: resultOf(reason),
      reason,
      flags: flagsOf(job),
      evidence,
    };
    this.#deliver({ kind: 'try_again', afterMs, ...common });
  }

  onParked(change: 1 | -1): void {
    this.#parked += change;
    if (change > 0) this.#readSoon();
  }

  #deliver(outcome: Outcome<T>): void {
    this.#hasOutcomes = true;
    this.#ready.push(outcome);
    this.#wakeConsumer();
    this.#readSoon();
    this.#finishIfDone();
  }

  #wakeConsumer(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  /**
   * While no host has answered yet there is nothing better to do than read, so the window is filled. From then on half of it
   * keeps the hosts busy, and addresses live briefly enough for the collector to find them in its cheap first passes.
   */
  #hasRoom(): boolean {
    const { inFlightMax } = this.#options;
    const window = this.#hasOutcomes ? Math.ceil(inFlightMax / 2) : inFlightMax;
    const active = this.#underWay - Math.min(this.#parked, inFlightMax);
    return active + (this.#ready.length - this.#readyFrom) < window;
  }

  #readSoon(): void {
    if (this.#isReading || this.isInputDone || this.isCancelled || !this.#hasRoom()) return;
    this.#isReading = true;
    // Outcomes come in bursts; one look at the end of the turn reads for all of them.
    setImmediate(() => void this.#read());
  }

  /** Reads as long as there is room. A source that is not asynchronous is not made so. */
  async #read(): Promise<void> {
    try {
      while (!this.isCancelled && this.#hasRoom()) {
        if (this.#batchFrom < this.#batch.length) {
          this.#submit(this.#batch[this.#batchFrom++] as T);
          continue;
        }
        const step = this.#input.next();
        const result = step instanceof Promise ? await step : step;
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
    this.#isReading = false;
    this.#finishIfDone();
  }

  #submit(item: T): void {
    const address = parseAddress(typeof item === 'string' ? item : item.email);
    if (address.ok) {
      this.#underWay += 1;
      this.#engine.submit(address, this, item);
      return;
    }
    this.#deliver({
      kind: 'verdict',
      item,
      email: address.email,
      result: 'INVALID',
      reason: address.reason,
      flags: flagCombinations[0] as AddressFlags,
      evidence: [{ stage: 'syntax', note: address.reason }],
    });
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

/** Every combination once: lists of millions need no more. */
const flagCombinations = Array.from(
  { length: 16 },
  (_, bits): AddressFlags =>
    Object.freeze({
      isDisposable: (bits & 1) > 0,
      isRole: (bits & 2) > 0,
      isFreeProvider: (bits & 4) > 0,
      hasPlusTag: (bits & 8) > 0,
    }),
);

function flagsOf({ local, domain }: Job): AddressFlags {
  let bits = domain.isDisposable ? 1 : 0;
  if (isRoleName(local)) bits |= 2;
  if (domain.isFreeProvider) bits |= 4;
  if (hasPlusTag(local)) bits |= 8;
  return flagCombinations[bits] as AddressFlags;
}

const didYouMean = ({ local, domain }: Job): string => `${local}@${domain.suggestion}`;
