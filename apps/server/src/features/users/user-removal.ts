import type { Secrets } from '../../platform/crypto/secrets.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import type { AccountId, UserId } from '../../platform/ids.ts';
import { findIdentitiesOf, type IdentityKey } from './users.store.ts';

/** Part of the stored hash: changing it would let old tokens create accounts again. */
const deletionPurpose = 'deleted identity';

const hashesOf = (secrets: Secrets, { issuer, subject }: IdentityKey) =>
  secrets.keyedHashes(deletionPurpose, `${issuer} ${subject}`);

/**
 * Deletes a customer with everything that refers to them, and returns their identities; none if the account is already
 * deleted. Refuses all their existing sessions from now on.
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

/** Blocks other work on this account until the transaction ends; returns false if there is no such account. */
export async function lockAccount(tx: Tx, accountId: AccountId): Promise<boolean> {
  const user = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
  return user !== undefined;
}

/**
 * Prevents the deletion of the account until the transaction ends. Work that locks other rows of the account starts with it,
 * as deleting the account does. Taken later, the two would deadlock.
 */
export async function keepAccount(tx: Tx, accountId: AccountId): Promise<void> {
  const user = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', accountId)
    .forKeyShare()
    .executeTakeFirst();
  if (!user) throw new AppError('unauthorized', { accountId });
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
