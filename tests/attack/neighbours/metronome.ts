import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/**
 * Measures how long the machine itself stood still: a virtual machine is taken off its processors now and then, and no program on it
 * can help that.
 */
export class Metronome {
  readonly #thread = new Worker(new URL('./metronome-thread.ts', import.meta.url));

  /** The longest standstill since the last reading, in ms. 0 where threads cannot go before those of the product. */
  async longestMs(): Promise<number> {
    this.#thread.postMessage('read');
    const [ms] = await once(this.#thread, 'message');
    return ms;
  }

  async stop(): Promise<void> {
    await this.#thread.terminate();
  }
}
