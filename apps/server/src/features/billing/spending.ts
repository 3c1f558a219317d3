import type { Invoice, PageQuery, Spending, TransactionSource } from '@assay/contract';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { readAvailableCredits } from './credit-ledger.ts';
import { purchaseKeyPrefixes } from './payments/purchases.ts';

const dayMs = 86_400_000;
const dayCount = 30;
const rateDays = 7;
/** A date further away says nothing. */
const lastsDaysMax = 3_650;

/** What the customer spent per day, in UTC, and how long the balance lasts at the rate of the last days. */
export async function getSpending(
  { db, clock }: { db: Db; clock: Clock },
  ownerId: string,
): Promise<Spending> {
  const now = clock.now();
  // Days without a time zone: those of the database's own zone may have 23 or 25 hours.
  const { rows } = await sql<{ date: string; credits: number }>`
    with days as (
      select generate_series(today - make_interval(days => ${dayCount - 1}), today, '1 day') as day
      from date_trunc('day', ${now}::timestamptz at time zone 'UTC') as today
    )
    select to_char(day, 'YYYY-MM-DD') as date, coalesce(-sum(amount), 0)::bigint as credits
    from days left join ledger_entries on owner_id = ${ownerId}
      and category in ('VERIFICATION', 'GUESSING')
      and created_at >= day at time zone 'UTC' and created_at < (day + interval '1 day') at time zone 'UTC'
    group by day order by day`.execute(db);
  const spent = rows.slice(-rateDays).reduce((sum, { credits }) => sum + credits, 0);
  const perDay = spent / rateDays;
  const days = (await readAvailableCredits(db, ownerId)) / perDay;
  return {
    days: rows,
    credits_per_day: Math.round(perDay * 10) / 10,
    lasts_until: days <= lastsDaysMax ? new Date(now.getTime() + days * dayMs).toISOString() : null,
  };
}

/** What the customer paid, newest first. */
export async function listInvoices(
  db: Db,
  ownerId: string,
  { page_size, page_number }: PageQuery,
): Promise<{ results: Invoice[]; total: number }> {
  const owned = db.selectFrom('purchases').where('owner_id', '=', ownerId);
  const { total } = await owned
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await owned
    .selectAll()
    .select(({ exists, not, or, selectFrom }) =>
      or([
        not(
          exists(
            selectFrom('ledger_entries')
              .select('entry_number')
              .whereRef('ledger_entries.owner_id', '=', 'purchases.owner_id')
              .where(sql<boolean>`key = ${purchaseKeyPrefixes.pack} || purchases.invoice_id`)
              .where('source', '=', 'AUTOMATIC_TOP_UP' satisfies TransactionSource),
          ),
        ),
        exists(
          selectFrom('top_up_orders')
            .select('order_id')
            .whereRef('top_up_orders.owner_id', '=', 'purchases.owner_id')
            .whereRef('payment_reference', '=', 'purchases.invoice_id')
            .where('invoice_state', '=', 'written'),
        ),
      ]).as('has_pdf'),
    )
    .orderBy('paid_at', 'desc')
    .orderBy('invoice_id', 'desc')
    .limit(page_size)
    .offset((page_number - 1) * page_size)
    .execute();
  const results = rows.map((row) => ({
    id: row.invoice_id,
    kind: row.kind,
    code: row.plan_code,
    credits: row.credits,
    total_in_cents: row.total_cents ?? row.paid_cents,
    paid_in_cents: row.paid_cents,
    paid_date: row.paid_at.toISOString(),
    has_pdf: Boolean(row.has_pdf),
  }));
  return { results, total };
}
