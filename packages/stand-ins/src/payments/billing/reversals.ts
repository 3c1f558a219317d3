import { invalidRequest } from '../errors.ts';
import { newId } from '../ids.ts';
import type { CardAftermath, Tables } from '../store/tables.ts';
import { emit } from '../webhooks/events.ts';
import type { Charge, Dispute, Refund } from '../wire.ts';
import { getObject, type World } from '../world.ts';

// The real service lets it happen "some time later".
const aftermathDelaySeconds = 10;

/** Schedules the dispute or the failing refund that the charged test card causes. */
export function expectAftermath(
  world: World,
  { kind, charge, target }: { kind: CardAftermath; charge: Charge; target: string },
): void {
  if (world.store.find('card', charge.payment_method)?.afterwards !== kind) return;
  world.store.put('aftermath', { id: target, kind, dueAt: world.clock.seconds() + aftermathDelaySeconds });
}

export function runAftermath(world: World, { id, kind }: Tables['aftermath']): void {
  world.store.remove('aftermath', id);
  if (kind === 'dispute') openDispute(world, getObject(world, 'charge', id));
  else failRefund(world, getObject(world, 'refund', id));
}

export function makeRefund(world: World, charge: Charge, amount: number): Refund {
  const refund: Refund = {
    id: newId('re'),
    object: 'refund',
    amount,
    charge: charge.id,
    status: 'succeeded',
  };
  const refunded = withRefunded(charge, charge.amount_refunded + amount);
  world.store.put('refund', refund);
  world.store.put('charge', refunded);
  emit(world, 'charge.refunded', refunded);
  expectAftermath(world, { kind: 'refund_failure', charge, target: refund.id });
  return refund;
}

/** The bank sends the money back: the refund looked done, and is not. */
function failRefund(world: World, before: Refund): void {
  const after: Refund = { ...before, status: 'failed' };
  const charge = getObject(world, 'charge', before.charge);
  world.store.put('refund', after);
  world.store.put('charge', withRefunded(charge, charge.amount_refunded - before.amount));
  emit(world, 'refund.updated', after);
  emit(world, 'refund.failed', after);
}

const withRefunded = (charge: Charge, amount: number): Charge => ({
  ...charge,
  amount_refunded: amount,
  refunded: amount === charge.amount,
});

/** The card's holder says that they did not pay this. The bank takes the money until the dispute is decided. */
function openDispute(world: World, charge: Charge): void {
  const dispute: Dispute = {
    id: newId('dp'),
    object: 'dispute',
    amount: charge.amount - charge.amount_refunded,
    charge: charge.id,
    status: 'needs_response',
  };
  world.store.put('charge', { ...charge, disputed: true });
  world.store.put('dispute', dispute);
  emit(world, 'charge.dispute.created', dispute);
  emit(world, 'charge.dispute.funds_withdrawn', dispute);
}

export function decideDispute(world: World, before: Dispute, status: 'won' | 'lost'): Dispute {
  if (before.status === 'won' || before.status === 'lost') {
    throw invalidRequest('This dispute is already closed.');
  }
  const decided: Dispute = { ...before, status };
  world.store.put('dispute', decided);
  emit(world, 'charge.dispute.closed', decided);
  if (status === 'won') emit(world, 'charge.dispute.funds_reinstated', decided);
  return decided;
}
