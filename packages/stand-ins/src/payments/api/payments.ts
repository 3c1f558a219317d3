import { getCardOf } from '../billing/cards.ts';
import { chargeIntent } from '../billing/charges.ts';
import { decideDispute, makeRefund } from '../billing/reversals.ts';
import { cardError, invalidRequest, type PaymentsError } from '../errors.ts';
import { type Charge, type Dispute, listOf, type PaymentIntent, type Refund } from '../objects.ts';
import { getCustomer, getObject, make } from '../world.ts';
import { type ApiCall, idOf, listing, type Routes, retrieving } from './call.ts';

export const paymentRoutes: Routes = {
  'POST /v1/payment_intents': openPayment,
  'GET /v1/payment_intents': listing('payment_intent', 'customer', 'created'),
  'GET /v1/payment_intents/:id': retrieving('payment_intent'),
  'POST /v1/payment_intents/:id/confirm': chargeSavedCard,
  'POST /v1/payment_intents/:id/cancel': cancelPayment,
  'GET /v1/charges': listCharges,
  'GET /v1/charges/:id': retrieving('charge'),
  'POST /v1/refunds': refund,
  'GET /v1/refunds': listing('refund', 'charge'),
  'GET /v1/disputes': listing('dispute', 'charge'),
  'POST /v1/disputes/:id': submitEvidence,
  'POST /v1/disputes/:id/close': (call) => decideDispute(call.world, disputeOf(call), 'lost'),
};

/** A payment with a saved card, which `confirm` charges. */
function openPayment({ world, params }: ApiCall): PaymentIntent {
  params.requiredObject('automatic_payment_methods').fixed({ enabled: 'true', allow_redirects: 'never' });
  const customer = getCustomer(world, params.requiredText('customer'), 'customer').id;
  return make(world, 'payment_intent', {
    amount: params.integer('amount') ?? 0,
    currency: params.requiredText('currency'),
    customer,
    description: params.text('description') ?? null,
    metadata: params.metadata(),
    payment_method: getCardOf(world, customer, params.requiredText('payment_method')).id,
  });
}

/** Charges the saved card without its holder. */
function chargeSavedCard(call: ApiCall): PaymentIntent | PaymentsError {
  call.params.fixed({ off_session: 'true' });
  const { intent, decline } = chargeIntent(call.world, requireStatus(call, ['requires_confirmation']));
  return decline === null ? intent : cardError(decline);
}

function cancelPayment(call: ApiCall): PaymentIntent {
  const before = requireStatus(call, ['requires_confirmation', 'requires_payment_method']);
  return call.world.store.put('payment_intent', { ...before, status: 'canceled' });
}

function requireStatus(call: ApiCall, wanted: readonly PaymentIntent['status'][]): PaymentIntent {
  const intent = getObject(call.world, 'payment_intent', idOf(call));
  if (wanted.includes(intent.status)) return intent;
  throw invalidRequest(`This PaymentIntent has a status of ${intent.status}.`, {
    code: 'payment_intent_unexpected_state',
  });
}

function listCharges(call: ApiCall) {
  const [expand] = call.params.texts('expand');
  const page = listing('charge', 'customer', 'created')(call);
  if (expand === undefined) return page;
  if (expand !== 'data.refunds') throw invalidRequest(`This property cannot be expanded (${expand}).`);
  const refunds = call.world.store.all('refund');
  const withRefunds = (charge: Charge) => {
    const ofCharge = refunds.filter((one) => one.charge === charge.id);
    return { ...charge, refunds: listOf(ofCharge, `/v1/charges/${charge.id}/refunds`) };
  };
  return { ...page, data: page.data.map(withRefunds) };
}

function refund(call: ApiCall): Refund {
  const charge = chargeToRefund(call);
  const left = charge.amount - charge.amount_refunded;
  const amount = call.params.integer('amount') ?? left;
  if (left === 0) {
    throw invalidRequest('The charge has already been refunded.', { code: 'charge_already_refunded' });
  }
  if (amount < 1 || amount > left) {
    throw invalidRequest(`Only ${left} of the charge can be refunded.`, { param: 'amount' });
  }
  return makeRefund(call.world, charge, amount);
}

function chargeToRefund({ world, params }: ApiCall): Charge {
  const id = params.text('charge');
  if (id !== undefined) return getObject(world, 'charge', id, 'charge');
  const intent = params.requiredText('payment_intent');
  const charge = world.store.all('charge').find((one) => one.paid && one.payment_intent === intent);
  if (charge !== undefined) return charge;
  throw invalidRequest('This payment has no successful charge to refund.', { param: 'payment_intent' });
}

const disputeOf = (call: ApiCall): Dispute => getObject(call.world, 'dispute', idOf(call));

/** As in the real service's test mode, these words in the evidence decide at once. */
function submitEvidence(call: ApiCall): Dispute {
  const words = ['winning_evidence', 'losing_evidence'] as const;
  const text = call.params.requiredObject('evidence').requiredChoice('uncategorized_text', words);
  return decideDispute(call.world, disputeOf(call), text === 'winning_evidence' ? 'won' : 'lost');
}
