import { getCardOf } from '../billing/cards.ts';
import { chargeIntent, openIntent } from '../billing/charges.ts';
import { decideDispute, makeRefund } from '../billing/reversals.ts';
import { cardError, invalidRequest, type PaymentsError } from '../errors.ts';
import type { Params } from '../http/params.ts';
import type { Charge, Dispute, PaymentIntent, Refund } from '../wire.ts';
import { getCustomer, getObject, type World } from '../world.ts';
import { type ApiCall, idOf, type Routes } from './call.ts';
import { listPage, matching } from './lists.ts';

export const paymentRoutes: Routes = {
  'POST /v1/payment_intents': openPayment,
  'GET /v1/payment_intents': listPayments,
  'GET /v1/payment_intents/:id': (call) => getObject(call.world, 'payment_intent', idOf(call)),
  'POST /v1/payment_intents/:id/confirm': chargeSavedCard,
  'POST /v1/payment_intents/:id/cancel': cancelPayment,
  'GET /v1/charges': listCharges,
  'GET /v1/charges/:id': (call) => getObject(call.world, 'charge', idOf(call)),
  'POST /v1/refunds': refund,
  'GET /v1/refunds': ({ world, params }) => listOfCharge(params, '/v1/refunds', world.store.all('refund')),
  'GET /v1/disputes': ({ world, params }) => listOfCharge(params, '/v1/disputes', world.store.all('dispute')),
  'POST /v1/disputes/:id': submitEvidence,
  'POST /v1/disputes/:id/close': (call) => decideDispute(call.world, disputeOf(call), 'lost'),
};

function listPayments({ world, params }: ApiCall) {
  const since = params.object('created')?.integer('gte') ?? 0;
  const payments = world.store
    .all('payment_intent')
    .filter(matching('customer', params.text('customer')))
    .filter(({ created }) => created >= since);
  return listPage(params, '/v1/payment_intents', payments);
}

/** A payment with a saved card, which `confirm` charges. */
function openPayment({ world, params }: ApiCall): PaymentIntent {
  const methods = params.requiredObject('automatic_payment_methods');
  methods.requiredChoice('enabled', ['true']);
  methods.requiredChoice('allow_redirects', ['never']);
  const customer = getCustomer(world, params.requiredText('customer'), 'customer');
  const card = getCardOf(world, customer.id, params.requiredText('payment_method'), 'payment_method');
  const price = { unit_amount: params.integer('amount') ?? 0, currency: params.requiredText('currency') };
  return openIntent(world, card, {
    customer,
    price,
    metadata: params.metadata(),
    description: params.text('description') ?? null,
  });
}

/** Charges the saved card without its holder. */
function chargeSavedCard(call: ApiCall): PaymentIntent | PaymentsError {
  const { world, params } = call;
  params.requiredChoice('off_session', ['true']);
  const before = requireState(call, ['requires_confirmation']);
  const card = getCardOf(world, before.customer, before.payment_method ?? '', 'payment_method');
  const { intent, decline } = chargeIntent(world, before, card);
  return decline === null ? intent : cardError(decline);
}

function cancelPayment(call: ApiCall): PaymentIntent {
  const before = requireState(call, ['requires_confirmation', 'requires_payment_method']);
  const canceled: PaymentIntent = { ...before, status: 'canceled' };
  call.world.store.put('payment_intent', canceled);
  return canceled;
}

function requireState(call: ApiCall, wanted: readonly PaymentIntent['status'][]): PaymentIntent {
  const intent = getObject(call.world, 'payment_intent', idOf(call));
  if (wanted.includes(intent.status)) return intent;
  throw invalidRequest(`This PaymentIntent has a status of ${intent.status}.`, {
    code: 'payment_intent_unexpected_state',
  });
}

function listCharges({ world, params }: ApiCall) {
  const since = params.object('created')?.integer('gte') ?? 0;
  const charges = world.store
    .all('charge')
    .filter(matching('customer', params.text('customer')))
    .filter(({ created }) => created >= since);
  const page = listPage(params, '/v1/charges', charges);
  const [path, ...others] = params.texts('expand') ?? [];
  if (path === undefined) return page;
  if (path !== 'data.refunds' || others.length > 0) {
    throw invalidRequest(`This property cannot be expanded (${others[0] ?? path}).`, { param: 'expand' });
  }
  const refundsOf = ({ id }: Charge) => ({
    object: 'list',
    data: world.store.all('refund').filter(({ charge }) => charge === id),
    has_more: false,
    url: `/v1/charges/${id}/refunds`,
  });
  return { ...page, data: page.data.map((charge) => ({ ...charge, refunds: refundsOf(charge) })) };
}

function listOfCharge<T extends { id: string; charge: string }>(params: Params, url: string, all: T[]) {
  const charge = params.requiredText('charge');
  return listPage(
    params,
    url,
    all.filter((reversal) => reversal.charge === charge),
  );
}

function refund({ world, params }: ApiCall): Refund {
  const charge = readCharge(world, params);
  const left = charge.amount - charge.amount_refunded;
  const amount = params.integer('amount') ?? left;
  if (left === 0) {
    throw invalidRequest(`Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
    });
  }
  if (amount < 1 || amount > left) {
    throw invalidRequest(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, {
      param: 'amount',
    });
  }
  return makeRefund(world, charge, amount);
}

function readCharge(world: World, params: Params): Charge {
  const id = params.text('charge');
  if (id !== undefined) return getObject(world, 'charge', id, 'charge');
  const intent = params.requiredText('payment_intent');
  const charge = world.store.all('charge').find((one) => one.paid && one.payment_intent === intent);
  if (charge !== undefined) return charge;
  throw invalidRequest('This PaymentIntent does not have a successful charge to refund.', {
    param: 'payment_intent',
  });
}

const disputeOf = (call: ApiCall): Dispute => getObject(call.world, 'dispute', idOf(call));

/** As in the real service's test mode, these words in the evidence decide at once. */
function submitEvidence(call: ApiCall): Dispute {
  const words = ['winning_evidence', 'losing_evidence'] as const;
  const text = call.params.requiredObject('evidence').requiredChoice('uncategorized_text', words);
  return decideDispute(call.world, disputeOf(call), text === 'winning_evidence' ? 'won' : 'lost');
}
