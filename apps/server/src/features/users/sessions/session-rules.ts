import type { Subject } from '../../../platform/auth/index.ts';
import type { SessionRules } from '../users.store.ts';

/**
 * Whether a token belongs to a session that was ended. Tokens count whole seconds, and `sessionsValidFrom` is the whole
 * second in which the sessions ended: a token of that very second may be older than the end, so it is refused.
 *
 * A refresh token that outlived the end at the provider gives newer tokens, but `auth_time` in them stays. So a session
 * must also have begun after the end, or be the one that was kept.
 *
 * A provider may keep a session that was signed out of here, because its own sign-out was not finished. Its tokens count again
 * once the person has proved anew who they are.
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
