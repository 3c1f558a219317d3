import { OPERATOR_ROWS_MAX, type WithheldCredits } from '@assay/contract/operator';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import { readAvailableCredits, refreshBilling, releaseFreeCredits } from '../billing/index.ts';
import { type ActorAndReason, type OperatorParts, recordAction } from './actions.ts';
import { type CustomerRow, customerAnswer, customerColumns } from './customers.store.ts';

/** The newest customers whose free credits wait for an operator. */
export async function findWithheldCredits(db: Db): Promise<WithheldCredits[]> {
  const { rows } = await sql<CustomerRow & { withheld_because: WithheldCredits['withheld_because'] }>`
    select ${customerColumns}, free_credits_withheld as withheld_because
    from (
      select owner_id, free_credits_withheld from subscriptions
      where free_credits_withheld is not null and free_credits_withheld <> 'mailbox_taken'
      order by anchored_at desc limit ${OPERATOR_ROWS_MAX}) as newest
    join users on users.id = owner_id
    order by users.created_at desc, users.id`.execute(db);
  return rows.map((row) => ({ ...customerAnswer(row), withheld_because: row.withheld_because }));
}

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
