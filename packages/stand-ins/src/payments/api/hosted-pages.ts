import { getOffer, getSubscriptionOf, whyNotUpdatable } from '../billing/portal.ts';
import { itemOf } from '../billing/subscription-state.ts';
import { invalidRequest } from '../errors.ts';
import type { Params } from '../http/params.ts';
import type { CheckoutSession, PortalConfiguration, PortalSession } from '../objects.ts';
import { getCustomer, getObject, make, newId, openPage, type World } from '../world.ts';
import { type ApiCall, idOf, listing, type Routes, retrieving } from './call.ts';

const checkoutSeconds = 24 * 60 * 60;

export const hostedPageRoutes: Routes = {
  'POST /v1/billing_portal/configurations': (call) =>
    putConfiguration(call, make(call.world, 'billing_portal.configuration', {})),
  'GET /v1/billing_portal/configurations': listing('billing_portal.configuration', 'active'),
  'POST /v1/billing_portal/configurations/:id': (call) =>
    putConfiguration(call, getObject(call.world, 'billing_portal.configuration', idOf(call))),
  'POST /v1/billing_portal/sessions': createPortalSession,
  'POST /v1/checkout/sessions': createCheckout,
  'GET /v1/checkout/sessions': listing('checkout.session', 'payment_intent'),
  'GET /v1/checkout/sessions/:id': retrieving('checkout.session'),
};

/** The portal is the one that the product configures. What it would do otherwise is refused, by name. */
function putConfiguration({ world, params }: ApiCall, before: PortalConfiguration): PortalConfiguration {
  // The pages have no headline.
  params.object('business_profile')?.text('headline');
  const features = params.requiredObject('features');
  features.requiredObject('invoice_history').fixed({ enabled: 'true' });
  features.requiredObject('payment_method_update').fixed({ enabled: 'true' });
  features.requiredObject('subscription_cancel').fixed({ enabled: 'true', mode: 'at_period_end' });
  const update = features.requiredObject('subscription_update');
  update.fixed({ enabled: 'true', billing_cycle_anchor: 'now', proration_behavior: 'none' });
  const [allowed] = update.texts('default_allowed_updates');
  if (allowed !== 'price') throw invalidRequest("The stand-in's portal changes prices only.");
  const waiting = update.requiredObject('schedule_at_period_end').oneObject('conditions');
  waiting.fixed({ type: 'decreasing_item_amount' });
  const products = update.objects('products').map((entry) => ({
    product: getObject(world, 'product', entry.requiredText('product'), 'product').id,
    prices: entry.texts('prices').map((id) => getObject(world, 'price', id, 'prices').id),
  }));
  return world.store.put('billing_portal.configuration', {
    ...before,
    default_return_url: params.text('default_return_url') ?? null,
    features: {
      ...before.features,
      subscription_update: { ...before.features.subscription_update, products },
    },
    metadata: params.metadata(),
  });
}

function createPortalSession({ world, params }: ApiCall): PortalSession {
  const customer = getCustomer(world, params.requiredText('customer'), 'customer').id;
  const configuration = params.requiredText('configuration');
  const { default_return_url } = getObject(world, 'billing_portal.configuration', configuration);
  const id = newId('bps');
  const session = make(world, 'billing_portal.session', {
    id,
    configuration,
    customer,
    return_url: params.text('return_url') ?? default_return_url,
    url: openPage(world, 'portal', id),
  });
  const flow = params.object('flow_data');
  if (flow === undefined) return session;
  return world.store.put('billing_portal.session', { ...session, flow: readFlow(world, flow, session) });
}

/** A flow is a deep link: one change to confirm, without the rest of the portal around it. */
function readFlow(world: World, params: Params, session: PortalSession): PortalSession['flow'] {
  const type = params.requiredChoice('type', ['payment_method_update', 'subscription_update_confirm']);
  const completion = params.requiredObject('after_completion');
  completion.fixed({ type: 'redirect' });
  const return_url = completion.requiredObject('redirect').requiredText('return_url');
  const after_completion = { type: 'redirect' as const, redirect: { return_url } };
  if (type === 'payment_method_update') return { after_completion, subscription_update_confirm: null, type };

  const details = params.requiredObject(type);
  const id = details.requiredText('subscription');
  const subscription = getSubscriptionOf(world, session.customer, id);
  const obstacle = whyNotUpdatable(world, subscription);
  const order = details.oneObject('items');
  order.fixed({ id: itemOf(subscription).id, quantity: '1' });
  if (obstacle !== null) throw invalidRequest(`This subscription cannot be updated: ${obstacle}`);
  const price = getOffer(world, session, order.requiredText('price')).id;
  const items = [{ id: itemOf(subscription).id, price, quantity: 1 }];
  return { after_completion, subscription_update_confirm: { items, subscription: id }, type };
}

function createCheckout({ world, params }: ApiCall): CheckoutSession {
  const line = params.oneObject('line_items');
  line.fixed({ quantity: '1' });
  const mode = params.requiredChoice('mode', ['payment', 'subscription']);
  const id = newId('cs_test');
  const price = mode === 'payment' ? createPrice(world, line) : line.requiredText('price');
  // An invoice is written for every payment.
  if (mode === 'payment') params.requiredObject('invoice_creation').fixed({ enabled: 'true' });
  const metadata = params.object('payment_intent_data')?.metadata() ?? {};
  world.store.put('order', { id, items: [{ price }], metadata });
  return make(world, 'checkout.session', {
    id,
    cancel_url: params.text('cancel_url') ?? null,
    customer: getCustomer(world, params.requiredText('customer'), 'customer').id,
    expires_at: world.clock.seconds() + checkoutSeconds,
    mode,
    success_url: params.requiredText('success_url').replaceAll('{CHECKOUT_SESSION_ID}', id),
    url: openPage(world, 'checkout', id),
  });
}

/** A payment that is made once takes its price inline. */
function createPrice(world: World, line: Params): string {
  const data = line.requiredObject('price_data');
  const name = data.requiredObject('product_data').requiredText('name');
  const product = make(world, 'product', { name }).id;
  const unit_amount = data.integer('unit_amount') ?? 0;
  return make(world, 'price', { currency: data.requiredText('currency'), product, unit_amount }).id;
}
