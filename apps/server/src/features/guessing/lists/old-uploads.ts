import { sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';

/** Removes files of people that processes of earlier versions kept in a table of their own, when they expire. */
export async function removeOldUploads({
  db,
  clock,
}: {
  readonly db: Db;
  readonly clock: Clock;
}): Promise<void> {
  await sql`delete from guess_uploads where expires_at < ${clock.now()}`.execute(db);
}
