import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';

const removedAtOnce = 10_000;

/** Deletes all but the newest outcomes of a customer. */
export const keepNewestOutcomes = (
  db: Db,
  { ownerId, keptMax }: { readonly ownerId: AccountId; readonly keptMax: number },
  signal: AbortSignal,
): Promise<void> =>
  removeOldest(
    db,
    ownerId,
    sql`number <= (select last_number from outcome_counters where owner_id = ${ownerId}) - ${keptMax}::bigint`,
    signal,
  );

/** Deletes what was recorded before a moment. Numbers follow the time, so the oldest have the lowest. */
export const deleteOldOutcomes = (
  db: Db,
  { ownerId, before }: { readonly ownerId: AccountId; readonly before: Date },
  signal: AbortSignal,
): Promise<void> => removeOldest(db, ownerId, sql`recorded_at < ${before}`, signal);

/** Deletes those of the oldest for which a condition holds, in short transactions. */
async function removeOldest(
  db: Db,
  ownerId: AccountId,
  condition: RawBuilder<unknown>,
  signal: AbortSignal,
): Promise<void> {
  for (let count = removedAtOnce; count === removedAtOnce; ) {
    signal.throwIfAborted();
    count = await db.transaction().execute(async (tx) => {
      // As whoever adds outcomes, so that both change the counts by kind one after the other.
      await sql`select from outcome_counters where owner_id = ${ownerId} for update`.execute(tx);
      const { numAffectedRows = 0n } = await sql`
        delete from outcomes where owner_id = ${ownerId} and ${condition} and number in (
          select number from outcomes where owner_id = ${ownerId} order by number limit ${sql.lit(removedAtOnce)})`.execute(
        tx,
      );
      return Number(numAffectedRows);
    });
  }
}
