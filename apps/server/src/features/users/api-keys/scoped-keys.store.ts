import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import type { Tables } from '../../../platform/database/tables.ts';
import type { AccountId } from '../../../platform/ids.ts';

export type ScopedKeyRow = Selectable<Tables['scoped_api_keys']>;

export interface KeyPlace {
  readonly ownerId: AccountId;
  readonly id: string;
}

export async function findKeys(db: Db, ownerId: AccountId): Promise<ScopedKeyRow[]> {
  return db
    .selectFrom('scoped_api_keys')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

export async function findKey(db: Db, { ownerId, id }: KeyPlace): Promise<ScopedKeyRow | undefined> {
  return db
    .selectFrom('scoped_api_keys')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Finds the keys of secrets, or of secrets that the last roll replaced, by their hashes. */
export async function findKeysByHash(db: Db, keyHashes: readonly string[]) {
  return db
    .selectFrom('scoped_api_keys')
    .innerJoin('accounts', 'accounts.id', 'owner_id')
    .selectAll('scoped_api_keys')
    .select('standing')
    .where(sql<boolean>`(key_hash = any(${keyHashes}) or previous_hash = any(${keyHashes}))`)
    .execute();
}

/** Needs the customer's lock, so that the count is still right when the row is written. */
export async function countKeys(tx: Tx, ownerId: AccountId): Promise<number> {
  const { count } = await tx
    .selectFrom('scoped_api_keys')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertKey(tx: Tx, key: Insertable<Tables['scoped_api_keys']>): Promise<ScopedKeyRow> {
  return tx.insertInto('scoped_api_keys').values(key).returningAll().executeTakeFirstOrThrow();
}

/** Returns false if the customer has no such key. */
export async function updateKey(
  db: Db,
  { ownerId, id }: KeyPlace,
  changes: Updateable<Tables['scoped_api_keys']>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('scoped_api_keys')
    .set(changes)
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

interface NewSecret {
  readonly keyHash: string;
  readonly ending: string;
  /** Null to refuse the old secret at once. */
  readonly previousValidUntil: Date | null;
}

/** Replaces the secret. The one before the last is refused from now on. Returns false if the customer has no such key. */
export async function updateSecret(
  db: Db,
  { ownerId, id }: KeyPlace,
  { keyHash, ending, previousValidUntil }: NewSecret,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('scoped_api_keys')
    .set({
      key_hash: keyHash,
      ending,
      previous_hash: previousValidUntil && sql<string>`key_hash`,
      previous_valid_until: previousValidUntil,
    })
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Calls at the same moment write once. */
export async function updateLastUsed(
  db: Db,
  { ownerId, id }: KeyPlace,
  { now, before }: Record<'now' | 'before', Date>,
): Promise<void> {
  await db
    .updateTable('scoped_api_keys')
    .set({ last_used_at: now })
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<=', before)]))
    .execute();
}

/** Returns the name of the deleted key; nothing if the customer has no such key. */
export async function deleteKey(tx: Tx, { ownerId, id }: KeyPlace): Promise<string | undefined> {
  const deleted = await tx
    .deleteFrom('scoped_api_keys')
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst();
  return deleted?.name;
}
