import type { PageQuery, SuppressionReason, SuppressionSource } from '@assay/contract';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import { escapePattern } from '../../platform/database/escape-pattern.ts';
import { findPage } from '../../platform/database/find-page.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { AccountId } from '../../platform/ids.ts';

export type SuppressionRow = Selectable<Tables['suppressions']>;

/** Where the changes of a customer stand. */
export type ChangeClock = Pick<Selectable<Tables['suppression_clocks']>, (typeof clockColumns)[number]>;

const clockColumns = ['last_number', 'entries', 'generation', 'forgotten_number'] as const;

/**
 * Makes all other changes of a customer wait until the transaction ends. So numbers become visible in their order, and a cursor
 * behind one of them never skips another that commits late.
 */
export function lockChanges(tx: Tx, ownerId: AccountId): Promise<ChangeClock> {
  return tx
    .insertInto('suppression_clocks')
    .values({ owner_id: ownerId })
    .onConflict((conflict) =>
      conflict.column('owner_id').doUpdateSet(({ ref }) => ({ entries: ref('suppression_clocks.entries') })),
    )
    .returning(clockColumns)
    .executeTakeFirstOrThrow();
}

/** No clock that ran has this generation. */
const neverChanged: ChangeClock = { last_number: 0, entries: 0, generation: 0, forgotten_number: 0 };

export async function findClock(db: Db, ownerId: AccountId): Promise<ChangeClock> {
  const found = await db
    .selectFrom('suppression_clocks')
    .select(clockColumns)
    .where('owner_id', '=', ownerId)
    .executeTakeFirst();
  return found ?? neverChanged;
}

async function advance(
  tx: Tx,
  ownerId: AccountId,
  { changes, entries }: { readonly changes: number; readonly entries: number },
): Promise<void> {
  if (changes === 0) return;
  await tx
    .updateTable('suppression_clocks')
    .set({ last_number: sql`last_number + ${changes}`, entries: sql`entries + ${entries}` })
    .where('owner_id', '=', ownerId)
    .execute();
}

/** An entry to write. */
export interface NewEntry {
  readonly target: string;
  readonly reason: SuppressionReason;
  readonly endsAt: Date | null;
}

interface Written {
  readonly count: number;
  readonly added: number;
  readonly changed: number;
}

interface EntryWriting {
  readonly ownerId: AccountId;
  readonly source: SuppressionSource;
  readonly clock: ChangeClock;
  readonly now: Date;
  /** Whether an entry that is there gets the end of the new one. */
  readonly replacesEnd: RawBuilder<boolean>;
}

/** After `lockChanges`. Writes a page of `entryPages`. An entry that is there keeps its reason, source and date. */
async function writeEntries(
  tx: Tx,
  page: string,
  { ownerId, source, clock, now, replacesEnd }: EntryWriting,
): Promise<Written> {
  const kept = (column: string) =>
    sql`case when old.removed_at is null then ${sql.ref(`old.${column}`)} else ${sql.ref(`excluded.${column}`)} end`;
  const { rows } = await sql<Written>`
    with given as materialized (
      select *, gen_random_uuid() as id
      from rows from (json_to_recordset(${page}) as (target text, reason text, "endsAt" timestamptz))
        with ordinality as given (target, reason, ends_at, place)
    ), written as (
      insert into suppressions as old (owner_id, target, id, number, reason, source, created_at, ends_at)
      select ${ownerId}, target, id, ${clock.last_number}::bigint + place, reason, ${source}, ${now}, ends_at from given
      on conflict (owner_id, target) do update set
        id = ${kept('id')}, reason = ${kept('reason')}, source = ${kept('source')}, created_at = ${kept('created_at')},
        number = excluded.number, ends_at = excluded.ends_at, removed_at = null
      where old.removed_at is not null or ${replacesEnd}
      returning id
    ), counted as (
      select count(*)::int as written, count(*) filter (where id in (select id from given))::int as added from written
    )
    select (select count(*)::int from given) as count, added, written - added as changed from counted`.execute(
    tx,
  );
  const [written = { count: 0, added: 0, changed: 0 }] = rows;
  await advance(tx, ownerId, { changes: written.count, entries: written.added });
  return written;
}

type Writing = Omit<EntryWriting, 'replacesEnd'>;

/** What the customer says counts, also about the end of an entry. */
export const writeWanted = (tx: Tx, page: string, writing: Writing): Promise<Written> =>
  writeEntries(tx, page, {
    ...writing,
    replacesEnd: sql`old.ends_at is distinct from excluded.ends_at`,
  });

/** What outcomes prove only makes an entry longer. */
export const writeProved = (tx: Tx, page: string, writing: Writing): Promise<Written> =>
  writeEntries(tx, page, {
    ...writing,
    replacesEnd: sql`coalesce(old.ends_at < coalesce(excluded.ends_at, 'infinity'), false)`,
  });

/** pg looks at every text of an array by itself, which delays other calls. */
const targetsAtATime = 2_000;

/** When each of the targets was last removed, if it still is. */
export async function findRemovals(
  tx: Tx,
  ownerId: AccountId,
  targets: readonly string[],
): Promise<Map<string, Date>> {
  const removals = new Map<string, Date>();
  for (let start = 0; start < targets.length; start += targetsAtATime) {
    const { rows } = await sql<{ target: string; removed_at: Date }>`
      select target, removed_at from suppressions where owner_id = ${ownerId}
        and target = any(${targets.slice(start, start + targetsAtATime)}::text[]) and removed_at is not null`.execute(
      tx,
    );
    for (const { target, removed_at } of rows) removals.set(target, removed_at);
  }
  return removals;
}

/** After `lockChanges`. False if there is no such entry. */
export async function removeEntry(
  tx: Tx,
  ownerId: AccountId,
  entry: { readonly target: string } | { readonly id: string },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update suppressions set removed_at = ${now}, number = clock.last_number + 1
    from suppression_clocks clock
    where suppressions.owner_id = ${ownerId} and clock.owner_id = ${ownerId} and removed_at is null
      and ${'id' in entry ? sql`id = ${entry.id}` : sql`target = ${entry.target}`}
    returning id`.execute(tx);
  await advance(tx, ownerId, { changes: rows.length, entries: -rows.length });
  return rows.length > 0;
}

/** Customers with entries whose end has come. */
export async function findEnding(db: Db, now: Date, limit: number): Promise<AccountId[]> {
  const { rows } = await sql<{ owner_id: AccountId }>`
    select distinct owner_id from (
      select owner_id from suppressions where removed_at is null and ends_at <= ${now} order by ends_at limit ${limit}
    ) ending`.execute(db);
  return rows.map(({ owner_id }) => owner_id);
}

/** After `lockChanges`. Returns how many ended. */
export async function endEntries(tx: Tx, ownerId: AccountId, now: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    update suppressions set removed_at = ${now}, number = clock.last_number + ending.place
    from suppression_clocks clock, (
      select target, row_number() over (order by ends_at, target) as place from suppressions
      where owner_id = ${ownerId} and removed_at is null and ends_at <= ${now}
      order by ends_at, target limit ${limit}
    ) ending
    where suppressions.owner_id = ${ownerId} and clock.owner_id = ${ownerId} and suppressions.target = ending.target
    returning id`.execute(tx);
  await advance(tx, ownerId, { changes: rows.length, entries: -rows.length });
  return rows.length;
}

/** How many removals are kept of each customer who may have more of them than so many. */
export async function countManyRemovals(
  db: Db,
  max: number,
): Promise<{ readonly ownerId: AccountId; readonly count: number }[]> {
  // Each removal that is kept has a number of its own.
  const { rows } = await sql<{ ownerId: AccountId; count: number }>`
    select owner_id as "ownerId", (
      select count(*)::int from suppressions where owner_id = clock.owner_id and removed_at is not null) as count
    from suppression_clocks clock where last_number - forgotten_number > ${max}::bigint`.execute(db);
  return rows;
}

/** After `lockChanges`. Forgets the oldest removals, and notes which cursors would miss them. */
export async function forgetOldestRemovals(tx: Tx, ownerId: AccountId, count: number): Promise<void> {
  await sql`
    with forgotten as (
      delete from suppressions where owner_id = ${ownerId} and removed_at is not null and number in (
        select number from suppressions where owner_id = ${ownerId} and removed_at is not null
        order by number limit ${count})
      returning number
    )
    update suppression_clocks set forgotten_number = greatest(forgotten_number, (select max(number) from forgotten))
    where owner_id = ${ownerId}`.execute(tx);
}

/** Forgets removals that no valid cursor can miss. Returns how many. */
export async function forgetRemovals(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from suppressions where (owner_id, target) in (
      select owner_id, target from suppressions where removed_at < ${before} limit ${limit}) and removed_at < ${before}`.execute(
    db,
  );
  return Number(numAffectedRows);
}

export interface SuppressionFilter {
  readonly search?: string | undefined;
  readonly kind?: 'address' | 'domain' | undefined;
  readonly reason?: SuppressionReason | undefined;
}

const matching = (db: Db, ownerId: AccountId, { search = '', kind, reason }: SuppressionFilter) =>
  db
    .selectFrom('suppressions')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('removed_at', 'is', null)
    .$if(search !== '', (query) => query.where('target', 'ilike', `%${escapePattern(search)}%`))
    .$if(kind !== undefined, (query) =>
      query.where('target', kind === 'address' ? 'like' : 'not like', '%@%'),
    )
    .$if(reason !== undefined, (query) => query.where('reason', '=', reason ?? 'added'))
    .orderBy('number', 'desc');

export async function findEntries(
  db: Db,
  ownerId: AccountId,
  filter: SuppressionFilter,
  page: PageQuery,
): Promise<{ readonly rows: SuppressionRow[]; readonly total: number }> {
  const isFiltered = Object.values(filter).some((part) => part !== undefined && part !== '');
  if (isFiltered) return findPage(matching(db, ownerId, filter), page);
  // To count a million entries for each page would take longer than to find its rows.
  const rows = await matching(db, ownerId, filter)
    .limit(page.page_size)
    .offset((page.page_number - 1) * page.page_size)
    .execute();
  return { rows, total: (await findClock(db, ownerId)).entries };
}

/** Some of all entries, the newest below a number. */
export const findEntriesBelow = (
  db: Db,
  ownerId: AccountId,
  filter: SuppressionFilter,
  { below, limit }: { readonly below: number | undefined; readonly limit: number },
): Promise<SuppressionRow[]> =>
  matching(db, ownerId, filter)
    .$if(below !== undefined, (query) => query.where('number', '<', below ?? 0))
    .limit(limit)
    .execute();

/** Entries and removals behind a number, in the order in which they were made. */
export const findChanges = (
  db: Db,
  ownerId: AccountId,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<SuppressionRow[]> =>
  db
    .selectFrom('suppressions')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute();

/** For statements about rows of the customer: whether an address or its domain, both as suppressions compare them, is suppressed. */
export const isSuppressed = (
  ownerId: AccountId,
  { address, domain }: { readonly address: RawBuilder<unknown>; readonly domain: RawBuilder<unknown> },
  now: Date,
): RawBuilder<boolean> => sql<boolean>`exists (
  select from suppressions where suppressions.owner_id = ${ownerId} and target in (${address}, ${domain})
    and removed_at is null and (ends_at is null or ends_at > ${now}))`;

/** Which of the targets are suppressed. */
export async function findSuppressed(
  db: Db,
  { ownerId, now }: { readonly ownerId: AccountId; readonly now: Date },
  targets: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ target: string }>`
    select target from suppressions where owner_id = ${ownerId} and target = any(${[...targets]}::text[])
      and removed_at is null and (ends_at is null or ends_at > ${now})`.execute(db);
  return rows.map(({ target }) => target);
}

/** The next suppressed targets behind one, in their order, one in a line; null behind the last. */
export async function findTargetsAfter(
  db: Db,
  { ownerId, now }: { readonly ownerId: AccountId; readonly now: Date },
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<{ readonly lines: string; readonly last: string } | null> {
  const { rows } = await sql<{ lines: string | null; last: string | null }>`
    select string_agg(target, e'\n') as lines, max(target) as last from (
      select target from suppressions where owner_id = ${ownerId} and target > ${after}
        and removed_at is null and (ends_at is null or ends_at > ${now})
      order by target limit ${limit}) page`.execute(db);
  const [page] = rows;
  return page?.lines != null && page.last !== null ? { lines: page.lines, last: page.last } : null;
}

/** Refuses all cursors: after a restore, numbers that were given out before it come again. */
export async function startNewGeneration(db: Db, now: Date): Promise<void> {
  await db
    .updateTable('suppression_clocks')
    .set({ generation: Math.floor(now.getTime() / 1_000) })
    .execute();
}
