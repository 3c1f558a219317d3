import type { Db } from '../../../platform/database/database.ts';

interface NewApiKey {
  readonly ownerId: string;
  readonly id: string;
  readonly keyHash: string;
  readonly sealedKey: string;
  readonly now: Date;
}

/** Returns false if the customer already has a key. */
export async function insertKey(db: Db, key: NewApiKey): Promise<boolean> {
  const inserted = await db
    .insertInto('api_keys')
    .values({
      owner_id: key.ownerId,
      id: key.id,
      key_hash: key.keyHash,
      sealed_key: key.sealedKey,
      created_at: key.now,
    })
    .onConflict((conflict) => conflict.column('owner_id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function findKeyOf(db: Db, ownerId: string) {
  return db
    .selectFrom('api_keys')
    .select(['id', 'sealed_key', 'created_at', 'last_used_at'])
    .where('owner_id', '=', ownerId)
    .executeTakeFirst();
}

export async function findKeyByHash(db: Db, keyHash: string) {
  return db
    .selectFrom('api_keys')
    .select(['owner_id', 'last_used_at'])
    .where('key_hash', '=', keyHash)
    .executeTakeFirst();
}

export async function updateLastUsed(db: Db, keyHash: string, now: Date): Promise<void> {
  await db.updateTable('api_keys').set({ last_used_at: now }).where('key_hash', '=', keyHash).execute();
}

/** Returns false if the customer has no such key. */
export async function deleteKey(db: Db, { ownerId, id }: { ownerId: string; id: string }): Promise<boolean> {
  const deleted = await db
    .deleteFrom('api_keys')
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return deleted !== undefined;
}
