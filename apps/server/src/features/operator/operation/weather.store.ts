import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import { otherProviders, type Weather } from '../../engine/index.ts';

export interface WeatherRow {
  readonly date: Date;
  readonly egress: string;
  readonly provider: string;
  readonly counts: Partial<Record<Weather, number>>;
}

/** How providers answered since a moment, by egress and in steps of so many seconds. */
export async function findWeather(
  db: Db,
  { since, stepSeconds }: { readonly since: Date; readonly stepSeconds: number },
): Promise<WeatherRow[]> {
  const { rows } = await sql<WeatherRow>`
    select date, egress, provider, jsonb_object_agg(kind, count) as counts
    from (
      select to_timestamp(floor(extract(epoch from bucket) / ${stepSeconds}::int) * ${stepSeconds}::int) as date,
        substr(detail, strpos(detail, ' ') + 1) as egress, part as provider, split_part(detail, ' ', 1) as kind,
        sum(count)::float8 as count
      from operation_counts where name = 'weather' and bucket >= ${since} group by 1, 2, 3, 4) as counted
    group by 1, 2, 3 order by 1, 2, 3`.execute(db);
  return rows;
}

export interface RoughWeather {
  readonly provider: string;
  readonly since: Date;
}

const hoursLookedAt = 6;
/** Fewer answers say nothing. */
const answersMin = 20;
const roughShareMin = 0.3;

/**
 * Providers that answer slowly now, through all egress addresses together: in each ten minutes since then, a large part of our questions was
 * deferred, blocked or not answered in time.
 */
export async function findRoughWeather(db: Db, now: Date): Promise<RoughWeather[]> {
  const since = new Date(now.getTime() - hoursLookedAt * 3_600_000);
  const newest = new Date(now.getTime() - 2 * 600_000);
  const { rows } = await sql<RoughWeather>`
    with counted as (
      select part as provider, bucket, sum(count) as asked, sum(count) filter (where detail not like 'answered %') as failed
      from operation_counts
      where name = 'weather' and bucket >= ${since} and part <> ${otherProviders} and detail not like 'held_back %'
      group by 1, 2 having sum(count) >= ${answersMin}::int),
    judged as (
      select provider, bucket, coalesce(failed, 0) >= ${roughShareMin}::float8 * asked as is_rough from counted)
    select provider, min(bucket) as since from judged as rough
    where is_rough and not exists (
      select from judged as fine where fine.provider = rough.provider and fine.bucket > rough.bucket and not fine.is_rough)
    group by provider having max(bucket) >= ${newest} order by provider`.execute(db);
  return rows;
}
