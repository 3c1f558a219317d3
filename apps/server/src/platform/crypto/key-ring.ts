import { openText, sealText } from './sealed-text.ts';
import { createSecrets } from './secrets.ts';

/** A text that was encrypted, and the name of the key that opens it. */
export interface Sealed {
  readonly keyId: string;
  readonly sealed: string;
}

/** Encryption whose key can be changed: the newest key seals, and older ones still open what they sealed. */
export interface KeyRing {
  readonly currentKeyId: string;
  /** Every key that opens, the current one included. */
  readonly keyIds: readonly string[];
  /** `rowId` binds the text to its row: in another row it does not open. */
  seal(rowId: string, text: string): Sealed;
  open(rowId: string, sealed: Sealed): string;
}

/** What was sealed with a key that the configuration no longer has: giving the key back opens it again. */
export class KeyMissing extends Error {
  override readonly name = 'KeyMissing';

  constructor(keyId: string) {
    super(`The key ${keyId} is not in the configuration.`);
  }
}

/** Newest key first. A key's name is derived from it, tells nothing about it, and is the same in every process. */
export function createKeyRing(purpose: string, keys: readonly [string, ...string[]]): KeyRing {
  const named = keys.map((key) => {
    const secrets = createSecrets(key);
    return { keyId: secrets.keyedHash('key name', purpose).slice(0, 12), secrets };
  });
  const [current] = named as [(typeof named)[number]];
  return {
    currentKeyId: current.keyId,
    keyIds: named.map(({ keyId }) => keyId),
    seal: (rowId, text) => ({
      keyId: current.keyId,
      sealed: sealText(current.secrets, { purpose, rowId }, text),
    }),
    open: (rowId, { keyId, sealed }) => {
      const key = named.find((candidate) => candidate.keyId === keyId);
      if (!key) throw new KeyMissing(keyId);
      return openText(key.secrets, { purpose, rowId }, sealed);
    },
  };
}
