import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { API_KEY_PREFIX, KEY_PREFIXES, type KeyMode } from '@assay/contract';

const randomPartBytes = 24;
const unscopedPattern = /^assay_live_[0-9a-f]{48}$/;
const scopedPattern = /^(assay_(?:live|test)_[0-9a-f]{48})([0-9a-f]{8})$/;

/** The kind of API key that a text can be, decided without a query. Null for a text that is none, such as a mistyped key. */
export function kindOfToken(text: string): 'unscoped' | 'scoped' | null {
  if (unscopedPattern.test(text)) return 'unscoped';
  const [, body, checksum] = scopedPattern.exec(text) ?? [];
  return body !== undefined && checksumOf(body) === checksum ? 'scoped' : null;
}

export const newUnscopedToken = (): string => `${API_KEY_PREFIX}${newRandomPart()}`;

export function newScopedToken(mode: KeyMode): string {
  const body = `${KEY_PREFIXES[mode]}${newRandomPart()}`;
  return `${body}${checksumOf(body)}`;
}

const newRandomPart = (): string => randomBytes(randomPartBytes).toString('hex');

/** Reveals typing errors; it protects nothing. */
const checksumOf = (body: string): string => crc32(body).toString(16).padStart(8, '0');
