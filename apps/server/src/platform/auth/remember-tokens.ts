import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { VerifiedToken, VerifyBearer } from './bearer.ts';
import { tokenRememberedMs } from './issuer.ts';

const tokensMax = 10_000;

interface Remembered {
  readonly verified: VerifiedToken;
  readonly until: number;
}

/**
 * Verifies the signature of a token once a minute instead of at every call. Sessions that ended are not this function's
 * concern: `resolveSubject` reads them from the database at every call. See docs/decisions/request-cost.md.
 */
export function rememberTokens(verify: VerifyBearer, clock: Clock): VerifyBearer {
  const remembered = new Map<string, Remembered>();
  return async (token) => {
    const key = createHash('sha256').update(token).digest('base64');
    const now = clock.now().getTime();
    const known = remembered.get(key);
    if (known && now < known.until) return known.verified;

    remembered.delete(key);
    const verified = await verify(token);
    if (remembered.size >= tokensMax) remembered.delete(remembered.keys().next().value ?? '');
    remembered.set(key, { verified, until: Math.min(now + tokenRememberedMs, verified.expiresAt.getTime()) });
    return verified;
  };
}
