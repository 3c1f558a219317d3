import { invalidRequest } from '../errors.ts';
import { newId } from '../ids.ts';
import { emit } from '../webhooks/events.ts';
import type { CheckoutSession, Customer, PaymentMethod, SetupIntent } from '../wire.ts';
import { getCustomer, getObject, type World } from '../world.ts';
import { newCustomer } from './customers.ts';
import { attachCard, type CardDetails, createCard } from './payment-methods.ts';
import { createSubscription } from './subscriptions.ts';

export function expireCheckout(world: World, session: CheckoutSession): CheckoutSession {
  const expired: CheckoutSession = { ...session, status: 'expired', url: null };
  world.store.put('checkout.session', expired);
  emit(world, 'checkout.session.expired', expired);
  return expired;
}

/**
 * What pressing the button of the page does. A card that is declined is an error, and then nothing has happened: the
 * session stays open for another card. No card is needed only where nothing is paid and the session says so.
 */
export function completeCheckout(
  world: World,
  session: CheckoutSession,
  details: CardDetails | null,
): CheckoutSession {
  if (session.status !== 'open') throw invalidRequest(`This checkout session is ${session.status}.`);
  const customer = customerOf(world, session);
  const card = details === null ? null : attachCard(world, createCard(world, details), customer);
  const outcome =
    session.mode === 'setup'
      ? setUp(world, session, customer, card)
      : subscribe(world, session, customer, card);
  const complete: CheckoutSession = {
    ...session,
    ...outcome,
    customer: customer.id,
    customer_details: {
      address: null,
      business_name: null,
      email: customer.email,
      individual_name: null,
      name: details?.name ?? customer.name ?? null,
      phone: null,
      tax_exempt: 'none',
      tax_ids: [],
    },
    status: 'complete',
    url: null,
  };
  world.store.put('checkout.session', complete);
  emit(world, 'checkout.session.completed', complete);
  return complete;
}

export const needsCard = (session: CheckoutSession): boolean =>
  session.mode === 'setup' ||
  session.payment_method_collection === 'always' ||
  (session.amount_total ?? 0) > 0;

function customerOf(world: World, session: CheckoutSession): Customer {
  if (session.customer !== null) return getCustomer(world, session.customer);
  const customer = newCustomer(world, { email: session.customer_email });
  world.store.put('customer', customer);
  emit(world, 'customer.created', customer);
  return customer;
}

/** The subscription keeps the card for itself; the customer's own default stays as it was. */
function subscribe(
  world: World,
  session: CheckoutSession,
  customer: Customer,
  card: PaymentMethod | null,
): Partial<CheckoutSession> {
  const order = getObject(world, 'order', session.id);
  const subscription = createSubscription(world, {
    customer,
    items: order.items.map(({ price, quantity }) => ({
      price: getObject(world, 'price', price),
      quantity,
      metadata: {},
    })),
    card: card?.id ?? null,
    metadata: order.subscriptionMetadata,
    description: order.subscriptionDescription,
    paymentBehavior: 'error_if_incomplete',
  });
  return {
    invoice: subscription.latest_invoice,
    payment_status: session.amount_total === 0 ? 'no_payment_required' : 'paid',
    subscription: subscription.id,
  };
}

/** Saves the card with the customer and charges nothing. To use it by default is the integration's own step. */
function setUp(
  world: World,
  session: CheckoutSession,
  customer: Customer,
  card: PaymentMethod | null,
): Partial<CheckoutSession> {
  const id = newId('seti');
  const intent: SetupIntent = {
    id,
    object: 'setup_intent',
    allowed_payment_method_types: null,
    application: null,
    automatic_payment_methods: null,
    cancellation_reason: null,
    client_secret: `${id}_secret_${newId('x').slice(2)}`,
    created: world.clock.seconds(),
    customer: customer.id,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    mandate: null,
    metadata: session.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: card?.id ?? null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    single_use_mandate: null,
    status: 'succeeded',
    usage: 'off_session',
  };
  world.store.put('setup_intent', intent);
  emit(world, 'setup_intent.succeeded', intent);
  return { setup_intent: intent.id };
}
