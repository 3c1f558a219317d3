import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Customer } from './customer.ts';
import { longestDelayMs } from './event-loop-delay.ts';
import type { AttackedProduct } from './product.ts';

const blockMsMax = 200;
const slowerMax = 5;
// Reading the metrics takes the API about 10 ms, which a neighbour would feel if it were done more often.
const lookEveryMs = 1_000;
const idleMs = 5_000;
/** Below this, differences are noise. */
const idleP95MsMin = 2;
/** Fewest calls for a meaningful 95th percentile. */
const samplesMin = 40;

export interface TimingReport {
  readonly longestBlockMs: number;
  readonly idleP95Ms: number;
  readonly attackedP95Ms: number;
}

/** Measures the API's event loop and a customer who calls only `users/me`, before and during an attack. */
export class Watch {
  readonly #product: AttackedProduct;
  readonly #neighbour: Worker;
  readonly #onFault: (fault: string) => void;
  readonly #idleP95Ms: number;
  #longestBlockMs = 0;
  #isOver = false;

  private constructor(
    product: AttackedProduct,
    neighbour: Worker,
    idleP95Ms: number,
    onFault: (fault: string) => void,
  ) {
    this.#product = product;
    this.#neighbour = neighbour;
    this.#idleP95Ms = idleP95Ms;
    this.#onFault = onFault;
  }

  static async begin(product: AttackedProduct, onFault: (fault: string) => void): Promise<Watch> {
    const customer = await Customer.signUp(product);
    const workerData = { target: product.target, headers: customer.headersOf('bearer') };
    // On a separate thread, so that the attack's own work does not count as waiting.
    const neighbour = new Worker(new URL('./neighbour.ts', import.meta.url), { workerData });
    await once(neighbour, 'online');
    // The first calls of a process are slower than all others.
    await pause(idleMs);
    await p95Of(neighbour);
    await pause(idleMs);
    return new Watch(product, neighbour, Math.max(idleP95MsMin, await p95Of(neighbour)), onFault);
  }

  /** Measures until the attack is over. `underWay` returns the requests that may be the cause. */
  async during(attack: Promise<void>, underWay: () => string[]): Promise<TimingReport> {
    const attacking = attack.finally(() => {
      this.#isOver = true;
    });
    await Promise.all([attacking, this.#look(underWay)]);
    const attackedP95Ms = await p95Of(this.#neighbour);
    if (attackedP95Ms > slowerMax * this.#idleP95Ms) {
      this.#onFault(
        `users/me of a neighbour took ${attackedP95Ms.toFixed(1)} ms (p95) and ${this.#idleP95Ms.toFixed(1)} ms when idle`,
      );
    }
    return { longestBlockMs: this.#longestBlockMs, idleP95Ms: this.#idleP95Ms, attackedP95Ms };
  }

  async end(): Promise<void> {
    await this.#neighbour.terminate();
  }

  /** The longest delay since the last reading; each reading resets the metric. */
  async #look(underWay: () => string[]): Promise<void> {
    await longestDelayMs(this.#product.metricsUrl);
    while (!this.#isOver) {
      const before = underWay();
      await pause(lookEveryMs);
      const delayMs = await longestDelayMs(this.#product.metricsUrl);
      this.#longestBlockMs = Math.max(this.#longestBlockMs, delayMs);
      if (delayMs <= blockMsMax) continue;
      const suspects = [...new Set([...before, ...underWay()])].join('\n  ');
      this.#onFault(
        `the event loop stood still for ${delayMs.toFixed(0)} ms, while these were under way:\n  ${suspects}`,
      );
    }
  }
}

async function p95Of(neighbour: Worker): Promise<number> {
  neighbour.postMessage('report');
  const [durations] = (await once(neighbour, 'message')) as [number[]];
  if (durations.length < samplesMin)
    throw new Error(`only ${durations.length} calls of the neighbour returned`);
  const sorted = durations.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length * 0.95)] as number;
}
