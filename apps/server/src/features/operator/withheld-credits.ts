import { AppError } from '../../platform/errors/index.ts';
import { readAvailableCredits, refreshBilling, releaseFreeCredits } from '../billing/index.ts';
import { type ActorAndReason, type OperatorParts, recordAction } from './actions.ts';

/** Grants the free credits of a customer that were withheld. `provesDomain` also lifts the limit of their mail domain. */
export async function releaseByOperator(
  { db, clock }: OperatorParts,
  by: ActorAndReason,
  { customerId, provesDomain }: { readonly customerId: string; readonly provesDomain: boolean },
): Promise<{ granted: number; balance: number }> {
  const granted = await db.transaction().execute(async (tx) => {
    const now = clock.now();
    const released = await releaseFreeCredits(tx, { ownerId: customerId, provesDomain, now });
    if (!released) throw new AppError('credits_not_withheld', { customerId });
    await refreshBilling(tx, customerId);
    const about = `${released.grantedCredits} withheld credits${provesDomain ? ', mail domain proved' : ''}`;
    await recordAction(tx, by, { kind: 'customer.credits', customerId, about, now });
    return released.grantedCredits;
  });
  return { granted, balance: await readAvailableCredits(db, customerId) };
}
