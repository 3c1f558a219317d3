import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type { AccountId } from '../../../platform/ids.ts';
import type { ListPlace } from '../../lists/index.ts';

/** How many pieces lists have, by their ids. */
export async function countPieces(db: Db, lists: readonly ListPlace[]): Promise<Map<string, number>> {
  if (lists.length === 0) return new Map();
  const { rows } = await sql<{ list_id: string; pieces: number }>`
    select list_id, count(*) as pieces from list_chunks
    where (owner_id, list_id) in (
      select * from unnest(${lists.map(({ ownerId }) => ownerId)}::uuid[], ${lists.map(({ listId }) => listId)}::uuid[]))
    group by list_id`.execute(db);
  return new Map(rows.map(({ list_id, pieces }) => [list_id, pieces]));
}

export interface FoundCheck {
  readonly ownerId: AccountId;
  /** Null for a single check. */
  readonly list: { readonly id: string; readonly name: string } | null;
  readonly date: Date;
}

/** No index has the hash of an address: it would cost every row of every list. So a search reads this many of the newest. */
const searched = { singles: 200_000, lists: 1_000, rows: 500_000 } as const;

interface Bound {
  readonly since: Date | null;
}

/**
 * The newest checks of the address with this SHA-256, as hexadecimal digits, of its lower case in UTF-8. `since` says how far back
 * it looked, or null if it looked at all of them.
 */
export async function findByAddressHash(
  db: Db,
  hash: string,
  limit: number,
): Promise<{ found: FoundCheck[]; since: { singles: Date | null; lists: Date | null } }> {
  const isAddress = sql`sha256(convert_to(lower(email_address), 'UTF8')) = decode(${hash}, 'hex')`;
  const singlesSince = await sql<Bound>`
    select created_at as since from single_validations
    order by created_at desc limit 1 offset ${searched.singles - 1}`.execute(db);
  const singles = await sql<{ ownerId: AccountId; date: Date }>`
    select owner_id as "ownerId", created_at as date from single_validations
    where created_at >= ${singlesSince.rows[0]?.since ?? new Date(0)} and ${isAddress}
    order by date desc limit ${limit}`.execute(db);
  const lists = await sql<{ ownerId: AccountId; id: string; name: string; date: Date }>`
    with ${newestLists}
    select owner_id as "ownerId", id, name, created_at as date from newest
    where rows_left > 0 and exists (
      -- A bound on the number, and no order and limit: sorted rows take three times as long to read.
      select from list_rows
      where owner_id = newest.owner_id and list_id = newest.id and row_number <= newest.rows_left and ${isAddress})
    order by date desc limit ${limit}`.execute(db);
  const listsSince = await sql<Bound>`
    with ${newestLists}
    select case when count(*) < ${searched.lists} and coalesce(min(rows_left - total_emails), 0) >= 0 then null
      else min(created_at) filter (where rows_left > 0) end as since from newest`.execute(db);
  const found = [
    ...singles.rows.map(({ ownerId, date }) => ({ ownerId, list: null, date })),
    ...lists.rows.map(({ ownerId, id, name, date }) => ({ ownerId, list: { id, name }, date })),
  ].sort((left, right) => right.date.getTime() - left.date.getTime());
  return {
    found: found.slice(0, limit),
    since: { singles: singlesSince.rows[0]?.since ?? null, lists: listsSince.rows[0]?.since ?? null },
  };
}

/** The newest lists, each with how many of its rows are searched. */
const newestLists = sql`newest as (
  select *, ${searched.rows} - (sum(total_emails) over (order by created_at desc, id) - total_emails) as rows_left
  from (select owner_id, id, name, created_at, total_emails from lists
    where kind = 'emails' and status not in ('DRAFT', 'DELETED') order by created_at desc, id limit ${searched.lists}) as lists)`;
