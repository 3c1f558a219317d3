import { type AddressFlags, hasPlusTag, isRoleName } from '../address/address-flags.ts';
import { type ParsedAddress, parseAddress } from '../address/parse-address.ts';
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
  isUrgent: boolean;
  /** Addresses under way at one time; what waits for a named time does not count, up to as many again. */
  inFlightMax: number;
  signal: AbortSignal | undefined;
}

const noFlags: AddressFlags = {
  isDisposable: false,
  isRole: false,
  isFreeProvider: false,
  hasPlusTag: false,
};

/**
 * One stream of addresses on its way through the engine. Input is read only as fast as outcomes are taken, so a list of
 * any length needs the memory of its window.
 */
export class Run<T extends Item> implements Client, AsyncIterableIterator<Outcome<T>> {
  isCancelled = false;
  readonly patienceMs: number;
  readonly deferrals: 'wait' | 'return';
  readonly isUrgent: boolean;
  readonly #engine: Engine;
  readonly #options: RunOptions;
  readonly #onDone: (run: Run<T>) => void;
  readonly #input: Iterator<T> | AsyncIterator<T | readonly T[]>;
  #batch: readonly T[] = [];
  #batchFrom = 0;
  #isInputDone = false;
  #isReading = false;
  #underWay = 0;
  #parked = 0;
  #ready: Outcome<T>[] = [];
  #readyFrom = 0;
  #waiting:
    | { resolve: (result: IteratorResult<Outcome<T>>) => void; reject: (error: unknown) => void }
    | undefined;
  #failure: { error: unknown } | undefined;
  #isOver = false;

  constructor(items: Items<T>, engine: Engine, options: RunOptions, onDone: (run: Run<T>) => void) {
    this.#engine = engine;
    this.#options = options;
    this.#onDone = onDone;
    this.patienceMs = options.patienceMs;
    this.deferrals = options.deferrals;
    this.isUrgent = options.isUrgent;
    this.#input =
      Symbol.asyncIterator in items
        ? items[Symbol.asyncIterator]()
        : (items as Iterable<T>)[Symbol.iterator]();
    const { signal } = options;
    if (signal?.aborted) this.#cancel(signal.reason);
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Outcome<T>>> {
    if (this.#readyFrom < this.#ready.length) {
      const value = this.#ready[this.#readyFrom++] as Outcome<T>;
      if (this.#readyFrom === this.#ready.length) {
        this.#ready = [];
        this.#readyFrom = 0;
        this.#readSoon();
      }
      return Promise.resolve({ value, done: false });
    }
    if (this.#failure !== undefined) {
      const { error } = this.#failure;
      this.#failure = undefined;
      return Promise.reject(error);
    }
    if (this.#isOver) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#readSoon();
      this.#finishIfDone();
    });
  }

  /** The consumer has had enough. */
  async return(): Promise<IteratorResult<Outcome<T>>> {
    if (!this.#isOver) this.#cancel(undefined);
    this.#failure = undefined;
    return { value: undefined, done: true };
  }

  onVerdict(job: Job, reason: Reason, evidence: EvidenceStage[]): void {
    this.#underWay -= 1;
    const verdict: Verdict<T> = {
      kind: 'verdict',
      item: job.item as T,
      email: (job.address as ParsedAddress).email,
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
    const { email } = job.address as ParsedAddress;
    const common = {
      item: job.item as T,
      email,
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
    const waiting = this.#waiting;
    if (waiting === undefined) this.#ready.push(outcome);
    else {
      this.#waiting = undefined;
      waiting.resolve({ value: outcome, done: false });
    }
    this.#readSoon();
    this.#finishIfDone();
  }

  #hasRoom(): boolean {
    const { inFlightMax } = this.#options;
    const active = this.#underWay - Math.min(this.#parked, inFlightMax);
    return active + (this.#ready.length - this.#readyFrom) < inFlightMax;
  }

  #readSoon(): void {
    if (this.#isReading || this.#isInputDone || this.isCancelled || !this.#hasRoom()) return;
    this.#isReading = true;
    void this.#read();
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
          this.#isInputDone = true;
          break;
        }
        this.#batch = Array.isArray(result.value) ? result.value : [result.value as T];
        this.#batchFrom = 0;
      }
    } catch (error) {
      this.#cancel(error, true);
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
      flags: noFlags,
      evidence: [{ stage: 'syntax', note: address.reason }],
    });
  }

  #finishIfDone(): void {
    if (this.#isOver || !this.#isInputDone || this.#isReading || this.#underWay > 0) return;
    this.#end();
    if (this.#readyFrom < this.#ready.length) return;
    this.#waiting?.resolve({ value: undefined, done: true });
    this.#waiting = undefined;
  }

  readonly #onAbort = (): void => this.#cancel(this.#options.signal?.reason, true);

  #cancel(error: unknown, isFailure = error !== undefined): void {
    if (this.#isOver) return;
    this.isCancelled = true;
    this.#ready = [];
    this.#readyFrom = 0;
    if (!this.#isInputDone) void Promise.resolve(this.#input.return?.()).catch(() => {});
    this.#end();
    if (isFailure && this.#waiting === undefined) this.#failure = { error };
    else if (isFailure) this.#waiting?.reject(error);
    else this.#waiting?.resolve({ value: undefined, done: true });
    this.#waiting = undefined;
  }

  #end(): void {
    this.#isOver = true;
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    this.#onDone(this);
  }
}

const flagsOf = ({ address, domain }: Job): AddressFlags => ({
  isDisposable: domain.isDisposable,
  isRole: isRoleName((address as ParsedAddress).local),
  isFreeProvider: domain.isFreeProvider,
  hasPlusTag: hasPlusTag((address as ParsedAddress).local),
});

const didYouMean = ({ address, domain }: Job): string =>
  `${(address as ParsedAddress).local}@${domain.suggestion}`;
