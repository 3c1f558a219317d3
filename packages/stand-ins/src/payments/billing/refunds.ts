import { newId } from '../ids.ts';
import { emit } from '../webhooks/events.ts';
import type { Charge, Refund } from '../wire.ts';
import { getObject, type World } from '../world.ts';
import { expectAftermath } from './aftermath.ts';

export function makeRefund(
  world: World,
  charge: Charge,
  order: Pick<Refund, 'amount' | 'reason' | 'metadata'>,
): Refund {
  const made: Refund = {
    id: newId('re'),
    object: 'refund',
    amount: order.amount,
    balance_transaction: null,
    charge: charge.id,
    created: world.clock.seconds(),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    metadata: order.metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: order.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  };
  const refunded = withRefunded(charge, charge.amount_refunded + order.amount);
  world.store.put('refund', made);
  world.store.put('charge', refunded);
  emit(world, 'refund.created', made);
  emit(world, 'charge.refunded', refunded, charge);
  expectAftermath(world, { kind: 'refund_failure', charge, target: made.id });
  return made;
}

/** The bank sends the money back: the refund looked done, and is not. */
export function failRefund(world: World, before: Refund): void {
  const after: Refund = { ...before, failure_reason: 'expired_or_canceled_card', status: 'failed' };
  const charge = getObject(world, 'charge', before.charge ?? '');
  world.store.put('refund', after);
  world.store.put('charge', withRefunded(charge, charge.amount_refunded - before.amount));
  emit(world, 'refund.updated', after, before);
  emit(world, 'refund.failed', after);
}

const withRefunded = (charge: Charge, amount: number): Charge => ({
  ...charge,
  amount_refunded: amount,
  refunded: amount === charge.amount_captured,
});
