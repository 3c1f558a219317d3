import { attachCard, cardsOf, createCard, createNamedCard, detachCard } from '../billing/payment-methods.ts';
import { makeRefund } from '../billing/refunds.ts';
import { findTestCard, getTestCardByName, notATestCard } from '../billing/test-cards.ts';
import { cardError, invalidRequest } from '../errors.ts';
import { applyMetadata, missing, type Params } from '../http/params.ts';
import type { Charge, PaymentMethod, Refund } from '../wire.ts';
import { getCustomer, getObject, type World } from '../world.ts';
import { type ApiCall, idOf, type Routes } from './call.ts';
import { createdFilter, listPage, matching } from './lists.ts';

export const paymentRoutes: Routes = {
  'POST /v1/payment_methods': createMethod,
  'GET /v1/payment_methods': listMethods,
  'GET /v1/payment_methods/:id': (call) => getObject(call.world, 'payment_method', idOf(call)),
  'POST /v1/payment_methods/:id/attach': attach,
  'POST /v1/payment_methods/:id/detach': (call) =>
    detachCard(call.world, getObject(call.world, 'payment_method', idOf(call))),
  'GET /v1/payment_intents/:id': (call) => getObject(call.world, 'payment_intent', idOf(call)),
  'GET /v1/setup_intents/:id': (call) => getObject(call.world, 'setup_intent', idOf(call)),
  'GET /v1/charges': listCharges,
  'GET /v1/charges/:id': (call) => getObject(call.world, 'charge', idOf(call)),
  'POST /v1/refunds': refund,
  'GET /v1/refunds': listRefunds,
  'GET /v1/refunds/:id': (call) => getObject(call.world, 'refund', idOf(call)),
};

function createMethod({ world, params }: ApiCall): PaymentMethod {
  if (params.choice('type', ['card']) === undefined) throw missing('type');
  const card = params.object('card');
  if (card === undefined) throw missing('card');
  const details = params.object('billing_details');
  const owner = { name: details?.text('name') ?? null, email: details?.text('email') ?? null };

  const number = card.requiredText('number').replaceAll(' ', '');
  card.text('cvc');
  const known = findTestCard(number);
  if (known === undefined) throw cardError(notATestCard);
  return createCard(world, {
    card: known,
    expMonth: card.integer('exp_month') ?? 12,
    expYear: card.integer('exp_year') ?? world.clock.now().getUTCFullYear() + 1,
    ...owner,
  });
}

function listMethods({ world, params }: ApiCall) {
  const customer = getCustomer(world, params.requiredText('customer'), 'customer');
  params.choice('type', ['card']);
  return listPage(params, { url: '/v1/payment_methods', newestFirst: cardsOf(world, customer.id) });
}

function attach(call: ApiCall): PaymentMethod {
  const { world, params } = call;
  const customer = getCustomer(world, params.requiredText('customer'), 'customer');
  const id = idOf(call);
  const method = id.startsWith('pm_card_')
    ? createNamedCard(world, getTestCardByName(id))
    : getObject(world, 'payment_method', id);
  return attachCard(world, method, customer);
}

function listCharges({ world, params }: ApiCall) {
  const newestFirst = world.store
    .all('charge')
    .filter(matching('customer', params.text('customer')))
    .filter(matching('payment_intent', params.text('payment_intent')))
    .filter(createdFilter(params))
    .reverse();
  return listPage(params, { url: '/v1/charges', newestFirst });
}

function refund({ world, params }: ApiCall): Refund {
  const charge = readCharge(world, params);
  const left = charge.amount_captured - charge.amount_refunded;
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
  return makeRefund(world, charge, {
    amount,
    metadata: applyMetadata(null, params.metadata()),
    reason: params.choice('reason', ['duplicate', 'fraudulent', 'requested_by_customer']) ?? null,
  });
}

function readCharge(world: World, params: Params): Charge {
  const id = params.text('charge');
  const intentId = params.text('payment_intent');
  if (id !== undefined) return getObject(world, 'charge', id, 'charge');
  if (intentId === undefined)
    throw invalidRequest('One of the following params should be provided: charge or payment_intent.');
  const intent = getObject(world, 'payment_intent', intentId, 'payment_intent');
  if (intent.status !== 'succeeded' || intent.latest_charge === null) {
    throw invalidRequest('This PaymentIntent does not have a successful charge to refund.', {
      param: 'payment_intent',
    });
  }
  return getObject(world, 'charge', intent.latest_charge);
}

function listRefunds({ world, params }: ApiCall) {
  const newestFirst = world.store
    .all('refund')
    .filter(matching('charge', params.text('charge')))
    .filter(matching('payment_intent', params.text('payment_intent')))
    .filter(createdFilter(params))
    .reverse();
  return listPage(params, { url: '/v1/refunds', newestFirst });
}
