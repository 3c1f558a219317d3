import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';
import { couponKeyPrefix } from './coupons/redeem-coupon.ts';
import { captureKeyPrefix, laterKey } from './credit-ledger.store.ts';
import { purchaseKeyPrefixes, reversalKeyPrefix } from './payments/purchases.ts';
import { takenGrantPrefix } from './take-back-grant.ts';

/** One mismatch between the entries and another table. */
export interface Disagreement {
  /** Null for a finding about no customer, such as a coupon. */
  readonly ownerId: AccountId | null;
  readonly finding:
    | 'balance'
    | 'bought'
    | 'entry_count'
    | 'held'
    | 'entry_number'
    | 'balance_after'
    | `${'capture' | 'purchase' | 'coupon'}_${'without_entry' | 'amount'}`
    | `entry_without_${'capture' | 'purchase' | 'coupon'}`
    | 'refunds_above_purchase'
    | 'frozen'
    | 'claimed'
    | 'key_usage'
    | 'coupon_count'
    | 'wallet_missing';
  /** The entry number, hold, invoice, dispute, coupon, or key and day; null for the wallet itself. */
  readonly subject: string | null;
  /** According to the entries and holds. */
  readonly expected: number | null;
  /** As stored. */
  readonly actual: number | null;
}

/** Rows per fetch, which bounds the memory however much is wrong. */
const fetchSize = 1_000;

/**
 * Recomputes every balance, hold and settlement from the entries and yields each mismatch. A single statement, so it sees
 * one consistent snapshot while customers continue to spend.
 */
export async function* auditLedger(db: Db): AsyncGenerator<Disagreement> {
  // A generator cannot run inside a transaction callback, so it starts and ends the transaction itself.
  const tx = await db.startTransaction().setAccessMode('read only').execute();
  try {
    await sql`declare ledger_audit no scroll cursor for ${disagreements}`.execute(tx);
    for (;;) {
      const { rows } = await sql<Disagreement>`fetch ${sql.lit(fetchSize)} from ledger_audit`.execute(tx);
      yield* rows;
      if (rows.length < fetchSize) break;
    }
  } finally {
    await tx.rollback().execute();
  }
}

const purchaseKeyPatterns = Object.values(purchaseKeyPrefixes).map((prefix) => `${prefix}%`);

const keyOfReversal = sql`
  case kind when 'grant' then ${takenGrantPrefix}::text else ${reversalKeyPrefix}::text end || dispute_id`;

const disagreements = sql`
  with entries as (
    select owner_id, entry_number, key, amount, balance_after,
      sum(amount) over running as expected_balance, row_number() over running as expected_number,
      bought_after(category, amount, balance_after) over running as bought
    from ledger_entries
    window running as (partition by owner_id order by entry_number)
  ), totals as (
    select owner_id, sum(amount) as balance, count(*) as entry_count,
      (array_agg(bought order by entry_number desc))[1] as bought
    from entries group by owner_id
  ), holds_running as (
    select owner_id, sum(amount) as held from holds where status = 'held' group by owner_id
  ), records as (
    -- Everything that moved credits according to other tables, with the key of its entry.
    select owner_id, 'capture' as kind, reference as subject, ${captureKeyPrefix}::text || reference as key,
      -captured as amount
      from holds where status = 'captured'
    union all
    select owner_id, 'purchase', invoice_id,
      case kind when 'plan' then ${purchaseKeyPrefixes.plan}::text else ${purchaseKeyPrefixes.pack}::text end || invoice_id,
      credits
      from purchases
    union all
    select owner_id, 'coupon', code, ${couponKeyPrefix}::text || code, credits from coupon_redemptions
  ), recorded_entries as (
    select owner_id, key, amount, case
        when key like ${`${captureKeyPrefix}%`} then 'capture'
        when key like any(${purchaseKeyPatterns}) then 'purchase'
        else 'coupon' end as kind
    from entries
    where key like ${`${captureKeyPrefix}%`} or key like any(${purchaseKeyPatterns})
      or key like ${`${couponKeyPrefix}%`}
  ), refunded as (
    select owner_id, invoice_reference as invoice_id, -sum(amount) as credits from ledger_entries
    where key like ${`${reversalKeyPrefix}%`} group by owner_id, invoice_reference
  ), frozen as (
    -- What a dispute took at once and later; the entry that returns it is no part of this.
    select owner_id, dispute_id, -sum(amount) as credits from payment_disputes join ledger_entries using (owner_id)
    where key = ${keyOfReversal} or starts_with(key, ${keyOfReversal} || ${laterKey('', '')}::text)
    group by owner_id, dispute_id
  ), claims as (
    select owner_id, sum(claimed) as credits from payment_disputes group by owner_id
  ), keys_used as (
    -- Of keys that exist: the usage of a revoked one is deleted, its holds are not.
    select owner_id, api_key_id, (placed_at at time zone 'UTC')::date as day,
      sum(case status when 'held' then amount else coalesce(captured, 0) end) as credits
    from holds join scoped_api_keys using (owner_id) where scoped_api_keys.id = api_key_id
    group by owner_id, api_key_id, 3
  ), redemptions as (
    select code, count(*) as redemption_count from coupon_redemptions group by code
  ), wallet_findings as (
    select coalesce(wallets.owner_id, totals.owner_id, holds_running.owner_id) as owner_id,
      wallets.owner_id is null as is_missing,
      wallets.balance, wallets.held, wallets.bought, wallets.entry_count,
      coalesce(totals.bought, 0) as expected_bought, coalesce(totals.balance, 0) as expected_balance, coalesce(totals.entry_count, 0) as expected_count,
      coalesce(holds_running.held, 0) as expected_held
    from wallets
      full join totals on totals.owner_id = wallets.owner_id
      full join holds_running on holds_running.owner_id = coalesce(wallets.owner_id, totals.owner_id)
  )
  select owner_id as "ownerId", finding, subject, expected::bigint as expected, actual::bigint as actual from (
    select owner_id, 'wallet_missing' as finding, null as subject, null::numeric as expected, null::numeric as actual
      from wallet_findings where is_missing
    union all
    select owner_id, 'balance', null, expected_balance, balance
      from wallet_findings where balance <> expected_balance
    union all
    select owner_id, 'entry_count', null, expected_count, entry_count
      from wallet_findings where entry_count <> expected_count
    union all
    select owner_id, 'held', null, expected_held, held
      from wallet_findings where held <> expected_held
    union all
    select owner_id, 'bought', null, expected_bought, bought
      from wallet_findings where bought <> expected_bought
    union all
    select owner_id, 'entry_number', entry_number::text, expected_number, entry_number
      from entries where entry_number <> expected_number
    union all
    select owner_id, 'balance_after', entry_number::text, expected_balance, balance_after
      from entries where balance_after <> expected_balance
    union all
    select owner_id,
      case when recorded_entries.amount is null then records.kind || '_without_entry'
        when records.amount is null then 'entry_without_' || recorded_entries.kind
        else records.kind || '_amount' end,
      coalesce(records.subject, key), records.amount, recorded_entries.amount
      from records full join recorded_entries using (owner_id, key)
      where records.amount is distinct from recorded_entries.amount
    union all
    select owner_id, 'refunds_above_purchase', invoice_id, coalesce(purchases.credits, 0), refunded.credits
      from refunded left join purchases using (owner_id, invoice_id)
      where refunded.credits > coalesce(purchases.credits, 0)
    union all
    select owner_id, 'frozen', dispute_id, coalesce(frozen.credits, 0), payment_disputes.frozen
      from payment_disputes left join frozen using (owner_id, dispute_id)
      where payment_disputes.frozen <> coalesce(frozen.credits, 0)
    union all
    select owner_id, 'claimed', null, coalesce(claims.credits, 0), wallets.claimed
      from wallets left join claims using (owner_id)
      where wallets.claimed <> coalesce(claims.credits, 0)
    union all
    select owner_id, 'key_usage', api_key_id || ' ' || day, coalesce(keys_used.credits, 0), coalesce(counted.credits, 0)
      from keys_used full join (
        select api_key_usage.* from api_key_usage join scoped_api_keys using (owner_id)
        where scoped_api_keys.id = api_key_id
      ) as counted using (owner_id, api_key_id, day)
      where coalesce(keys_used.credits, 0) <> coalesce(counted.credits, 0)
    union all
    select null, 'coupon_count', code, coalesce(redemptions.redemption_count, 0), coupons.redemption_count
      from coupons left join redemptions using (code)
      where coupons.redemption_count <> coalesce(redemptions.redemption_count, 0)
  ) as findings`;
