import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Customer } from '../customer.ts';
import type { AttackedProduct } from '../product.ts';
import type { Target } from '../send.ts';

/** What the neighbour calls: users/me, and a check of one address with its verdict. */
export type Kind = 'me' | 'check';
/** `refused` is 429 or 503; `failed` is any other error, no answer, or no verdict. */
export type Outcome = 'answered' | 'refused' | 'failed';

export interface Sample {
  readonly kind: Kind;
  readonly phase: 'control' | 'abuse';
  readonly ms: number;
  readonly outcome: Outcome;
}

export interface SettleLimits {
  readonly meMs: number;
  readonly checkMs: number;
  readonly withinMs: number;
}

export type HeadersOf = Readonly<Record<Kind, Record<string, string>>>;

export type Question =
  | { readonly kind: 'move in'; readonly target: Target; readonly headers: HeadersOf }
  | { readonly kind: 'measure'; readonly phase: Sample['phase'] }
  | { readonly kind: 'rest' }
  | { readonly kind: 'settle'; readonly limits: SettleLimits }
  | { readonly kind: 'report' };
export type Word =
  | { readonly kind: 'done' }
  | { readonly kind: 'settled'; readonly isSettled: boolean }
  | { readonly kind: 'samples'; readonly samples: readonly Sample[] };

/** More than a neighbour uses. */
const credits = 100_000;
const warmUpMs = 15_000;

/** Customers who do no harm and measure what others do to them. */
export class Neighbour {
  readonly #thread = new Worker(new URL('./neighbour-thread.ts', import.meta.url));

  /** Two new customers of this product. */
  async moveIn(product: AttackedProduct): Promise<void> {
    const [me, check] = [await Customer.signUp(product), await Customer.signUp(product, credits)];
    const headers = { me: me.headersOf('bearer'), check: check.headersOf('bearer') };
    await this.#ask({ kind: 'move in', target: product.target, headers });
  }

  /** Calls that are not counted: a process that has just started is slower than one that serves. */
  async warmUp(product: AttackedProduct): Promise<void> {
    await this.moveIn(product);
    await this.measure('control');
    await pause(warmUpMs);
    await this.rest();
    await this.report();
  }

  async measure(phase: Sample['phase']): Promise<void> {
    await this.#ask({ kind: 'measure', phase });
  }

  /** Begins no further calls, and waits for the answers of those under way. */
  async rest(): Promise<void> {
    await this.#ask({ kind: 'rest' });
  }

  /** Waits until calls are fast. False if they are not in time. */
  async settle(limits: SettleLimits): Promise<boolean> {
    const word = await this.#ask({ kind: 'settle', limits });
    return word.kind === 'settled' && word.isSettled;
  }

  /** The calls since the last report. */
  async report(): Promise<readonly Sample[]> {
    const word = await this.#ask({ kind: 'report' });
    return word.kind === 'samples' ? word.samples : [];
  }

  async moveOut(): Promise<void> {
    await this.#thread.terminate();
  }

  async #ask(question: Question): Promise<Word> {
    const heard = once(this.#thread, 'message') as Promise<[Word]>;
    this.#thread.postMessage(question);
    const [word] = await heard;
    return word;
  }
}
