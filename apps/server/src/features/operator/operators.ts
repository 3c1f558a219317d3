import { OPERATOR_ROLES, type OperatorRole } from '@assay/contract';
import type { Operator } from '@assay/contract/operator';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import { ownAccountOf, type UserId } from '../../platform/ids.ts';
import { type ActorAndReason, type OperatorParts, recordAction } from './actions.ts';

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

/** Gives an account a role, or another one. Returns false if it has this one. Refuses a restricted account, which would not get in. */
export function addOperator(
  { db, clock }: OperatorParts,
  by: ActorAndReason,
  { userId, role }: { readonly userId: UserId; readonly role: OperatorRole },
): Promise<boolean> {
  const now = clock.now();
  return db.transaction().execute(async (tx) => {
    // Locked, because another operator may change the standing at the same time.
    const account = await tx
      .selectFrom('accounts')
      .select('standing')
      .where('id', '=', ownAccountOf(userId))
      .forUpdate()
      .executeTakeFirst();
    if (account && account.standing !== 'open') throw new AppError('operator_restricted', { userId });
    const before = await findOperatorRole(tx, userId);
    if (before === role) return false;
    await tx
      .insertInto('operators')
      .values({ user_id: userId, role, added_at: now })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ role }))
      .execute();
    const kind = before === null ? 'operator.added' : 'operator.role';
    await recordAction(tx, by, { kind, customerId: userId, about: role, now });
    return true;
  });
}

/** Returns false if the account does not have the role. */
export function removeOperator(
  { db, clock }: OperatorParts,
  by: ActorAndReason,
  userId: UserId,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('operators')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) return false;
    const now = clock.now();
    await recordAction(tx, by, { kind: 'operator.removed', customerId: userId, about: 'operator', now });
    return true;
  });
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
