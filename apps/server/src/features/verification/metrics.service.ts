import type { MetricsEntry } from '@assay/contract';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import type { AccountId } from '../../platform/ids.ts';
import { sumMetrics } from './metrics.store.ts';

interface MetricsQuery {
  readonly from_date: string;
  readonly to_date: string;
  readonly group_by: 'DAY' | 'MONTH';
}

const rangeMaxMs = 3 * 366 * 86_400_000;

/** Every bucket of the range, also the empty ones, in the time zone of the given dates. Without an owner all are empty. */
export async function readMetrics(
  db: Db,
  ownerId: AccountId | null,
  query: MetricsQuery,
): Promise<MetricsEntry[]> {
  const from = new Date(query.from_date);
  const to = new Date(query.to_date);
  if (to < from || to.getTime() - from.getTime() > rangeMaxMs) {
    throw new AppError(
      'invalid_request',
      {},
      {
        text: 'to_date must come after from_date, by three years at the most.',
        meta: { field: 'to_date' },
      },
    );
  }

  const offset = offsetOf(query.to_date);
  const range = { from, to, offsetMinutes: offset.minutes, groupBy: query.group_by };
  const rows = ownerId === null ? [] : await sumMetrics(db, { ownerId, ...range });
  const byBucket = new Map(rows.map((row) => [row.bucket, row]));
  return bucketsBetween(from, to, offset.minutes, query.group_by).map((bucket) => {
    const row = byBucket.get(bucket);
    return {
      date: `${bucket}T00:00:00${offset.text}`,
      validation_list_email_metrics: {
        pending_emails: row?.pending ?? 0,
        valid_emails: row?.valid ?? 0,
        invalid_emails: row?.invalid ?? 0,
        unknown_emails: row?.unknown ?? 0,
        catch_all_emails: row?.catch_all ?? 0,
      },
    };
  });
}

function offsetOf(dateTime: string): { minutes: number; text: string } {
  const match = /([+-])(\d\d):?(\d\d)$/.exec(dateTime);
  if (!match) return { minutes: 0, text: '+00:00' };
  const [, sign, hours, minutes] = match;
  return {
    minutes: (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)),
    text: `${sign}${hours}:${minutes}`,
  };
}

/** First days of the buckets, as YYYY-MM-DD on the wall clock of the offset. */
function bucketsBetween(from: Date, to: Date, offsetMinutes: number, groupBy: 'DAY' | 'MONTH'): string[] {
  const wall = (moment: Date): Date => new Date(moment.getTime() + offsetMinutes * 60_000);
  const last = wall(to);
  const cursor = wall(from);
  cursor.setUTCHours(0, 0, 0, 0);
  if (groupBy === 'MONTH') cursor.setUTCDate(1);

  const buckets: string[] = [];
  while (cursor <= last) {
    buckets.push(cursor.toISOString().slice(0, 10));
    if (groupBy === 'MONTH') cursor.setUTCMonth(cursor.getUTCMonth() + 1);
    else cursor.setUTCDate(cursor.getUTCDate() + 1);
  }
  return buckets;
}
