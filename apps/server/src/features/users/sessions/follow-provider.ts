import type { Subject } from '../../../platform/auth/index.ts';
import type { Db } from '../../../platform/database/database.ts';
import { publishSessionsEnded } from '../../../platform/events/index.ts';
import type { Identity, SessionRules } from '../users.store.ts';
import { updateSessionsValidFrom } from './sessions.store.ts';

/**
 * The first token after a password was changed on the provider's own pages tells that all other sessions ended there. They end
 * here with it. Its own second may be that of the change, so the second before is the last that is refused; an older
 * session's token of the same second is refused by its `auth_time`.
 */
export async function followProvider(
  db: Db,
  subject: Subject,
  known: Identity & SessionRules,
): Promise<void> {
  if (!subject.sessionsValidFrom) return;
  const validFrom = new Date(subject.sessionsValidFrom.getTime() - 1_000);
  if (known.sessionsValidFrom && validFrom <= known.sessionsValidFrom) return;
  await db.transaction().execute(async (tx) => {
    await updateSessionsValidFrom(tx, known.userId, { validFrom, keptSession: subject.sessionId });
    await publishSessionsEnded(tx, known.userId);
  });
}
