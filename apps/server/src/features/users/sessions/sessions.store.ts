import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import type { UserId } from '../../../platform/ids.ts';

/** If two processes do this at the same time, the later second and its kept session win. */
export async function updateSessionsValidFrom(
  tx: Tx,
  userId: UserId,
  { validFrom, keptSession }: { validFrom: Date; keptSession: string | null },
): Promise<void> {
  await tx
    .updateTable('users')
    .set({ sessions_valid_from: validFrom, kept_session: keptSession })
    .where('id', '=', userId)
    .where((where) =>
      where.or([where('sessions_valid_from', 'is', null), where('sessions_valid_from', '<=', validFrom)]),
    )
    .execute();
}

/** Each new row deletes a few expired ones. */
const sweptPerNewRow = 10;

export async function insertEndedSession(
  db: Db,
  session: { issuer: string; sessionKey: string; keptUntil: Date; now: Date },
): Promise<void> {
  const times = { ended_at: session.now, kept_until: session.keptUntil };
  await db
    .insertInto('ended_sessions')
    .values({ issuer: session.issuer, session_key: session.sessionKey, ...times })
    .onConflict((conflict) => conflict.columns(['issuer', 'session_key']).doUpdateSet(times))
    .execute();
  await sql`
    delete from ended_sessions where (issuer, session_key) in (
      select issuer, session_key from ended_sessions where kept_until <= ${session.now}
      limit ${sweptPerNewRow} for update skip locked)`.execute(db);
}
