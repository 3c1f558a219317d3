import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';

const removedAtOnce = 10_000;

/** Deletes all but the newest outcomes of a customer. */
export async function keepNewestOutcomes(
  db: Db,
  { ownerId, keptMax }: { readonly ownerId: AccountId; readonly keptMax: number },
  signal: AbortSignal,
): Promise<void> {
  for (let count = removedAtOnce; count === removedAtOnce; ) {
    signal.throwIfAborted();
    const { numAffectedRows = 0n } = await sql`
      delete from outcomes where owner_id = ${ownerId} and number in (
        select number from outcomes where owner_id = ${ownerId}
          and number <= (select last_number from outcome_counters where owner_id = ${ownerId}) - ${keptMax}::bigint
        order by number limit ${sql.lit(removedAtOnce)})`.execute(db);
    count = Number(numAffectedRows);
  }
}

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
