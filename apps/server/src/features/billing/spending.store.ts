import type { Spending } from '@assay/contract';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';
import { readAvailableCredits } from './credit-ledger.store.ts';

const dayMs = 86_400_000;
const dayCount = 30;
const rateDays = 7;
/** A date further away says nothing. */
const lastsDaysMax = 3_650;

/** What the customer spent per day, in UTC, and how long the balance lasts at the rate of the last days. */
export async function getSpending(
  { db, clock }: { db: Db; clock: Clock },
  ownerId: AccountId,
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
