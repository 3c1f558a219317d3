import { OPERATOR_ROLES, type OperatorRole } from '@assay/contract';
import type { Operator } from '@assay/contract/operator';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { AccountId, UserId } from '../../platform/ids.ts';

/** The role that the account has here, or a higher one that a claim of the identity provider gives. */
export async function findOperatorRole(
  db: Db,
  userId: UserId,
  claimed?: OperatorRole,
): Promise<OperatorRole | null> {
  const found = await db
    .selectFrom('operators')
    .select('role')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return OPERATOR_ROLES.findLast((role) => role === claimed || role === found?.role) ?? null;
}

export async function lockStanding(tx: Tx, accountId: AccountId) {
  const account = await tx
    .selectFrom('accounts')
    .select('standing')
    .where('id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
  return account?.standing;
}

export async function setRole(tx: Tx, userId: UserId, role: OperatorRole, now: Date): Promise<void> {
  await tx
    .insertInto('operators')
    .values({ user_id: userId, role, added_at: now })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ role }))
    .execute();
}

/** Returns false if the user had no role. */
export async function removeRole(tx: Tx, userId: UserId): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('operators')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Those who have the role here. The identity provider may give it to others by a claim. */
export async function findOperators(db: Db): Promise<(Operator & { readonly added_at: Date })[]> {
  return db
    .selectFrom('operators')
    .innerJoin('users', 'users.id', 'operators.user_id')
    .select(['users.id', 'role', 'first_name', 'last_name', 'email_address', 'added_at'])
    .orderBy('added_at')
    .execute();
}
