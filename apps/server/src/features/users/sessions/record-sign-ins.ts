import { createHash } from 'node:crypto';
import type { Person } from '../../../platform/auth/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { recordActivity } from '../../activity/index.ts';

const sessionsMax = 10_000;

/**
 * Records each sign-in once, with the first call that uses it. This process remembers the sessions that it has seen, so
 * further calls cost no query; the log refuses a session that another process has recorded.
 */
export function createSignInRecorder({
  db,
  clock,
}: {
  readonly db: Db;
  readonly clock: Clock;
}): (person: Person) => Promise<void> {
  const recorded = new Map<string, Promise<void>>();
  return (person) => {
    const session = sessionOf(person);
    const known = recorded.get(session);
    if (known) return known;

    if (recorded.size >= sessionsMax) recorded.delete(recorded.keys().next().value ?? '');
    const recording = recordActivity(db, person, {
      kind: 'session.started',
      session: createHash('sha256').update(session).digest('base64url'),
      now: clock.now(),
    });
    recorded.set(session, recording);
    // The caller gets the error; the next call tries again.
    recording.catch(() => recorded.delete(session));
    return recording;
  };
}

/**
 * A provider may keep a session's id after its person signed in again, so the time of the sign-in counts too. If the
 * provider tells neither, every token counts as a sign-in.
 */
function sessionOf({ userId, subject }: Person): string {
  const signIn = subject?.signedInAt ? String(subject.signedInAt.getTime()) : subject?.sessionKey;
  return [userId, subject?.issuer, subject?.sub, subject?.sessionId ?? '', signIn].join(' ');
}
