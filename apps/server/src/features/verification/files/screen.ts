// Used by jobs on reading threads, so this must load neither the database nor the engine.
import { hashText } from './address-hash.ts';
import { AddressReader } from './address-reader.ts';
import { type AddressHash, AddressSet } from './address-set.ts';
import { readMessyCell } from './messy-cell.ts';

/** Which addresses of a file are suppressed. */
export interface Screen {
  /** Finds out what is needed for some cells, before `has` is asked about them. */
  learn(cells: readonly string[]): Promise<void>;
  has(address: AddressReader): boolean;
  free(): void;
}

/** What a screen asks: which of some targets are suppressed, or the next of all suppressed targets behind one. */
export type ScreenQuestion =
  | { readonly kind: 'which'; readonly targets: readonly string[] }
  | { readonly kind: 'after'; readonly target: string };

/** Suppressed targets, one in a line. `last` is where the next question goes on; null when there are no more. */
export interface ScreenAnswer {
  readonly lines: string;
  readonly last: string | null;
}

type Ask = (question: unknown) => Promise<unknown>;

/** A file with more is compared with all suppressions: to look each of them up would take longer. */
const lookedUpMax = 20_000;
const lookedUpAtOnce = 2_000;

/** Screens the addresses of a file while it is read, and keeps the hashes of those that are suppressed. */
export class AskingScreen implements Screen {
  readonly #ask: Ask;
  readonly #reader = new AddressReader();
  readonly #targets = new AddressSet();
  readonly #found = new AddressSet();
  readonly #hashes: number[] = [];
  #hasDomains = false;
  #isComplete = false;
  #lookedUp = 0;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  async learn(cells: readonly string[]): Promise<void> {
    if (this.#isComplete) return;
    const targets = this.#targetsOf(cells);
    this.#lookedUp += targets.length;
    if (this.#lookedUp > lookedUpMax) return this.#learnAll();
    for (let start = 0; start < targets.length; start += lookedUpAtOnce) {
      const { lines } = await this.#answer({
        kind: 'which',
        targets: targets.slice(start, start + lookedUpAtOnce),
      });
      this.#add(lines);
    }
  }

  has(address: AddressReader): boolean {
    const isSuppressed =
      this.#targets.has(address) || (this.#hasDomains && this.#targets.has(hashText(address.domain)));
    if (isSuppressed && this.#found.findOrAdd(address, 0) < 0) this.#hashes.push(address.low, address.high);
    return isSuppressed;
  }

  /** Of the suppressed addresses; null if there is none. */
  get hashes(): Uint8Array | null {
    return this.#hashes.length === 0 ? null : new Uint8Array(Uint32Array.from(this.#hashes).buffer);
  }

  free(): void {
    this.#targets.free();
    this.#found.free();
  }

  #targetsOf(cells: readonly string[]): string[] {
    const targets = new Set<string>();
    const add = (text: string): boolean => {
      if (!this.#reader.read(text)) return false;
      targets.add(this.#reader.normal).add(this.#reader.domain);
      return true;
    };
    for (const cell of cells) if (!add(cell)) for (const text of readMessyCell(cell)) add(text);
    return [...targets];
  }

  async #learnAll(): Promise<void> {
    for (let target: string | null = ''; target !== null; ) {
      const { lines, last }: ScreenAnswer = await this.#answer({ kind: 'after', target });
      this.#add(lines);
      target = last;
    }
    this.#isComplete = true;
  }

  #add(lines: string): void {
    if (lines === '') return;
    for (const target of lines.split('\n')) {
      this.#targets.findOrAdd(hashText(target), 0);
      this.#hasDomains ||= !target.includes('@');
    }
  }

  async #answer(question: ScreenQuestion): Promise<ScreenAnswer> {
    return (await this.#ask(question)) as ScreenAnswer;
  }
}

/** The screen of a file that was counted before: exactly the addresses that were left out then. */
class CountedScreen implements Screen {
  readonly #suppressed = new AddressSet();

  constructor(hashes: Uint8Array) {
    const halves = new Uint32Array(new Uint8Array(hashes).buffer);
    for (let at = 0; at + 1 < halves.length; at += 2)
      this.#suppressed.findOrAdd({ low: halves[at] as number, high: halves[at + 1] as number }, 0);
  }

  async learn(): Promise<void> {}

  has(address: AddressHash): boolean {
    return this.#suppressed.has(address);
  }

  free(): void {
    this.#suppressed.free();
  }
}

export const countedScreen = (hashes: Uint8Array | null): Screen | undefined =>
  hashes === null ? undefined : new CountedScreen(hashes);
