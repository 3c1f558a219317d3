import { AppError } from '../../platform/errors/index.ts';
import type { IdentityAdmin } from '../../platform/identity-admin/index.ts';
import { recordActivity } from '../activity/index.ts';
import { findIdentitiesOf, findUser } from '../users/index.ts';
import { type ActorAndReason, type OperatorParts, recordAction } from './actions.ts';

export interface SecondFactorParts extends OperatorParts {
  /** Null without access to the provider's accounts. */
  readonly identityAdmin: IdentityAdmin | null;
}

/**
 * Turns two-step verification off for a customer who lost it. Their activity log says so, which also mails them: somebody
 * else may have talked the operator into it. Logs and mail come first, so that no factor is removed without them: if the
 * provider then fails, the operator sees it and repeats the call, which logs and mails once more.
 */
export async function removeSecondFactors(
  { db, clock, identityAdmin }: SecondFactorParts,
  by: ActorAndReason,
  customerId: string,
): Promise<void> {
  if (!(await findUser(db, customerId))) throw new AppError('customer_not_found', { customerId });
  if (!identityAdmin?.security) throw new AppError('second_factors_unmanaged', { customerId });
  const identities = await findIdentitiesOf(db, customerId);
  await db.transaction().execute(async (tx) => {
    const now = clock.now();
    await recordActivity(tx, { accountId: customerId }, { kind: 'two_step.removed', now });
    const about = 'second factors removed';
    await recordAction(tx, by, { kind: 'customer.second_factors', customerId, about, now });
  });
  for (const { subject } of identities) await identityAdmin.security.removeSecondFactors(subject);
}
