import { createHmac, hkdfSync } from 'node:crypto';

/**
 * Keys made from the installation's one secret. Each purpose has its own, so that what one leaks or signs says nothing
 * about another. A purpose is part of what is stored: renaming one makes its hashes and ciphertexts unreadable.
 */
export interface Secrets {
  /** 32 bytes that are the same for the same purpose in every process. */
  keyFor(purpose: string): Buffer;
  /** HMAC-SHA-256 in hex: finds equal values again without revealing them to readers of the database. */
  keyedHash(purpose: string, value: string): string;
  /** The same under the secret and under previous ones: to find what was stored before the secret was changed. */
  keyedHashes(purpose: string, value: string): [string, ...string[]];
  /** Earlier secrets of the installation. They open and find old values; nothing new is made with them. */
  readonly previous: readonly Secrets[];
}

export function createSecrets(secret: string, previousSecrets: readonly string[] = []): Secrets {
  const previous = previousSecrets.map((earlier) => createSecrets(earlier));
  const keys = new Map<string, Buffer>();
  const keyFor = (purpose: string): Buffer => {
    let key = keys.get(purpose);
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', secret, 'assay', purpose, 32));
      keys.set(purpose, key);
    }
    return key;
  };
  const keyedHash = (purpose: string, value: string): string =>
    createHmac('sha256', keyFor(purpose)).update(value).digest('hex');
  return {
    keyFor,
    keyedHash,
    keyedHashes: (purpose, value) => [
      keyedHash(purpose, value),
      ...previous.map((earlier) => earlier.keyedHash(purpose, value)),
    ],
    previous,
  };
}
