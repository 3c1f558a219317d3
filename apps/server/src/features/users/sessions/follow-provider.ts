import type { Subject } from '../../../platform/auth/index.ts';
import type { Db } from '../../../platform/database/database.ts';
import { publishSessionsEnded } from '../../../platform/events/index.ts';
import type { Identity, SessionRules } from '../users.store.ts';
import { updateSessionsValidFrom } from './sessions.store.ts';

/**
 * After a password change on the provider's own pages, tokens say that older sessions ended there. The first such token ends
 * them here; returns the new rules. The change and the sign-in with the new password may share a second, so the
 * second before is the last that is refused. No session is kept, because the first token may belong to a stolen one.
 */
export async function followProvider(
  db: Db,
  subject: Subject,
  known: Identity & SessionRules,
): Promise<SessionRules> {
  if (!subject.sessionsValidFrom) return known;
  const validFrom = new Date(subject.sessionsValidFrom.getTime() - 1_000);
  if (known.sessionsValidFrom && validFrom <= known.sessionsValidFrom) return known;
  const keptSession = null;
  await db.transaction().execute(async (tx) => {
    await updateSessionsValidFrom(tx, known.userId, { validFrom, keptSession });
    await publishSessionsEnded(tx, known.userId);
  });
  return { ...known, sessionsValidFrom: validFrom, keptSession };
}
