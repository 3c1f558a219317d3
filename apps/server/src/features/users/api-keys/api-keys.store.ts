import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import { lowestId } from '../../../platform/database/uuid.ts';
import type { AccountId } from '../../../platform/ids.ts';

interface NewApiKey {
  readonly ownerId: AccountId;
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

export async function findKeyOf(db: Db, ownerId: AccountId) {
  return db
    .selectFrom('api_keys')
    .select(['id', 'sealed_key', 'created_at', 'last_used_at'])
    .where('owner_id', '=', ownerId)
    .executeTakeFirst();
}

/** Finds the keys of secrets by their hashes. */
export async function findKeysByHash(db: Db, keyHashes: readonly string[]) {
  return db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'owner_id')
    .select(['owner_id', 'api_keys.id', 'key_hash', 'last_used_at', 'standing'])
    .where(sql<boolean>`key_hash = any(${keyHashes})`)
    .execute();
}

export async function updateLastUsed(db: Db, keyHash: string, now: Date): Promise<void> {
  await db.updateTable('api_keys').set({ last_used_at: now }).where('key_hash', '=', keyHash).execute();
}

/** Returns false if the customer has no such key. */
export async function deleteKey(
  db: Db,
  { ownerId, id }: { ownerId: AccountId; id: string },
): Promise<boolean> {
  const deleted = await db
    .deleteFrom('api_keys')
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return deleted !== undefined;
}

const keysAtATime = 1_000;
/** All keys of all customers, some at a time. */
export async function* findAllKeys(db: Db): AsyncGenerator<{ id: string; sealed_key: string }> {
  for (let after = lowestId; ; ) {
    const keys = await db
      .selectFrom('api_keys')
      .select(['id', 'sealed_key'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(keysAtATime)
      .execute();
    yield* keys;
    if (keys.length < keysAtATime) return;
    after = keys.at(-1)?.id ?? after;
  }
}

/** Returns 0 if the key has changed in the meantime. */
export async function replaceSealedKey(
  db: Db,
  key: { id: string; sealedBefore: string; sealedKey: string; keyHash: string },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('api_keys')
    .set({ sealed_key: key.sealedKey, key_hash: key.keyHash })
    .where('id', '=', key.id)
    .where('sealed_key', '=', key.sealedBefore)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
