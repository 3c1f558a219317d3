import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';

export interface Chain {
  readonly ownerId: AccountId;
  readonly lastNumber: number;
  readonly lastHash: Buffer;
  /** A closed log takes no entry any more. Only that of a deleted account may be closed. */
  readonly isWronglyClosed: boolean;
}

export interface Entry {
  readonly number: number;
  readonly recordedAt: Date;
  readonly contents: string | null;
  readonly salt: Buffer | null;
  readonly listName: string | null;
  readonly listNameSalt: Buffer | null;
  readonly contentsHash: Buffer;
  readonly hash: Buffer;
  /** Whether contents may be missing: a year is over, or the account is deleted. */
  readonly isRemovable: boolean;
  /** Whether the name of the list may be missing: the log says that the list was deleted. */
  readonly isListDeleted: boolean;
}

export const chainsAtATime = 1_000;
const entriesAtATime = 1_000;

/** Entries without a chain count as a chain whose number and hash are missing. */
export async function findChains(
  db: Db,
  { ownerId, after }: { readonly ownerId: AccountId | undefined; readonly after: string | undefined },
): Promise<Chain[]> {
  const { rows } = await sql<Chain>`
    select owner_id as "ownerId", coalesce(last_number, entries.count) as "lastNumber",
      coalesce(last_hash, '') as "lastHash",
      erased_at is not null and not activity_account_is_deleted(owner_id) as "isWronglyClosed"
    from activity_chains
    full join (select owner_id, count(*) from activity_entries
      where owner_id not in (select owner_id from activity_chains) group by owner_id) as entries using (owner_id)
    where (${ownerId ?? null}::uuid is null or owner_id = ${ownerId ?? null}::uuid)
      and (${after ?? null}::uuid is null or owner_id > ${after ?? null}::uuid)
    order by owner_id limit ${chainsAtATime}`.execute(db);
  return rows;
}

/** One statement, so that contents and the reasons why they may be missing are of the same moment. */
export async function findEntries(db: Db, { ownerId, lastNumber }: Chain, after: number): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    select number, recorded_at as "recordedAt", contents::text as contents, salt, list_name as "listName",
      list_name_salt as "listNameSalt", contents_hash as "contentsHash", hash,
      recorded_at < now() - interval '365 days' or activity_account_is_deleted(owner_id) as "isRemovable",
      list_name is null and activity_list_is_deleted(owner_id, contents -> 'list' ->> 'id') as "isListDeleted"
    from activity_entries
    where owner_id = ${ownerId} and number > ${after} and number <= ${lastNumber}
    order by number limit ${entriesAtATime}`.execute(db);
  return rows;
}
