import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import type { AccountId } from '../../../platform/ids.ts';

export async function findThresholds(db: Db, ownerId: AccountId): Promise<number[]> {
  const rows = await db
    .selectFrom('balance_alerts')
    .select('threshold')
    .where('owner_id', '=', ownerId)
    .orderBy('threshold', 'desc')
    .execute();
  return rows.map(({ threshold }) => threshold);
}

/** A threshold that the balance is already below is not alerted about: the customer knows. */
export async function replaceThresholds(
  tx: Tx,
  ownerId: AccountId,
  thresholds: readonly number[],
  now: Date,
): Promise<void> {
  await sql`delete from balance_alerts
    where owner_id = ${ownerId} and threshold <> all(${thresholds}::bigint[])`.execute(tx);
  await sql`
    insert into balance_alerts (owner_id, threshold, low_since)
    select owner_id, threshold, case when balance - held < threshold then ${now}::timestamptz end
      from wallets, unnest(${thresholds}::bigint[]) as threshold
      where owner_id = ${ownerId}
    on conflict do nothing`.execute(tx);
}

/** Work holds credits and gives some back, so a balance can cross a threshold with every check. */
const quietMs = 600_000;

/**
 * Whether a balance has crossed a threshold, down or up, since it was last looked at. A crossing soon after an alert of the
 * same threshold is one when the quiet time is over, if the balance is still low then. A `told_at` in the
 * future is from a clock that was ahead, and is ignored.
 */
const isCrossed = (now: Date) => {
  const [quietSince, quietUntil] = [-quietMs, quietMs].map((ms) => new Date(now.getTime() + ms));
  return sql`(low_since is null) = (balance - held < threshold)
    and (low_since is not null or told_at is null or told_at <= ${quietSince} or told_at > ${quietUntil})`;
};

/** Customers whose balance has crossed a threshold, or whose top-up has stopped or used up its cap, and who were not told of it. */
export async function findBalanceNews(
  db: Db,
  { now, limit }: { now: Date; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ owner_id: AccountId }>`
    select owner_id from balance_alerts join wallets using (owner_id) where ${isCrossed(now)}
    union
    select owner_id from automatic_top_ups where not is_stop_told or not is_cap_told
    order by owner_id limit ${limit}`.execute(db);
  return rows.map(({ owner_id }) => owner_id);
}

export interface LowBalance {
  readonly threshold: number;
  readonly balance: number;
}

/**
 * Takes the alert of one customer, in the transaction that sends it: of processes that do this at the same moment, one
 * gets it. A fall through several thresholds is one alert, about the lowest. A balance that is above again arms its
 * threshold for the next crossing.
 */
export async function takeLowBalance(
  tx: Tx,
  { ownerId, now }: { ownerId: AccountId; now: Date },
): Promise<LowBalance | undefined> {
  const { rows } = await sql<LowBalance & { is_low: boolean }>`
    update balance_alerts set
      low_since = case when balance - held < threshold then ${now}::timestamptz end,
      told_at = case when balance - held < threshold then ${now}::timestamptz else told_at end
    from wallets
    where balance_alerts.owner_id = ${ownerId} and wallets.owner_id = balance_alerts.owner_id and ${isCrossed(now)}
    returning threshold, balance - held as balance, low_since is not null as is_low`.execute(tx);
  return rows
    .filter(({ is_low }) => is_low)
    .map(({ threshold, balance }) => ({ threshold, balance }))
    .sort((a, b) => a.threshold - b.threshold)[0];
}
