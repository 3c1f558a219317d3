import { invalidRequest } from '../errors.ts';
import type { Charge, Dispute, Refund } from '../objects.ts';
import type { Tables } from '../store/tables.ts';
import { emit } from '../webhooks/events.ts';
import { getObject, make, type World } from '../world.ts';
import { findTestCardBy } from './test-cards.ts';

type Aftermath = Tables['aftermath'];

// The real service lets it happen "some time later".
const aftermathDelaySeconds = 10;

/** Schedules the dispute or the failing refund that the charged test card causes. */
export function expectAftermath(
  world: World,
  { kind, charge, target }: { kind: Aftermath['kind']; charge: Charge; target: string },
): void {
  const { card } = getObject(world, 'payment_method', charge.payment_method);
  if (findTestCardBy(card.fingerprint)?.afterwards !== kind) return;
  world.store.put('aftermath', { id: target, kind, dueAt: world.clock.seconds() + aftermathDelaySeconds });
}

export function runAftermath(world: World, { id, kind }: Aftermath): void {
  world.store.remove('aftermath', id);
  if (kind === 'dispute') openDispute(world, getObject(world, 'charge', id));
  else failRefund(world, getObject(world, 'refund', id));
}

export function makeRefund(world: World, charge: Charge, amount: number): Refund {
  const refund = make(world, 'refund', { amount, charge: charge.id });
  emit(world, 'charge.refunded', putRefunded(world, charge, charge.amount_refunded + amount));
  expectAftermath(world, { kind: 'refund_failure', charge, target: refund.id });
  return refund;
}

/** The bank sends the money back: the refund looked done, and is not. */
function failRefund(world: World, before: Refund): void {
  const after: Refund = world.store.put('refund', { ...before, status: 'failed' });
  const charge = getObject(world, 'charge', before.charge);
  putRefunded(world, charge, charge.amount_refunded - before.amount);
  emit(world, 'refund.updated', after);
  emit(world, 'refund.failed', after);
}

function putRefunded(world: World, before: Charge, amount: number): Charge {
  const refunded = amount === before.amount;
  return world.store.put('charge', { ...before, amount_refunded: amount, refunded });
}

/** The card's holder says that they did not pay this. The bank takes the money until the dispute is decided. */
function openDispute(world: World, charge: Charge): void {
  const amount = charge.amount - charge.amount_refunded;
  const dispute = make(world, 'dispute', { amount, charge: charge.id });
  world.store.put('charge', { ...charge, disputed: true });
  emit(world, 'charge.dispute.created', dispute);
  emit(world, 'charge.dispute.funds_withdrawn', dispute);
}

export function decideDispute(world: World, before: Dispute, status: 'won' | 'lost'): Dispute {
  if (before.status !== 'needs_response') throw invalidRequest('This dispute is already closed.');
  const decided = world.store.put('dispute', { ...before, status });
  emit(world, 'charge.dispute.closed', decided);
  if (status === 'won') emit(world, 'charge.dispute.funds_reinstated', decided);
  return decided;
}
