import type { OperatorRole } from '@assay/contract';
import { AppError } from '../../platform/errors/index.ts';
import { ownAccountOf, type UserId } from '../../platform/ids.ts';
import { type ActorAndReason, type OperatorParts, recordAction } from './actions.ts';
import { findOperatorRole, lockStanding, removeRole, setRole } from './operators.store.ts';

/** Gives an account a role, or another one. Returns false if it has this one. Refuses a restricted account, which would not get in. */
export function addOperator(
  { db, clock }: OperatorParts,
  by: ActorAndReason,
  { userId, role }: { readonly userId: UserId; readonly role: OperatorRole },
): Promise<boolean> {
  const now = clock.now();
  return db.transaction().execute(async (tx) => {
    // Locked, because another operator may change the standing at the same time.
    const standing = await lockStanding(tx, ownAccountOf(userId));
    if (standing !== undefined && standing !== 'open') throw new AppError('operator_restricted', { userId });
    const before = await findOperatorRole(tx, userId);
    if (before === role) return false;
    await setRole(tx, userId, role, now);
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
    if (!(await removeRole(tx, userId))) return false;
    const now = clock.now();
    await recordAction(tx, by, { kind: 'operator.removed', customerId: userId, about: 'operator', now });
    return true;
  });
}
