import { deleteStrayCustomer } from '../billing/index.ts';
import { type ActorAndReason, type OperatorParts, recordAction } from './actions.ts';

/** Deletes a customer at Stripe that this installation does not know. Returns false if it knows it, or if there is none. */
export async function deleteStrayByOperator(
  { db, clock }: OperatorParts,
  by: ActorAndReason,
  stripe: Parameters<typeof deleteStrayCustomer>[1],
  customerId: string,
): Promise<boolean> {
  if (!(await deleteStrayCustomer(db, stripe, customerId))) return false;
  await db.transaction().execute(async (tx) => {
    await recordAction(tx, by, { kind: 'stripe_customer.deleted', about: customerId, now: clock.now() });
  });
  return true;
}
