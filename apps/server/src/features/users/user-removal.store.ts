import type { Secrets } from '../../platform/crypto/secrets.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { UserId } from '../../platform/ids.ts';
import { findIdentitiesOf, type IdentityKey } from './users.store.ts';

/** Part of the stored hash: changing it would let old tokens create accounts again. */
const deletionPurpose = 'deleted identity';

const hashesOf = (secrets: Secrets, { issuer, subject }: IdentityKey) =>
  secrets.keyedHashes(deletionPurpose, `${issuer} ${subject}`);

/**
 * Deletes a person with everything that refers to them, and returns their identities; none if they are already deleted.
 * Refuses all their existing sessions from now on.
 */
export async function removeUser(
  tx: Tx,
  { userId, secrets, now }: { userId: UserId; secrets: Secrets; now: Date },
): Promise<IdentityKey[]> {
  const identities = await findIdentitiesOf(tx, userId);
  for (const identity of identities) {
    const [identity_hash] = hashesOf(secrets, identity);
    await tx
      .insertInto('deleted_identities')
      .values({ identity_hash, deleted_at: now })
      .onConflict((conflict) => conflict.column('identity_hash').doUpdateSet({ deleted_at: now }))
      .execute();
  }
  await tx.deleteFrom('users').where('id', '=', userId).execute();
  return identities;
}

/** Blocks other work on this person until the transaction ends; returns false if there is no such person. Lock their account first. */
export async function lockUser(tx: Tx, userId: UserId): Promise<boolean> {
  const user = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  return user !== undefined;
}

/** When this identity last deleted its account. */
export async function findDeletion(db: Db, secrets: Secrets, key: IdentityKey): Promise<Date | undefined> {
  const deletion = await db
    .selectFrom('deleted_identities')
    .select('deleted_at')
    .where('identity_hash', 'in', hashesOf(secrets, key))
    .orderBy('deleted_at', 'desc')
    .executeTakeFirst();
  return deletion?.deleted_at;
}
