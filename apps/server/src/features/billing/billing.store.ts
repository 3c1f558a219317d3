import type { FreeCreditsWithheld, TopUpStop, TransactionCategory, TransactionSource } from '@assay/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';

export interface WalletRow {
  readonly available: number;
  readonly held: number;
  readonly frozen: number;
  readonly low_threshold: number | null;
  readonly top_up_stopped_because: TopUpStop | null;
  readonly top_up_cap_reached_at: Date | null;
  readonly free_credits_withheld: FreeCreditsWithheld | null;
  readonly plan_code: string;
  readonly anchored_at: Date;
  readonly next_renewal_at: Date;
  readonly past_due_since: Date | null;
  readonly owed_invoice_id: string | null;
  readonly owed_cents: number | null;
  readonly owed_plan_code: string | null;
  readonly pending_kind: 'plan_change' | 'cancellation' | null;
  readonly pending_plan_code: string | null;
  readonly pending_at: Date | null;
}

export async function findWallet(db: Db, ownerId: AccountId): Promise<WalletRow | undefined> {
  const { rows } = await sql<WalletRow>`
    select wallets.balance - wallets.held as available, wallets.held,
      (select coalesce(sum(frozen), 0)::bigint from payment_disputes
        where payment_disputes.owner_id = wallets.owner_id and status = 'open') as frozen,
      (select min(threshold) from balance_alerts
        where balance_alerts.owner_id = wallets.owner_id and threshold > balance - held) as low_threshold,
      (select stopped_because from automatic_top_ups
        where automatic_top_ups.owner_id = wallets.owner_id) as top_up_stopped_because,
      (select cap_reached_at from automatic_top_ups
        where automatic_top_ups.owner_id = wallets.owner_id and is_on) as top_up_cap_reached_at,
      free_credits_withheld, plan_code, anchored_at, next_renewal_at, past_due_since,
      pending_kind, pending_plan_code, pending_at, owed_invoice_id, owed_cents, owed_plan_code
    from wallets join subscriptions on subscriptions.owner_id = wallets.owner_id
    where wallets.owner_id = ${ownerId}`.execute(db);
  return rows[0];
}

export interface EntryFilter {
  readonly category?: TransactionCategory | undefined;
  readonly source?: TransactionSource | undefined;
  readonly hide_zero?: boolean | undefined;
}

export interface EntryRow {
  readonly entry_number: number;
  readonly key: string;
  readonly category: string;
  readonly source: string;
  readonly description: string;
  readonly amount: number;
  readonly balance_after: number;
  readonly invoice_reference: string | null;
  readonly created_at: Date;
}

// Entries of 0 at the sign-up say why there are no welcome credits, so they are never hidden.
const isWanted = ({ category, source, hide_zero }: EntryFilter): RawBuilder<boolean> => sql`
  (${category ?? null}::text is null or category = ${category ?? null})
  and (${source ?? null}::text is null or source = ${source ?? null})
  and (${hide_zero !== true} or amount <> 0 or source = 'SIGN_UP')`;

export const isEverything = ({ category, source, hide_zero }: EntryFilter): boolean =>
  category === undefined && source === undefined && hide_zero !== true;

export async function countEntries(db: Db, ownerId: AccountId, filter: EntryFilter): Promise<number> {
  if (isEverything(filter)) {
    const wallet = await db
      .selectFrom('wallets')
      .select('entry_count')
      .where('owner_id', '=', ownerId)
      .executeTakeFirstOrThrow();
    return wallet.entry_count;
  }
  const { rows } = await sql<{ count: number }>`
    select count(*) from ledger_entries where owner_id = ${ownerId} and ${isWanted(filter)}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Newest first; with `before`, only entries before that number. */
export async function findEntries(
  db: Db,
  ownerId: AccountId,
  page: {
    readonly filter: EntryFilter;
    readonly before?: number | undefined;
    readonly offset: number;
    readonly limit: number;
  },
): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    select entry_number, key, category, source, description, amount, balance_after, invoice_reference, created_at
    from ledger_entries
    where owner_id = ${ownerId} and ${isWanted(page.filter)}
      and (${page.before ?? null}::bigint is null or entry_number < ${page.before ?? null})
    order by entry_number desc limit ${page.limit} offset ${page.offset}`.execute(db);
  return rows;
}

/** An entry, or the single checks of a day and key. */
export interface EntryGroup extends EntryRow {
  /** 0 for an entry that is no single check. */
  readonly check_count: number;
  readonly api_key_id: string | null;
  readonly key_name: string | null;
}

/** Newest first, by the last entry of each group. */
export async function findEntryGroups(
  db: Db,
  ownerId: AccountId,
  page: { readonly filter: EntryFilter; readonly offset: number; readonly limit: number },
): Promise<{ groups: EntryGroup[]; total: number }> {
  const grouped = sql`
    select max(entry_number) as entry_number, sum(amount)::bigint as amount,
      count(*) filter (where day is not null) as check_count
    from (
      select entry_number, amount, api_key_id,
        case when category = 'VERIFICATION' and source = 'SINGLE' then (created_at at time zone 'UTC')::date end as day
      from ledger_entries where owner_id = ${ownerId} and ${isWanted(page.filter)}
    ) as entries
    group by day, case when day is null then entry_number end, case when day is not null then api_key_id end`;
  const counted = await sql<{ total: number }>`select count(*) as total from (${grouped}) as groups`.execute(
    db,
  );
  const { rows } = await sql<EntryGroup>`
    select groups.entry_number, last.key, last.category, last.source, last.description, groups.amount,
      last.balance_after, last.invoice_reference, last.created_at, check_count, last.api_key_id,
      scoped_api_keys.name as key_name
    from (${grouped} order by 1 desc limit ${page.limit} offset ${page.offset}) as groups
      join ledger_entries as last on last.owner_id = ${ownerId} and last.entry_number = groups.entry_number
      left join scoped_api_keys on scoped_api_keys.id = last.api_key_id and scoped_api_keys.owner_id = ${ownerId}
    order by groups.entry_number desc`.execute(db);
  return { groups: rows, total: counted.rows[0]?.total ?? 0 };
}

export async function insertSubscription(
  tx: Tx,
  subscription: { ownerId: AccountId; planCode: string; anchoredAt: Date; nextRenewalAt: Date },
): Promise<void> {
  await tx
    .insertInto('subscriptions')
    .values({
      owner_id: subscription.ownerId,
      plan_code: subscription.planCode,
      anchored_at: subscription.anchoredAt,
      next_renewal_at: subscription.nextRenewalAt,
      free_credits_at: subscription.anchoredAt,
    })
    .execute();
}

export async function findOwnersDueForRenewal(
  db: Db,
  due: { planCode: string; now: Date; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select('owner_id')
    .where('plan_code', '=', due.planCode)
    .where('next_renewal_at', '<=', due.now)
    .orderBy('next_renewal_at')
    .limit(due.limit)
    .execute();
  return rows.map((row) => row.owner_id);
}

export interface DueSubscription {
  readonly anchored_at: Date;
  readonly next_renewal_at: Date;
  readonly has_free_allowance: boolean;
}

/** Undefined when it is no longer due or another worker is renewing it. */
export async function lockDueSubscription(
  tx: Tx,
  due: { ownerId: AccountId; planCode: string; now: Date },
): Promise<DueSubscription | undefined> {
  return tx
    .selectFrom('subscriptions')
    .select(['anchored_at', 'next_renewal_at', 'has_free_allowance'])
    .where('owner_id', '=', due.ownerId)
    .where('plan_code', '=', due.planCode)
    .where('next_renewal_at', '<=', due.now)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}

export async function setFreeRenewal(
  tx: Tx,
  renewal: { ownerId: AccountId; nextRenewalAt: Date; now: Date },
): Promise<void> {
  await tx
    .updateTable('subscriptions')
    .set({ next_renewal_at: renewal.nextRenewalAt, free_credits_at: renewal.now })
    .where('owner_id', '=', renewal.ownerId)
    .execute();
}
