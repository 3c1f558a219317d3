import { cardsOf, getCardOf, saveCard, setDefaultCard } from '../billing/cards.ts';
import { subscriptionsOf } from '../billing/portal.ts';
import { endSubscription } from '../billing/subscription-state.ts';
import { getTestCardByName } from '../billing/test-cards.ts';
import { missingResource } from '../errors.ts';
import { newId, newInvoicePrefix } from '../ids.ts';
import { emit } from '../webhooks/events.ts';
import type { Customer, DeletedCustomer, PaymentMethod } from '../wire.ts';
import { getCustomer, isDeleted } from '../world.ts';
import { type ApiCall, idOf, type Routes } from './call.ts';
import { listPage } from './lists.ts';

export const customerRoutes: Routes = {
  'POST /v1/customers': create,
  'GET /v1/customers': list,
  'GET /v1/customers/:id': retrieve,
  'POST /v1/customers/:id': update,
  'DELETE /v1/customers/:id': remove,
  'GET /v1/customers/:id/payment_methods': listCards,
  'POST /v1/payment_methods/:id/attach': attachTestCard,
};

function create({ world, params }: ApiCall): Customer {
  const customer: Customer = {
    id: newId('cus'),
    object: 'customer',
    balance: 0,
    created: world.clock.seconds(),
    email: params.text('email') ?? null,
    invoice_prefix: newInvoicePrefix(),
    invoice_settings: { default_payment_method: null },
    metadata: params.metadata(),
    next_invoice_sequence: 1,
  };
  world.store.put('customer', customer);
  return customer;
}

function list({ world, params }: ApiCall) {
  const since = params.object('created')?.integer('gte') ?? 0;
  const customers = world.store
    .all('customer')
    .filter((customer) => !isDeleted(customer) && customer.created >= since);
  return listPage(params, '/v1/customers', customers);
}

function retrieve(call: ApiCall): Customer | DeletedCustomer {
  const customer = call.world.store.find('customer', idOf(call));
  if (customer === undefined) throw missingResource('customer', idOf(call));
  return customer;
}

function update(call: ApiCall): Customer {
  const { world, params } = call;
  const before = getCustomer(world, idOf(call));
  const after: Customer = {
    ...before,
    balance: params.signedInteger('balance') ?? before.balance,
    email: params.text('email') ?? before.email,
  };
  world.store.put('customer', after);
  const card = params.object('invoice_settings')?.requiredText('default_payment_method');
  if (card === undefined) return after;
  getCardOf(world, after.id, card, 'invoice_settings[default_payment_method]');
  return setDefaultCard(world, after, card);
}

/** Deleting a customer ends their subscriptions and forgets their cards. */
function remove(call: ApiCall): DeletedCustomer {
  const { world } = call;
  const { id } = getCustomer(world, idOf(call));
  for (const subscription of subscriptionsOf(world, id)) endSubscription(world, subscription.id);
  for (const card of cardsOf(world, id)) world.store.remove('payment_method', card.id);
  emit(world, 'customer.deleted', getCustomer(world, id));
  const deleted: DeletedCustomer = { id, object: 'customer', deleted: true };
  world.store.put('customer', deleted);
  return deleted;
}

function listCards(call: ApiCall) {
  const { world, params } = call;
  const { id } = getCustomer(world, idOf(call));
  return listPage(params, `/v1/customers/${id}/payment_methods`, cardsOf(world, id).reverse());
}

/** Only by a documented name, such as `pm_card_visa`; every use of the name makes a card of its own. */
function attachTestCard(call: ApiCall): PaymentMethod {
  const { world, params } = call;
  const customer = getCustomer(world, params.requiredText('customer'), 'customer');
  const expYear = world.clock.now().getUTCFullYear() + 1;
  return saveCard(world, customer, { card: getTestCardByName(idOf(call)), expMonth: 12, expYear });
}
