import type { AddressReader } from './address-reader.ts';

/**
 * Draws addresses evenly from a file of any length: those with the lowest hashes. The same file gives the same sample, so
 * that asking again teaches nothing new.
 */
export class AddressSample {
  readonly #size: number;
  /** The highest hash last. */
  readonly #kept: { readonly hash: number; readonly email: string }[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  readonly offer = ({ low, email }: Pick<AddressReader, 'low' | 'email'>): void => {
    const kept = this.#kept;
    if (kept.length === this.#size && low >= (kept.at(-1)?.hash ?? 0)) return;
    const place = kept.findIndex(({ hash }) => hash > low);
    kept.splice(place < 0 ? kept.length : place, 0, { hash: low, email });
    if (kept.length > this.#size) kept.pop();
  };

  get emails(): string[] {
    return this.#kept.map(({ email }) => email);
  }
}
