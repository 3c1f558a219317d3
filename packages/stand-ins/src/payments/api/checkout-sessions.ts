import { expireCheckout } from '../billing/checkout.ts';
import { amountOf } from '../billing/money.ts';
import { invalidRequest } from '../errors.ts';
import { applyMetadata, missing, type Params } from '../http/params.ts';
import { newId, newPageToken } from '../ids.ts';
import type { CheckoutLine, CheckoutSession, Price } from '../wire.ts';
import { getCustomer, getObject, type World } from '../world.ts';
import { type ApiCall, idOf, type Routes } from './call.ts';
import { createdFilter, listPage, matching } from './lists.ts';

const lifeSeconds = 24 * 60 * 60;
const shortestLifeSeconds = 30 * 60;

export const checkoutRoutes: Routes = {
  'POST /v1/checkout/sessions': create,
  'GET /v1/checkout/sessions': list,
  'GET /v1/checkout/sessions/:id': (call) => getObject(call.world, 'checkout.session', idOf(call)),
  'GET /v1/checkout/sessions/:id/line_items': listLines,
  'POST /v1/checkout/sessions/:id/expire': expire,
};

interface OrderedLine {
  price: Price;
  quantity: number;
}

function create({ world, params }: ApiCall): CheckoutSession {
  const mode = params.choice('mode', ['subscription', 'setup']);
  if (mode === undefined) throw missing('mode');
  const lines = mode === 'subscription' ? readLines(world, params) : [];
  const total = lines.reduce((sum, { price, quantity }) => sum + amountOf(price, quantity), 0);
  const session: CheckoutSession = {
    ...blankSession(world, params),
    ...readPlaces(params),
    amount_subtotal: mode === 'subscription' ? total : null,
    amount_total: mode === 'subscription' ? total : null,
    currency: lines[0]?.price.currency ?? params.text('currency') ?? null,
    mode,
    payment_method_collection:
      mode === 'subscription'
        ? (params.choice('payment_method_collection', ['always', 'if_required']) ?? 'always')
        : null,
    payment_status: mode === 'setup' || total === 0 ? 'no_payment_required' : 'unpaid',
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
  };
  if (mode === 'setup' && session.customer === null) throw missing('customer');

  const subscriptionData = params.object('subscription_data');
  world.store.put('checkout.session', session);
  world.store.put('order', {
    id: session.id,
    items: lines.map(({ price, quantity }) => ({ price: price.id, quantity })),
    subscriptionMetadata: applyMetadata(null, subscriptionData?.metadata()),
    subscriptionDescription: subscriptionData?.text('description') ?? null,
  });
  return session;
}

function readLines(world: World, params: Params): OrderedLine[] {
  const lines = params.objects('line_items');
  if (lines === undefined || lines.length === 0) throw missing('line_items');
  return lines.map((line) => {
    const price = getObject(world, 'price', line.requiredText('price'), line.nameOf('price'));
    if (price.recurring === null) {
      throw invalidRequest('You must provide at least one recurring price in `subscription` mode.', {
        param: 'line_items',
      });
    }
    return { price, quantity: line.integer('quantity') ?? 1 };
  });
}

function readPlaces(params: Params): Pick<CheckoutSession, 'success_url' | 'cancel_url'> {
  const success = params.url('success_url');
  if (success === undefined) throw missing('success_url');
  return { success_url: success, cancel_url: params.url('cancel_url') ?? null };
}

function readCustomer(world: World, params: Params): Pick<CheckoutSession, 'customer' | 'customer_email'> {
  const customer = params.text('customer');
  const email = params.text('customer_email') ?? null;
  if (customer !== undefined && email !== null) {
    throw invalidRequest('You may only specify one of these parameters: customer, customer_email.', {
      param: 'customer_email',
    });
  }
  return {
    customer: customer === undefined ? null : getCustomer(world, customer, 'customer').id,
    customer_email: email,
  };
}

function readExpiry(world: World, params: Params): number {
  const now = world.clock.seconds();
  const asked = params.integer('expires_at');
  if (asked === undefined) return now + lifeSeconds;
  if (asked < now + shortestLifeSeconds || asked > now + lifeSeconds) {
    throw invalidRequest('The session must expire between 30 minutes and 24 hours from now.', {
      param: 'expires_at',
    });
  }
  return asked;
}

function blankSession(world: World, params: Params): CheckoutSession {
  const now = world.clock.seconds();
  const id = newId('cs_test');
  const token = newPageToken();
  world.store.put('page', { id: token, page: 'checkout', target: id, created: now, lastUsed: null });
  params.choice('ui_mode', ['hosted_page']);
  params.texts('allowed_payment_method_types');
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: null,
    amount_total: null,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: null,
    client_reference_id: params.text('client_reference_id') ?? null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: now,
    currency: null,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer_account: null,
    customer_creation: null,
    customer_details: null,
    ...readCustomer(world, params),
    discounts: [],
    expires_at: readExpiry(world, params),
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: params.choice('locale', ['auto', 'en']) ?? null,
    managed_payments: null,
    metadata: applyMetadata(null, params.metadata()),
    mode: 'setup',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: null,
    total_details: null,
    ui_mode: 'hosted_page',
    url: `${world.publicUrl}/checkout/${token}`,
    wallet_options: null,
  };
}

function list({ world, params }: ApiCall) {
  const newestFirst = world.store
    .all('checkout.session')
    .filter(matching('customer', params.text('customer')))
    .filter(matching('subscription', params.text('subscription')))
    .filter(matching('status', params.choice('status', ['open', 'complete', 'expired'])))
    .filter(createdFilter(params))
    .reverse();
  return listPage(params, { url: '/v1/checkout/sessions', newestFirst });
}

function listLines(call: ApiCall) {
  const session = getObject(call.world, 'checkout.session', idOf(call));
  return listPage(call.params, {
    url: `/v1/checkout/sessions/${session.id}/line_items`,
    newestFirst: linesOf(call.world, session),
  });
}

export function linesOf(world: World, session: CheckoutSession): CheckoutLine[] {
  return getObject(world, 'order', session.id).items.map((item, index) => {
    const price = getObject(world, 'price', item.price);
    const amount = amountOf(price, item.quantity);
    return {
      id: `li_${session.id}_${index}`,
      object: 'item',
      adjustable_quantity: null,
      amount_discount: 0,
      amount_subtotal: amount,
      amount_tax: 0,
      amount_total: amount,
      currency: price.currency,
      description: getObject(world, 'product', price.product).name,
      metadata: {},
      price,
      quantity: item.quantity,
    };
  });
}

function expire(call: ApiCall): CheckoutSession {
  const { world } = call;
  const session = getObject(world, 'checkout.session', idOf(call));
  if (session.status !== 'open') {
    throw invalidRequest(
      `Only Checkout Sessions with a status in ["open"] can be expired. This one is ${session.status}.`,
    );
  }
  return expireCheckout(world, session);
}
