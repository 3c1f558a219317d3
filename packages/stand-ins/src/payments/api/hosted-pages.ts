import { getOffer, getSubscriptionOf, whyNotUpdatable } from '../billing/portal.ts';
import { itemOf } from '../billing/subscription-state.ts';
import { invalidRequest } from '../errors.ts';
import type { Params } from '../http/params.ts';
import { newId, newPageToken } from '../ids.ts';
import type { PageAccess } from '../store/tables.ts';
import type { CheckoutSession, PortalConfiguration, PortalSession, Price, Product } from '../wire.ts';
import { getCustomer, getObject, type World } from '../world.ts';
import { type ApiCall, idOf, type Routes } from './call.ts';
import { listPage, matching } from './lists.ts';

const checkoutSeconds = 24 * 60 * 60;

export const hostedPageRoutes: Routes = {
  'POST /v1/billing_portal/configurations': createConfiguration,
  'GET /v1/billing_portal/configurations': listConfigurations,
  'POST /v1/billing_portal/configurations/:id': updateConfiguration,
  'POST /v1/billing_portal/sessions': createPortalSession,
  'POST /v1/checkout/sessions': createCheckoutSession,
  'GET /v1/checkout/sessions': listCheckoutSessions,
  'GET /v1/checkout/sessions/:id': (call) => getObject(call.world, 'checkout.session', idOf(call)),
};

function createConfiguration({ world, params }: ApiCall): PortalConfiguration {
  const configuration: PortalConfiguration = {
    id: newId('bpc'),
    object: 'billing_portal.configuration',
    active: true,
    ...readConfiguration(world, params),
  };
  world.store.put('billing_portal.configuration', configuration);
  return configuration;
}

function updateConfiguration(call: ApiCall): PortalConfiguration {
  const { world, params } = call;
  const before = getObject(world, 'billing_portal.configuration', idOf(call));
  const after: PortalConfiguration = { ...before, ...readConfiguration(world, params) };
  world.store.put('billing_portal.configuration', after);
  return after;
}

function listConfigurations({ world, params }: ApiCall) {
  const configurations = world.store
    .all('billing_portal.configuration')
    .filter(matching('active', params.boolean('active')));
  return listPage(params, '/v1/billing_portal/configurations', configurations);
}

/** The portal is the one that the product configures. What it would do otherwise is refused, by name. */
function readConfiguration(world: World, params: Params) {
  const features = params.requiredObject('features');
  const cancel = features.requiredObject('subscription_cancel');
  return {
    business_profile: { headline: params.object('business_profile')?.text('headline') ?? null },
    default_return_url: params.url('default_return_url') ?? null,
    features: {
      invoice_history: readEnabled(features.requiredObject('invoice_history')),
      payment_method_update: readEnabled(features.requiredObject('payment_method_update')),
      subscription_cancel: {
        ...readEnabled(cancel),
        mode: cancel.requiredChoice('mode', ['at_period_end']),
      },
      subscription_update: readUpdate(world, features.requiredObject('subscription_update')),
    },
    metadata: params.metadata(),
  };
}

const readEnabled = (feature: Params) => ({
  enabled: feature.requiredChoice('enabled', ['true']) === 'true',
});

function readUpdate(world: World, params: Params) {
  for (const update of params.texts('default_allowed_updates') ?? []) {
    if (update !== 'price') throw invalidRequest(`The stand-in's portal changes prices only, not ${update}.`);
  }
  const condition = params.requiredObject('schedule_at_period_end').oneObject('conditions');
  const products = (params.objects('products') ?? []).map((entry) => ({
    product: getObject(world, 'product', entry.requiredText('product'), entry.nameOf('product')).id,
    prices: (entry.texts('prices') ?? []).map((id) => getObject(world, 'price', id, 'prices').id),
  }));
  return {
    ...readEnabled(params),
    billing_cycle_anchor: params.requiredChoice('billing_cycle_anchor', ['now']),
    default_allowed_updates: ['price' as const],
    products,
    proration_behavior: params.requiredChoice('proration_behavior', ['none']),
    schedule_at_period_end: {
      conditions: [{ type: condition.requiredChoice('type', ['decreasing_item_amount']) }],
    },
  };
}

function createPortalSession({ world, params }: ApiCall): PortalSession {
  const customer = getCustomer(world, params.requiredText('customer'), 'customer');
  const id = params.requiredText('configuration');
  const configuration = getObject(world, 'billing_portal.configuration', id, 'configuration');
  const session: PortalSession = {
    id: newId('bps'),
    object: 'billing_portal.session',
    configuration: configuration.id,
    customer: customer.id,
    flow: readFlow(world, params.object('flow_data'), { customer: customer.id, configuration }),
    return_url: params.url('return_url') ?? configuration.default_return_url,
    url: '',
  };
  const opened = { ...session, url: openPage(world, 'portal', session.id) };
  world.store.put('billing_portal.session', opened);
  return opened;
}

/** A flow is a deep link: one change to confirm, without the rest of the portal around it. */
function readFlow(
  world: World,
  params: Params | undefined,
  { customer, configuration }: { customer: string; configuration: PortalConfiguration },
): PortalSession['flow'] {
  if (params === undefined) return null;
  const type = params.requiredChoice('type', ['payment_method_update', 'subscription_update_confirm']);
  const after_completion = readCompletion(params);
  if (type === 'payment_method_update') return { after_completion, subscription_update_confirm: null, type };
  const details = params.requiredObject(type);
  const id = details.requiredText('subscription');
  const subscription = getSubscriptionOf(world, customer, id);
  const obstacle = whyNotUpdatable(world, subscription);
  if (obstacle !== null)
    throw invalidRequest(`This subscription cannot be updated: ${obstacle}`, { param: 'flow_data' });

  const order = details.oneObject('items');
  const item = { id: order.requiredText('id'), price: order.requiredText('price'), quantity: 1 };
  order.choice('quantity', ['1']);
  if (item.id !== itemOf(subscription).id) {
    throw invalidRequest('Name the item of the subscription and its new price.', { param: 'flow_data' });
  }
  getOffer(world, { configuration: configuration.id }, item.price);
  return { after_completion, subscription_update_confirm: { items: [item], subscription: id }, type };
}

function readCompletion(params: Params) {
  const completion = params.requiredObject('after_completion');
  return {
    type: completion.requiredChoice('type', ['redirect']),
    redirect: { return_url: completion.requiredObject('redirect').requiredUrl('return_url') },
  };
}

function createCheckoutSession({ world, params }: ApiCall): CheckoutSession {
  const customer = getCustomer(world, params.requiredText('customer'), 'customer');
  const line = params.oneObject('line_items');
  line.choice('quantity', ['1']);
  const mode = params.requiredChoice('mode', ['payment', 'subscription']);
  const id = newId('cs_test');
  const order = mode === 'payment' ? readPayment(world, params, line) : { items: [readPrice(world, line)] };
  const session: CheckoutSession = {
    id,
    object: 'checkout.session',
    cancel_url: params.url('cancel_url') ?? null,
    customer: customer.id,
    expires_at: world.clock.seconds() + checkoutSeconds,
    invoice: null,
    mode,
    payment_intent: null,
    status: 'open',
    success_url: params.requiredUrl('success_url').replaceAll('{CHECKOUT_SESSION_ID}', id),
    url: openPage(world, 'checkout', id),
  };
  world.store.put('checkout.session', session);
  world.store.put('order', { id, ...order });
  return session;
}

function readPrice(world: World, line: Params): { price: string } {
  const price = getObject(world, 'price', line.requiredText('price'), line.nameOf('price'));
  return { price: price.id };
}

/** A payment that is made once takes its price inline, and an invoice is written for it. */
function readPayment(world: World, params: Params, line: Params) {
  params.requiredObject('invoice_creation').requiredChoice('enabled', ['true']);
  const data = line.requiredObject('price_data');
  const product: Product = {
    id: newId('prod'),
    object: 'product',
    active: false,
    description: null,
    metadata: {},
    name: data.requiredObject('product_data').requiredText('name'),
  };
  const price: Price = {
    id: newId('price'),
    object: 'price',
    active: false,
    currency: data.requiredText('currency'),
    lookup_key: null,
    metadata: {},
    product: product.id,
    recurring: null,
    unit_amount: data.integer('unit_amount') ?? 0,
  };
  world.store.put('product', product);
  world.store.put('price', price);
  return { items: [{ price: price.id }], metadata: params.object('payment_intent_data')?.metadata() ?? {} };
}

/** The session that made a payment, among others. */
function listCheckoutSessions({ world, params }: ApiCall) {
  const sessions = world.store
    .all('checkout.session')
    .filter(matching('payment_intent', params.text('payment_intent')));
  return listPage(params, '/v1/checkout/sessions', sessions);
}

/** Makes a page, and returns its address: the token in it is all that opens the page. */
function openPage(world: World, page: PageAccess['page'], target: string): string {
  const token = newPageToken();
  world.store.put('page', { id: token, page, target, created: world.clock.seconds(), lastUsed: null });
  return `${world.publicUrl}/${page}/${token}`;
}
