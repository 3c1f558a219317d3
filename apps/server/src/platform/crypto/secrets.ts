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
}

export function createSecrets(secret: string): Secrets {
  const keys = new Map<string, Buffer>();
  const keyFor = (purpose: string): Buffer => {
    let key = keys.get(purpose);
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', secret, 'assay', purpose, 32));
      keys.set(purpose, key);
    }
    return key;
  };
  return {
    keyFor,
    keyedHash: (purpose, value) => createHmac('sha256', keyFor(purpose)).update(value).digest('hex'),
  };
}
