import { cardsOf, getCardOf, saveCard, setDefaultCard } from '../billing/cards.ts';
import { subscriptionsOf } from '../billing/portal.ts';
import { endSubscription } from '../billing/subscription-state.ts';
import { getTestCardByName } from '../billing/test-cards.ts';
import { invalidRequest, missingResource } from '../errors.ts';
import {
  type Address,
  addressFields,
  type Customer,
  type DeletedCustomer,
  type PaymentMethod,
  type TaxId,
} from '../objects.ts';
import { emit } from '../webhooks/events.ts';
import { getCustomer, make, taxIdsOf } from '../world.ts';
import { type ApiCall, idOf, listing, listPage, type Routes } from './call.ts';

export const customerRoutes: Routes = {
  'POST /v1/customers': ({ world, params }) =>
    make(world, 'customer', { email: params.text('email') ?? null, metadata: params.metadata() }),
  'GET /v1/customers': listing('customer', 'created'),
  'GET /v1/customers/:id': (call) => call.world.store.find('customer', idOf(call)) ?? customerOf(call),
  'POST /v1/customers/:id': update,
  'DELETE /v1/customers/:id': remove,
  'GET /v1/customers/:id/payment_methods': (call) =>
    listPage(call, cardsOf(call.world, customerOf(call).id).reverse()),
  'POST /v1/payment_methods/:id/attach': attachTestCard,
  'GET /v1/customers/:id/tax_ids': (call) => listPage(call, taxIdsOf(call.world, customerOf(call).id)),
  'POST /v1/customers/:id/tax_ids': createTaxId,
  'DELETE /v1/customers/:id/tax_ids/:tax': removeTaxId,
};

const customerOf = (call: ApiCall): Customer => getCustomer(call.world, idOf(call));

function update(call: ApiCall): Customer {
  const { world, params } = call;
  const before = customerOf(call);
  const after = world.store.put('customer', {
    ...before,
    balance: params.integer('balance') ?? before.balance,
    email: params.text('email') ?? before.email,
    name: params.has('name') ? (params.text('name') ?? null) : before.name,
    address: params.has('address') ? readAddress(call) : before.address,
  });
  const card = params.object('invoice_settings')?.requiredText('default_payment_method');
  if (card === undefined) return after;
  return setDefaultCard(world, after, getCardOf(world, after.id, card).id);
}

/** An empty text removes the address. */
function readAddress({ params }: ApiCall): Address | null {
  const address = params.object('address');
  if (address === undefined) return null;
  const fields = addressFields.map((name) => [name, address.text(name) ?? null]);
  return Object.fromEntries(fields) as Address;
}

/** Some of the formats that the real service checks. */
const formats: Readonly<Partial<Record<TaxId['type'], RegExp>>> = {
  eu_vat: /^(?:DE\d{9}|ATU\d{8}|(?:[BCE-Z][A-Z]|D[A-DF-Z]|A[A-SU-Z])[A-Z0-9]{2,13})$/,
  gb_vat: /^GB\d{9}(?:\d{3})?$/,
  us_ein: /^\d{2}-\d{7}$/,
};

function createTaxId(call: ApiCall): TaxId {
  const type = call.params.requiredText('type') as TaxId['type'];
  const value = call.params.requiredText('value');
  if (formats[type]?.test(value) === false) {
    throw invalidRequest(`Invalid value for ${type}.`, { param: 'value', code: 'tax_id_invalid' });
  }
  return make(call.world, 'tax_id', { customer: customerOf(call).id, type, value });
}

function removeTaxId(call: ApiCall) {
  const id = call.ids[1] ?? '';
  const isTheirs = taxIdsOf(call.world, customerOf(call).id).some((taxId) => taxId.id === id);
  if (!isTheirs) throw missingResource('tax_id', id);
  call.world.store.remove('tax_id', id);
  return { id, object: 'tax_id', deleted: true };
}

/** Deleting a customer ends their subscriptions and forgets their cards. */
function remove(call: ApiCall): DeletedCustomer {
  const { world } = call;
  const customer = customerOf(call);
  const { id } = customer;
  for (const subscription of subscriptionsOf(world, id)) endSubscription(world, subscription.id);
  for (const card of cardsOf(world, id)) world.store.put('payment_method', { ...card, customer: null });
  for (const taxId of taxIdsOf(world, id)) world.store.remove('tax_id', taxId.id);
  emit(world, 'customer.deleted', customer);
  return world.store.put('customer', { id, object: 'customer', deleted: true });
}

/** Only by a documented name, such as `pm_card_visa`; every use of the name makes a card of its own. */
function attachTestCard(call: ApiCall): PaymentMethod {
  const { world, params } = call;
  const customer = getCustomer(world, params.requiredText('customer'), 'customer');
  const expYear = world.clock.now().getUTCFullYear() + 1;
  return saveCard(world, customer, { card: getTestCardByName(idOf(call)), expMonth: 12, expYear });
}
