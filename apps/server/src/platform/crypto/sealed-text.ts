import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Secrets } from './secrets.ts';

/** What a sealed text is for and whose it is: it opens under exactly this and nothing else. */
export interface SealedFor {
  /** Names the key, as in `Secrets.keyFor`. */
  readonly purpose: string;
  /** The row it belongs to: a ciphertext that was moved to another row does not open there. */
  readonly rowId: string;
}

const cipherName = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts a text so that it can be stored: AES-256-GCM, base64 of nonce, tag and ciphertext. */
export function sealText(secrets: Secrets, { purpose, rowId }: SealedFor, text: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(cipherName, secrets.keyFor(purpose), nonce).setAAD(Buffer.from(rowId));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

/** Throws when it was sealed for something else, under a secret that we do not have, or was changed since. */
export function openText(secrets: Secrets, sealedFor: SealedFor, sealed: string): string {
  const [earlier, ...others] = secrets.previous;
  try {
    return openWith(secrets, sealedFor, sealed);
  } catch (error) {
    if (!earlier) throw error;
    return openText({ ...earlier, previous: others }, sealedFor, sealed);
  }
}

function openWith(secrets: Secrets, { purpose, rowId }: SealedFor, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv(cipherName, secrets.keyFor(purpose), bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
    .setAAD(Buffer.from(rowId))
    .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
}

/** Whether the present secret opens it, without a previous one. */
export function isSealedNow(secrets: Secrets, sealedFor: SealedFor, sealed: string): boolean {
  try {
    openWith(secrets, sealedFor, sealed);
    return true;
  } catch {
    return false;
  }
}
