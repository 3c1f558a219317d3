import { createHash } from 'node:crypto';
import type { Clock, SteadyClock } from '../clock.ts';
import type { VerifiedToken, VerifyBearer } from './bearer.ts';
import { tokenRememberedMs } from './issuer.ts';
import type { Subject } from './subject.ts';

const tokensMax = 10_000;

interface Remembered {
  /** Without the function that reads the profile, because that holds the token itself. */
  readonly subject: Omit<Subject, 'readProfile'>;
  readonly expiresAt: Date;
  readonly verifiedAtMs: number;
}

/**
 * Verifies the signature of a token once a minute instead of at every call. Sessions that ended are not this function's
 * concern: `resolveSubject` reads them from the database at every call. See docs/decisions/request-cost.md.
 */
export function rememberTokens(verify: VerifyBearer, clock: Clock & SteadyClock): VerifyBearer {
  const remembered = new Map<string, Remembered>();
  return async (token) => {
    const key = createHash('sha256').update(token).digest('base64');
    const nowMs = clock.steadyMs();
    const known = remembered.get(key);
    if (known && nowMs - known.verifiedAtMs < tokenRememberedMs && clock.now() < known.expiresAt)
      return recall(token, known);

    remembered.delete(key);
    const verified = await verify(token);
    const { expiresAt } = verified;
    const { readProfile: _, ...subject } = verified.subject;
    if (remembered.size >= tokensMax) remembered.delete(remembered.keys().next().value ?? '');
    remembered.set(key, { subject, expiresAt, verifiedAtMs: nowMs });
    return verified;
  };

  function recall(token: string, { subject, expiresAt }: Remembered): VerifiedToken {
    const readProfile = async () => (await verify(token)).subject.readProfile();
    return { subject: { ...subject, readProfile }, expiresAt };
  }
}
