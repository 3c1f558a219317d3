import { cardsOf, getCardOf, saveCard, setDefaultCard } from '../billing/cards.ts';
import { subscriptionsOf } from '../billing/portal.ts';
import { endSubscription } from '../billing/subscription-state.ts';
import { getTestCardByName } from '../billing/test-cards.ts';
import { invalidRequest, missingResource } from '../errors.ts';
import type { Params } from '../http/params.ts';
import { newId, newInvoicePrefix } from '../ids.ts';
import { emit } from '../webhooks/events.ts';
import type { Address, Customer, DeletedCustomer, PaymentMethod, TaxId } from '../wire.ts';
import { getCustomer, isDeleted, taxIdsOf } from '../world.ts';
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
  'GET /v1/customers/:id/tax_ids': listTaxIds,
  'POST /v1/customers/:id/tax_ids': createTaxId,
  'DELETE /v1/customers/:id/tax_ids/:tax': removeTaxId,
};

function create({ world, params }: ApiCall): Customer {
  const customer: Customer = {
    id: newId('cus'),
    object: 'customer',
    address: null,
    balance: 0,
    created: world.clock.seconds(),
    email: params.text('email') ?? null,
    invoice_prefix: newInvoicePrefix(),
    invoice_settings: { default_payment_method: null },
    metadata: params.metadata(),
    name: null,
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
    name: params.has('name') ? (params.text('name') ?? null) : before.name,
    address: readAddress(params, before),
  };
  world.store.put('customer', after);
  const card = params.object('invoice_settings')?.requiredText('default_payment_method');
  if (card === undefined) return after;
  getCardOf(world, after.id, card, 'invoice_settings[default_payment_method]');
  return setDefaultCard(world, after, card);
}

/** An empty text removes the address, and an empty field of it. */
function readAddress(params: Params, before: Customer): Address | null {
  if (!params.has('address')) return before.address;
  if (params.isEmpty('address')) return null;
  const address = params.requiredObject('address');
  const field = (name: keyof Address) => address.text(name) ?? null;
  return {
    city: field('city'),
    country: field('country'),
    line1: field('line1'),
    line2: field('line2'),
    postal_code: field('postal_code'),
    state: field('state'),
  };
}

function listTaxIds(call: ApiCall) {
  const { world, params } = call;
  const { id } = getCustomer(world, idOf(call));
  return listPage(params, `/v1/customers/${id}/tax_ids`, taxIdsOf(world, id));
}

/** Some of the formats that the real service checks. */
const formats: Readonly<Partial<Record<TaxId['type'], RegExp>>> = {
  eu_vat:
    /^(?:DE\d{9}|ATU\d{8}|FR[A-Z0-9]{2}\d{9}|(?:[BCEGHILMNPRS][A-Z]|D[A-DF-Z]|A[A-SU-Z]|F[A-QS-Z])[A-Z0-9]{2,13})$/,
  gb_vat: /^GB\d{9}(?:\d{3})?$/,
  us_ein: /^\d{2}-\d{7}$/,
};

function createTaxId(call: ApiCall): TaxId {
  const { world, params } = call;
  const { id: customer } = getCustomer(world, idOf(call));
  const type = params.requiredText('type') as TaxId['type'];
  const value = params.requiredText('value');
  if (formats[type]?.test(value) === false) {
    throw invalidRequest(`Invalid value for ${type}.`, { param: 'value', code: 'tax_id_invalid' });
  }
  const taxId: TaxId = {
    id: newId('txi'),
    object: 'tax_id',
    created: world.clock.seconds(),
    customer,
    type,
    value,
  };
  world.store.put('tax_id', taxId);
  return taxId;
}

function removeTaxId(call: ApiCall) {
  const { world, ids } = call;
  const id = ids[1] ?? '';
  const isTheirs = taxIdsOf(world, getCustomer(world, idOf(call)).id).some((taxId) => taxId.id === id);
  if (!isTheirs) throw missingResource('tax_id', id);
  world.store.remove('tax_id', id);
  return { id, object: 'tax_id', deleted: true };
}

/** Deleting a customer ends their subscriptions and forgets their cards. */
function remove(call: ApiCall): DeletedCustomer {
  const { world } = call;
  const { id } = getCustomer(world, idOf(call));
  for (const subscription of subscriptionsOf(world, id)) endSubscription(world, subscription.id);
  for (const card of cardsOf(world, id)) world.store.remove('payment_method', card.id);
  for (const taxId of taxIdsOf(world, id)) world.store.remove('tax_id', taxId.id);
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
