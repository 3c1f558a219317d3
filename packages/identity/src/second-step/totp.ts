import { createHmac, timingSafeEqual } from 'node:crypto';

// RFC 6238 with the values that every authenticator app assumes: SHA-1, 30 seconds, 6 digits.
const stepSeconds = 30;
const digits = 6;
/** A code of the step before or after counts too: clocks differ, and typing takes time (RFC 6238 §5.2). */
const driftSteps = 1;
/** RFC 4226 §4 recommends 160 bits. */
export const totpSecretBytes = 20;

/** RFC 4648 base32, as otpauth addresses and people's eyes want it: no padding, no 0, 1, 8 or 9. */
const base32Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac('sha1', secret).update(counter).digest();
  // RFC 4226 §5.3: the last four bits say where the 31 bits of the code begin.
  const offset = (hash.at(-1) ?? 0) & 0xf;
  const number = hash.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** The step whose code this is, or undefined. The caller must take each step once. */
export function findTotpStep(secret: Buffer, code: string, now: Date): number | undefined {
  const current = Math.floor(now.getTime() / 1000 / stepSeconds);
  const given = Buffer.from(code);
  let found: number | undefined;
  for (let step = current - driftSteps; step <= current + driftSteps; step++) {
    const expected = Buffer.from(totpCode(secret, step));
    if (expected.length === given.length && timingSafeEqual(expected, given)) found = step;
  }
  return found;
}

/** What the QR code holds: https://github.com/google/google-authenticator/wiki/Key-Uri-Format. */
export function otpauthUrl(secret: Buffer, email: string): string {
  const label = `Assay:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?secret=${base32Of(secret)}&issuer=Assay&algorithm=SHA1&digits=${digits}&period=${stepSeconds}`;
}

export function base32Of(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => base32Letters[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('');
}
