import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { captureKeyPrefix } from './credit-ledger.ts';

/** One place where the books do not agree with the entries. */
export interface Disagreement {
  readonly ownerId: string;
  readonly finding:
    | 'balance'
    | 'entry_count'
    | 'held'
    | 'entry_number'
    | 'balance_after'
    | 'capture_without_entry'
    | 'capture_amount'
    | 'entry_without_capture'
    | 'wallet_missing';
  /** What it is about: the number of an entry, the reference of a hold, or nothing for the wallet itself. */
  readonly subject: string | null;
  /** What the entries and holds say. */
  readonly expected: number | null;
  /** What is written. */
  readonly actual: number | null;
}

/** Fetched at a time, so that however much is wrong, little of it is in memory. */
const fetchSize = 1_000;

/**
 * Recomputes every balance, hold and settlement from the entries and names each disagreement. One statement, so it sees
 * one moment of the books while customers go on spending.
 */
export async function* auditLedger(db: Db): AsyncGenerator<Disagreement> {
  // A generator cannot live inside a transaction callback, so this one is begun and ended by hand.
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

const disagreements = sql`
  with entries as (
    select owner_id, entry_number, key, amount, balance_after,
      sum(amount) over running as expected_balance, row_number() over running as expected_number
    from ledger_entries
    window running as (partition by owner_id order by entry_number)
  ), totals as (
    select owner_id, sum(amount) as balance, count(*) as entry_count from entries group by owner_id
  ), holds_running as (
    select owner_id, sum(amount) as held from holds where status = 'held' group by owner_id
  ), captures as (
    select owner_id, reference, ${captureKeyPrefix}::text || reference as key, captured
    from holds where status = 'captured'
  ), capture_entries as (
    select owner_id, key, amount from entries where key like ${`${captureKeyPrefix}%`}
  ), wallet_findings as (
    select coalesce(wallets.owner_id, totals.owner_id, holds_running.owner_id) as owner_id,
      wallets.owner_id is null as is_missing,
      wallets.balance, wallets.held, wallets.entry_count,
      coalesce(totals.balance, 0) as expected_balance, coalesce(totals.entry_count, 0) as expected_count,
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
    select owner_id, 'entry_number', entry_number::text, expected_number, entry_number
      from entries where entry_number <> expected_number
    union all
    select owner_id, 'balance_after', entry_number::text, expected_balance, balance_after
      from entries where balance_after <> expected_balance
    union all
    select owner_id,
      case when amount is null then 'capture_without_entry'
        when captured is null then 'entry_without_capture'
        else 'capture_amount' end,
      coalesce(reference, key), -captured, amount
      from captures full join capture_entries using (owner_id, key)
      where captured is null or amount is null or amount <> -captured
  ) as findings`;
