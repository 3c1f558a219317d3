import { FREE_PLAN } from '@assay/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';
import { findOwnersDueForRenewal, lockDueSubscription, setFreeRenewal } from './billing.store.ts';
import { type GrantOutcome, topUpCredits } from './credit-ledger.store.ts';
import { refreshBilling } from './refresh-billing.ts';
import { renewalAfter } from './renewal-date.ts';

const batchSize = 500;

export interface RenewalRun {
  readonly renewedCount: number;
  readonly grantedCredits: number;
}

/**
 * Renews every Free plan that is due, in one transaction per customer, so it can be stopped, repeated and run by several
 * workers. Several missed months are one top-up.
 */
export async function renewFreePlans(
  { db, clock }: { db: Db; clock: Clock },
  signal?: AbortSignal,
): Promise<RenewalRun> {
  let renewedCount = 0;
  let grantedCredits = 0;
  for (;;) {
    const now = clock.now();
    const owners = await findOwnersDueForRenewal(db, { planCode: FREE_PLAN.code, now, limit: batchSize });
    let renewedInBatch = 0;
    for (const ownerId of owners) {
      if (signal?.aborted) return { renewedCount, grantedCredits };
      const renewal = await renewFreePlan(db, ownerId, now);
      if (!renewal) continue;
      renewedInBatch += 1;
      grantedCredits += renewal.grantedCredits;
    }
    renewedCount += renewedInBatch;
    // When none of a batch could be renewed, another worker holds all its locks.
    if (owners.length < batchSize || renewedInBatch === 0) return { renewedCount, grantedCredits };
  }
}

async function renewFreePlan(db: Db, ownerId: AccountId, now: Date) {
  return db.transaction().execute(async (tx) => {
    const due = await lockDueSubscription(tx, { ownerId, planCode: FREE_PLAN.code, now });
    if (!due) return undefined;

    await setFreeRenewal(tx, { ownerId, nextRenewalAt: renewalAfter(due.anchored_at, now), now });
    if (!due.has_free_allowance) return { grantedCredits: 0 };

    const topUp = await topUpFreeCredits(tx, { ownerId, month: due.next_renewal_at, now });
    await refreshBilling(tx, ownerId);
    return topUp;
  });
}

/** Tops up to the Free plan's credits for the month that started at `month`. */
export const topUpFreeCredits = (
  tx: Tx,
  { ownerId, month, now }: { ownerId: AccountId; month: Date; now: Date },
): Promise<GrantOutcome> =>
  topUpCredits(tx, {
    ownerId,
    key: `free-renewal:${month.toISOString()}`,
    upToCredits: FREE_PLAN.monthlyCredits,
    category: 'GRANT',
    source: 'FREE_PLAN',
    description: 'Monthly free credits',
    now,
  });
