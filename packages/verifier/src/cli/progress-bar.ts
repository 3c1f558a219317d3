import type { Result } from '../judgement/reasons.ts';

const redrawMs = 100;
const barCells = 24;

/** A line at the foot of a terminal that says how far we are. Silent anywhere else. */
export class ProgressBar {
  readonly #stream: NodeJS.WriteStream | undefined;
  readonly #share: () => number | undefined;
  readonly #counts: Record<Result, number> = { VALID: 0, INVALID: 0, CATCH_ALL: 0, UNKNOWN: 0 };
  readonly #startedAt = performance.now();
  #total = 0;
  #timer: NodeJS.Timeout | undefined;
  #isShown = false;

  /** @param share how much of the input has been read, from 0 to 1, when that is known */
  constructor(stream: NodeJS.WritableStream, share: () => number | undefined) {
    this.#stream = (stream as NodeJS.WriteStream).isTTY ? (stream as NodeJS.WriteStream) : undefined;
    this.#share = share;
    if (this.#stream !== undefined) this.#timer = setInterval(() => this.#draw(), redrawMs);
  }

  count(result: Result): void {
    this.#counts[result] += 1;
    this.#total += 1;
  }

  /** Makes room for other output. */
  clear(): void {
    if (!this.#isShown) return;
    this.#stream?.write('\r\u001b[K');
    this.#isShown = false;
  }

  end(): void {
    clearInterval(this.#timer);
    this.clear();
  }

  #draw(): void {
    const { VALID, INVALID, CATCH_ALL, UNKNOWN } = this.#counts;
    const share = this.#share();
    const filled = Math.round((share ?? 0) * barCells);
    const bar = share === undefined ? '' : `${'█'.repeat(filled)}${'░'.repeat(barCells - filled)} `;
    const perSecond = Math.round(this.#total / Math.max(0.1, (performance.now() - this.#startedAt) / 1_000));
    const text = `${bar}${this.#total} done, ${perSecond}/s  ✓ ${VALID}  ✗ ${INVALID}  ≈ ${CATCH_ALL}  ? ${UNKNOWN}`;
    this.#stream?.write(`\r\u001b[K${text.slice(0, (this.#stream.columns ?? 80) - 1)}`);
    this.#isShown = true;
  }
}
