import { newCustomer } from '../billing/customers.ts';
import { cardsOf, detachCard, getCardOf } from '../billing/payment-methods.ts';
import { endSubscription, isEnded } from '../billing/subscription-state.ts';
import { missingResource } from '../errors.ts';
import { applyMetadata, type Params } from '../http/params.ts';
import { emit } from '../webhooks/events.ts';
import type { Customer, DeletedCustomer } from '../wire.ts';
import { getCustomer, isDeleted, type World } from '../world.ts';
import { type ApiCall, idOf, type Routes } from './call.ts';
import { createdFilter, listPage, matching } from './lists.ts';

export const customerRoutes: Routes = {
  'POST /v1/customers': create,
  'GET /v1/customers': list,
  'GET /v1/customers/:id': retrieve,
  'POST /v1/customers/:id': update,
  'DELETE /v1/customers/:id': remove,
  'GET /v1/customers/:id/payment_methods': listCards,
};

function create({ world, params }: ApiCall): Customer {
  const customer = newCustomer(world, readFields(world, params));
  const withMetadata: Customer = { ...customer, metadata: applyMetadata(null, params.metadata()) };
  world.store.put('customer', withMetadata);
  emit(world, 'customer.created', withMetadata);
  return withMetadata;
}

function readFields(world: World, params: Params, current?: Customer): Partial<Customer> {
  const fields: Partial<Customer> = {};
  for (const name of ['email', 'name', 'phone', 'description'] as const) {
    const value = params.clearableText(name);
    if (value !== undefined) fields[name] = value;
  }
  const address = params.object('address');
  if (address !== undefined) fields.address = readAddress(address);
  const locales = params.texts('preferred_locales');
  if (locales !== undefined) fields.preferred_locales = locales;
  const card = params.object('invoice_settings')?.clearableText('default_payment_method');
  if (card !== undefined && current !== undefined) {
    if (card !== null) getCardOf(world, current.id, card, 'invoice_settings[default_payment_method]');
    fields.invoice_settings = { ...current.invoice_settings, default_payment_method: card };
  }
  return fields;
}

const readAddress = (address: Params): NonNullable<Customer['address']> => ({
  city: address.text('city') ?? null,
  country: address.text('country') ?? null,
  line1: address.text('line1') ?? null,
  line2: address.text('line2') ?? null,
  postal_code: address.text('postal_code') ?? null,
  state: address.text('state') ?? null,
});

function list({ world, params }: ApiCall) {
  const all = world.store.all('customer').filter((customer) => !isDeleted(customer)) as Customer[];
  const newestFirst = all
    .filter(matching('email', params.text('email')))
    .filter(createdFilter(params))
    .reverse();
  return listPage(params, { url: '/v1/customers', newestFirst });
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
    ...readFields(world, params, before),
    metadata: applyMetadata(before.metadata, params.metadata()),
  };
  world.store.put('customer', after);
  emit(world, 'customer.updated', after, before);
  return after;
}

/** Deleting a customer ends what they subscribe to and forgets their cards. */
function remove(call: ApiCall): DeletedCustomer {
  const { world } = call;
  const customer = getCustomer(world, idOf(call));
  for (const subscription of world.store.all('subscription')) {
    if (subscription.customer === customer.id && !isEnded(subscription)) {
      endSubscription(world, subscription.id, { reason: 'cancellation_requested' });
    }
  }
  for (const card of cardsOf(world, customer.id)) detachCard(world, card);
  const latest = getCustomer(world, customer.id);
  const deleted: DeletedCustomer = { id: customer.id, object: 'customer', deleted: true };
  world.store.put('customer', deleted);
  emit(world, 'customer.deleted', latest);
  return deleted;
}

function listCards(call: ApiCall) {
  const { world, params } = call;
  const customer = getCustomer(world, idOf(call));
  params.choice('type', ['card']);
  return listPage(params, {
    url: `/v1/customers/${customer.id}/payment_methods`,
    newestFirst: cardsOf(world, customer.id),
  });
}
