import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts with AES-256-GCM. It opens only with the same `context`, so it cannot be moved to another account or page. */
export function seal(key: Buffer, plain: Buffer, context: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Undefined when it was changed, or sealed by another key or in another context. */
export function unseal(key: Buffer, sealed: Buffer, context: string): Buffer | undefined {
  if (sealed.length < nonceBytes + tagBytes) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]);
  } catch {
    return undefined;
  }
}
