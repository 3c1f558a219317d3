import './wishes.tables.ts';
import type { KnownWish, WishStore } from '@assay/verifier';
import { sql } from 'kysely';
import { Batch } from '../../../platform/batch.ts';
import type { Db } from '../../../platform/database/database.ts';

/** What owners of domains want, shared by all workers, whatever egress address they use. */
export function createSharedWishes(db: Db): WishStore {
  const finding = new Batch({ call: (domains: string[]) => findWishes(db, domains) });
  return {
    find: async (domain) => (await finding.add(domain)).get(domain),
    savePerDay: (domain, perDay) => savePerDay(db, domain, perDay),
    async saveStop(domain, { until, host, words }) {
      await sql`
        insert into owner_wishes (domain, stop_until, stop_host, stop_words)
        values (${domain}, ${new Date(until)}, ${host}, ${words})
        on conflict (domain) do update set stop_until = excluded.stop_until, stop_host = excluded.stop_host,
          stop_words = excluded.stop_words, changed_at = now()`.execute(db);
    },
    take: (domain, perDay, count) => takeToday(db, domain, { perDay, count }),
    addAsked: (domain, count) => addAsked(db, domain, count),
  };
}

async function addAsked(db: Db, domain: string, count: number): Promise<void> {
  await sql`
    insert into owner_questions as known (domain, day, asked, taken)
    values (${domain}, (now() at time zone 'UTC')::date, ${count}, 0)
    on conflict (domain, day) do update set asked = known.asked + excluded.asked`.execute(db);
}

export interface AskedCount {
  /** A day of UTC. */
  readonly date: string;
  /** To the nearest ten, of all accounts and through all egress addresses. */
  readonly questions: number;
}

const daysShown = 30;

/** How often a domain was asked about, without the last 24 hours: nobody may learn from it who is being checked. */
export async function findAskedCounts(db: Db, domain: string): Promise<AskedCount[]> {
  const { rows } = await sql<AskedCount>`
    select to_char(day, 'YYYY-MM-DD') as date, (round(asked / 10.0) * 10)::float8 as questions from owner_questions
    where domain = ${domain} and day < (now() at time zone 'UTC')::date - 1
    order by day desc limit ${daysShown}`.execute(db);
  return rows;
}

async function findWishes(db: Db, domains: readonly string[]): Promise<Map<string, KnownWish>> {
  const rows = await db
    .selectFrom('owner_wishes')
    .select(['domain', 'per_day', 'stop_until', 'stop_host', 'stop_words'])
    .where(sql<boolean>`domain = any(${domains})`)
    .execute();
  return new Map(
    rows.map(({ domain, per_day, stop_until, stop_host, stop_words }) => [
      domain,
      {
        ...(per_day !== null && { perDay: Number(per_day) }),
        ...(stop_until !== null && {
          stop: { until: stop_until.getTime(), host: stop_host ?? '', words: stop_words ?? '' },
        }),
      },
    ]),
  );
}

async function savePerDay(db: Db, domain: string, perDay: number): Promise<void> {
  const stored = Number.isFinite(perDay) ? perDay : null;
  await sql`
    insert into owner_wishes (domain, per_day) values (${domain}, ${stored}::bigint)
    on conflict (domain) do update set per_day = excluded.per_day, changed_at = now()`.execute(db);
}

/** Takes some of today's questions. Workers take one after the other, because they wait for the row. */
async function takeToday(
  db: Db,
  domain: string,
  { perDay, count }: { readonly perDay: number; readonly count: number },
): Promise<number> {
  const first = Math.min(count, perDay);
  const { rows } = await sql<{ taken: string }>`
    insert into owner_questions as known (domain, day, asked, taken)
    values (${domain}, (now() at time zone 'UTC')::date, ${first}, ${first})
    on conflict (domain, day) do update set
      taken = greatest(0, least(${count}::bigint, ${perDay}::bigint - known.asked)),
      asked = known.asked + greatest(0, least(${count}::bigint, ${perDay}::bigint - known.asked))
    returning taken`.execute(db);
  return Number(rows[0]?.taken ?? 0);
}

export interface DomainStop {
  readonly domain: string;
  readonly until: Date;
  readonly host: string;
  readonly words: string;
}

/** Domains whose hosts asked us to stop, the latest first. */
export async function findStops(db: Db): Promise<DomainStop[]> {
  const { rows } = await sql<DomainStop>`
    select domain, stop_until as until, stop_host as host, stop_words as words from owner_wishes
    where stop_until > now() order by changed_at desc, domain`.execute(db);
  return rows;
}

/** Says whether there was a stop to lift. Workers learn of it when they read the record of the domain again, within an hour. */
export async function liftStop(db: Db, domain: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('owner_wishes')
    .set({ stop_until: null, stop_host: null, stop_words: null, changed_at: sql`now()` })
    .where('domain', '=', domain)
    .where('stop_until', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Forgets wishes that are over, and counts that are shown no more. */
export async function sweepWishes(db: Db): Promise<void> {
  await sql`
    delete from owner_wishes where per_day is null and (stop_until is null or stop_until < now())`.execute(
    db,
  );
  await sql`delete from owner_questions where day < (now() at time zone 'UTC')::date - ${daysShown + 2}::int`.execute(
    db,
  );
}
