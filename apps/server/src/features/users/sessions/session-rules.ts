import type { Subject } from '../../../platform/auth/index.ts';
import type { SessionRules } from '../users.store.ts';

/**
 * Whether a token belongs to an ended session. Token times are whole seconds, and `sessionsValidFrom` is the whole
 * second in which the sessions ended. A token of that second may be older than the end, so it is refused.
 *
 * A refresh token that survives at the provider gives newer tokens with the same `auth_time`. So a session
 * must also have started after the end, or be the kept one.
 *
 * A provider may keep a session that was signed out here, because its own sign-out was not finished. Its tokens count again
 * after a new sign-in.
 */
export function isSessionEnded(
  { issuedAt, signedInAt, sessionId }: Pick<Subject, 'issuedAt' | 'signedInAt' | 'sessionId'>,
  { sessionsValidFrom, keptSession, signedOutAt }: SessionRules,
): boolean {
  if (signedOutAt !== null && (signedInAt === null || signedInAt <= signedOutAt)) return true;
  if (sessionsValidFrom === null) return false;
  if (issuedAt <= sessionsValidFrom) return true;
  const isKept = sessionId !== null && sessionId === keptSession;
  return !isKept && signedInAt !== null && signedInAt <= sessionsValidFrom;
}
