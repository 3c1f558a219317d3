import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';

const removedAtOnce = 10_000;

/** Deletes what was recorded before a moment. Numbers follow the time, so the oldest have the lowest. */
export async function deleteOldOutcomes(
  db: Db,
  { ownerId, before }: { readonly ownerId: AccountId; readonly before: Date },
  signal: AbortSignal,
): Promise<void> {
  for (let count = removedAtOnce; count === removedAtOnce; ) {
    signal.throwIfAborted();
    const { numAffectedRows = 0n } = await sql`
      delete from outcomes where owner_id = ${ownerId} and recorded_at < ${before} and number in (
        select number from outcomes where owner_id = ${ownerId} order by number limit ${sql.lit(removedAtOnce)})`.execute(
      db,
    );
    count = Number(numAffectedRows);
  }
}
