import type { Operator } from '@assay/contract/operator';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import { type ActorAndReason, type OperatorParts, recordAction } from './actions.ts';

export async function isOperator(db: Db, userId: string): Promise<boolean> {
  const found = await db
    .selectFrom('operators')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return found !== undefined;
}

/** Returns false if the account has the role already. Refuses one that is restricted, which would not get in. */
export function addOperator(
  { db, clock }: OperatorParts,
  by: ActorAndReason,
  userId: string,
): Promise<boolean> {
  const now = clock.now();
  return db.transaction().execute(async (tx) => {
    // Locked, because another operator may change the standing at the same time.
    const user = await tx
      .selectFrom('users')
      .select('standing')
      .where('id', '=', userId)
      .forUpdate()
      .executeTakeFirst();
    if (user && user.standing !== 'open') throw new AppError('operator_restricted', { userId });
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('operators')
      .values({ user_id: userId, added_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 0n) return false;
    await recordAction(tx, by, { kind: 'operator.added', customerId: userId, about: 'operator', now });
    return true;
  });
}

/** Returns false if the account does not have the role. */
export function removeOperator(
  { db, clock }: OperatorParts,
  by: ActorAndReason,
  userId: string,
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
    .select(['users.id', 'first_name', 'last_name', 'email_address', 'added_at'])
    .orderBy('added_at')
    .execute();
}
