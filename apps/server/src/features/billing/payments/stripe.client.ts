import { createHash } from 'node:crypto';
import { FREE_PLAN, findPack, findPlan, type PlanTier } from '@assay/contract';
import Stripe from 'stripe';
import { AppError } from '../../../platform/errors/index.ts';
import {
  type InvoiceLinks,
  type PackCharge,
  type PaidMonth,
  type PaymentEvent,
  type PaymentsGateway,
  PaymentsRefused,
  type PlannedChange,
  type RemoteCheckout,
  type RemoteInvoice,
  type RemotePayment,
  type RemoteSubscription,
  type Reversal,
} from './payments-gateway.ts';
import { requireEvent } from './stripe.events.ts';
import {
  currency,
  lookupKeyOf,
  orderMetadataKey,
  packMetadataKey,
  planMetadataKey,
  portalMetadata,
} from './stripe.names.ts';

export interface StripeOptions {
  readonly secretKey: string;
  /** Origin of the API. */
  readonly apiUrl: string;
}

/** Stripe's recommendation: an older event may be a replay. */
const signatureToleranceSeconds = 300;
/** How far Stripe's clock may be ahead of ours. */
const clockSkewSeconds = 60;
const answerPatienceMs = 10_000;
const networkRetriesMax = 2;

export function connectStripe({ secretKey, apiUrl }: StripeOptions): Stripe {
  const { hostname, port, protocol } = new URL(apiUrl);
  const scheme = protocol === 'http:' ? 'http' : 'https';
  return new Stripe(secretKey, {
    host: hostname,
    port: port || (scheme === 'http' ? 80 : 443),
    protocol: scheme,
    maxNetworkRetries: networkRetriesMax,
    timeout: answerPatienceMs,
    telemetry: false,
  });
}

/** Payments through Stripe. */
export function createStripeGateway(options: StripeOptions & { webhookSecret: string }): PaymentsGateway {
  const stripe = connectStripe(options);
  const planOfPrice = createPriceReader(stripe);

  const invoiceOf = async (invoice: Stripe.Invoice): Promise<RemoteInvoice> => ({
    id: invoice.id,
    customerId: idOf(invoice.customer) ?? '',
    isPaid: invoice.status === 'paid',
    totalCents: invoice.total,
    paidAt: dateOf(invoice.status_transitions.paid_at),
    months: await monthsOf(invoice, planOfPrice),
  });
  const subscriptionOf = async (
    subscription: Stripe.Subscription,
  ): Promise<RemoteSubscription | undefined> => {
    const [item] = subscription.items.data;
    const plan = item && (await planOfPrice(item.price));
    // A subscription to another product in the same Stripe account.
    if (!item || !plan) return undefined;
    const latest = subscription.latest_invoice;
    return {
      id: subscription.id,
      state: stateOf(subscription.status),
      plan,
      createdAt: new Date(subscription.created * 1_000),
      anchoredAt: new Date(subscription.billing_cycle_anchor * 1_000),
      periodStart: new Date(item.current_period_start * 1_000),
      periodEnd: new Date(item.current_period_end * 1_000),
      endedAt: dateOf(subscription.ended_at),
      latestInvoice: latest && typeof latest === 'object' ? await invoiceOf(latest) : null,
      pendingChange: await pendingChangeOf(subscription, planOfPrice),
    };
  };

  return {
    readEvent: (rawBody, headers, now) => {
      const [signature = ''] = [headers['stripe-signature']].flat();
      if (!isSignedRecently(signature, now)) throw new AppError('webhook_not_genuine');
      try {
        const event = stripe.webhooks.constructEvent(
          rawBody,
          signature,
          options.webhookSecret,
          signatureToleranceSeconds,
          undefined,
          now.getTime(),
        );
        return eventOf(requireEvent(event));
      } catch (error) {
        // The signature is correct, but the body is not JSON.
        if (error instanceof SyntaxError) throw new AppError('webhook_malformed');
        if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error;
        throw new AppError('webhook_not_genuine');
      }
    },

    createCustomer: async ({ ownerId, email, setupKey }) => {
      // The key contains the address, because Stripe refuses the same key with another address for a day.
      const addressHash = createHash('sha256').update(email).digest('hex').slice(0, 16);
      const customer = await reach(() =>
        stripe.customers.create(
          { metadata: { assay_user: ownerId }, ...(email && { email }) },
          { idempotencyKey: `assay-customer-${setupKey}-${addressHash}` },
        ),
      );
      return customer.id;
    },
    isCustomer: async (customerId) => {
      const customer = await reach(() => stripe.customers.retrieve(customerId));
      return !customer.deleted;
    },
    changeAddress: (customerId, email) => unlessGone(() => stripe.customers.update(customerId, { email })),
    deleteCustomer: (customerId) => unlessGone(() => stripe.customers.del(customerId)),

    createFreeSubscription: async ({ customerId, setupKey }) => {
      const price = await findPrice(stripe, FREE_PLAN);
      await reach(() =>
        stripe.subscriptions.create(
          { customer: customerId, items: [{ price }] },
          { idempotencyKey: `assay-free-${setupKey}` },
        ),
      );
    },
    findSubscriptions: async (customerId) => {
      const found = await reach(() =>
        stripe.subscriptions
          .list({
            customer: customerId,
            status: 'all',
            limit: 100,
            expand: ['data.latest_invoice', 'data.schedule'],
          })
          .autoPagingToArray({ limit: 1_000 }),
      );
      const ours = await Promise.all(found.map(subscriptionOf));
      return ours.filter((subscription) => subscription !== undefined);
    },
    endSubscription: (subscriptionId) => unlessGone(() => stripe.subscriptions.cancel(subscriptionId)),
    keepPlan: async (subscriptionId) => {
      const subscription = await reach(() => stripe.subscriptions.retrieve(subscriptionId));
      const schedule = idOf(subscription.schedule);
      // Release the schedule first: Stripe refuses to change a cancellation while a schedule is attached.
      if (schedule) await reach(() => stripe.subscriptionSchedules.release(schedule));
      // The portal cancels by a date and the API by a flag. Each has its own field to clear.
      const isFlagged = subscription.cancel_at_period_end;
      if (!isFlagged && subscription.cancel_at === null) return;
      const clearing = isFlagged ? { cancel_at_period_end: false } : { cancel_at: '' as const };
      await reach(() => stripe.subscriptions.update(subscriptionId, clearing));
    },

    findInvoice: async (invoiceId) => invoiceOf(await reach(() => stripe.invoices.retrieve(invoiceId))),
    findPaidInvoices: async ({ customerId, since }) => {
      const created = { gte: Math.floor(since.getTime() / 1_000) };
      const found = await reach(() =>
        stripe.invoices
          .list({ customer: customerId, status: 'paid', created, limit: 100 })
          .autoPagingToArray({ limit: 1_000 }),
      );
      return Promise.all(found.map(invoiceOf));
    },
    findInvoicePage: async (reference) => {
      const invoiceId = isPaymentId(reference) ? await findInvoiceOfPayment(stripe, reference) : reference;
      if (invoiceId === null) return findReceipt(stripe, reference);
      const invoice = await reach(() => stripe.invoices.retrieve(invoiceId));
      const pageUrl = invoice.hosted_invoice_url ?? null;
      return pageUrl === null ? null : { pageUrl, pdfUrl: invoice.invoice_pdf ?? null };
    },
    findPayment: async (paymentId) => {
      const intent = await unlessMissing(() => stripe.paymentIntents.retrieve(paymentId));
      return intent && paymentOf(intent);
    },

    findPayer: async (chargeId) => idOf((await reach(() => stripe.charges.retrieve(chargeId))).customer),
    findReversedCharge: async (chargeId) => {
      const everyPage = { limit: 1_000 };
      const ofCharge = { charge: chargeId, limit: 100 };
      const [charge, refunds, disputes] = await Promise.all([
        reach(() => stripe.charges.retrieve(chargeId)),
        reach(() => stripe.refunds.list(ofCharge).autoPagingToArray(everyPage)),
        reach(() => stripe.disputes.list(ofCharge).autoPagingToArray(everyPage)),
      ]);
      return {
        amountCents: charge.amount,
        paymentId: idOf(charge.payment_intent),
        invoiceId: await findInvoiceOfCharge(stripe, charge),
        reversals: [
          ...refunds.flatMap(refundOf),
          ...disputes.flatMap((dispute) => disputeOf(dispute, charge)),
        ],
      };
    },

    hasCard: async (customerId) => {
      const { data } = await reach(() => stripe.customers.listPaymentMethods(customerId, { limit: 1 }));
      return data.length > 0;
    },
    findCard: async (customerId) => {
      const [customer, { data: methods }] = await Promise.all([
        reach(() => stripe.customers.retrieve(customerId)),
        reach(() => stripe.customers.listPaymentMethods(customerId, { limit: 100 })),
      ]);
      const byDefault = customer.deleted ? null : idOf(customer.invoice_settings.default_payment_method);
      const cards = methods.filter(({ card }) => card !== undefined);
      const method = cards.find(({ id }) => id === byDefault) ?? cards[0];
      return (
        method?.card && {
          id: method.id,
          brand: method.card.brand,
          last4: method.card.last4,
          expiryMonth: method.card.exp_month,
          expiryYear: method.card.exp_year,
        }
      );
    },
    chargePack: async ({ customerId, pack, cardId, orderId }) => {
      const charge = () =>
        stripe.paymentIntents.create(
          {
            amount: pack.monthlyCostCents,
            currency,
            customer: customerId,
            payment_method: cardId,
            confirm: true,
            off_session: true,
            description: packName(pack),
            metadata: { [packMetadataKey]: pack.code, [orderMetadataKey]: orderId },
          },
          { idempotencyKey: `assay-top-up-${orderId}` },
        );
      return reach(() => charge().then(chargeOf, declineOf)).catch((error: unknown) => {
        // For example because the card was removed since.
        if (error instanceof PaymentsRefused) return { outcome: 'declined' };
        throw error;
      });
    },
    openPortal: async ({ customerId, returnUrl, change }) => {
      const configuration = await findPortalConfiguration(stripe);
      const flow = change && (await confirmationFlow(stripe, change, returnUrl));
      const session = await reach(() =>
        stripe.billingPortal.sessions.create({
          customer: customerId,
          configuration,
          return_url: returnUrl,
          ...(flow && { flow_data: flow }),
        }),
      );
      return session.url;
    },
    openCheckout: async ({ customerId, plan, returnUrl }) => {
      const price = await findPrice(stripe, plan);
      const session = await reach(() =>
        stripe.checkout.sessions.create({
          mode: 'subscription',
          customer: customerId,
          line_items: [{ price, quantity: 1 }],
          success_url: returnUrl,
          cancel_url: returnUrl,
        }),
      );
      return urlOf(session);
    },
    openPackCheckout: async ({ customerId, pack, returnUrlOf, cancelUrl }) => {
      const product = { name: packName(pack) };
      const session = await reach(() =>
        stripe.checkout.sessions.create({
          mode: 'payment',
          customer: customerId,
          line_items: [
            {
              price_data: { currency, unit_amount: pack.monthlyCostCents, product_data: product },
              quantity: 1,
            },
          ],
          // Payments have no invoice unless they are asked for one.
          invoice_creation: { enabled: true },
          payment_intent_data: { metadata: { [packMetadataKey]: pack.code } },
          success_url: returnUrlOf('{CHECKOUT_SESSION_ID}'),
          cancel_url: cancelUrl,
        }),
      );
      return { id: session.id, url: urlOf(session) };
    },
    findCheckout: async (checkoutId) => {
      const session = await unlessMissing(() => stripe.checkout.sessions.retrieve(checkoutId));
      return (
        session && {
          customerId: idOf(session.customer) ?? '',
          state: checkoutStateOf(session),
          expiresAt: new Date(session.expires_at * 1_000),
          paymentId: idOf(session.payment_intent),
        }
      );
    },
  };
}

/** The SDK refuses a timestamp that is too old, but accepts one in the future and one that is not a number. */
function isSignedRecently(signature: string, now: Date): boolean {
  const times = signature.split(',').filter((part) => part.trim().startsWith('t='));
  const time = times[0]?.trim().slice('t='.length) ?? '';
  if (times.length !== 1 || !/^\d{1,12}$/.test(time)) return false;
  const ageSeconds = Math.floor(now.getTime() / 1_000) - Number(time);
  return ageSeconds >= -clockSkewSeconds && ageSeconds <= signatureToleranceSeconds;
}

function urlOf({ url }: Stripe.Checkout.Session): string {
  if (url === null) throw new PaymentsRefused('The checkout page has no address.');
  return url;
}

function checkoutStateOf({ status }: Stripe.Checkout.Session): RemoteCheckout['state'] {
  if (status === 'open') return 'open';
  return status === 'complete' ? 'complete' : 'expired';
}

const packName = ({ monthlyCredits }: PlanTier): string =>
  `${monthlyCredits.toLocaleString('en-US')} credits`;

function chargeOf({ id, status }: Stripe.PaymentIntent): PackCharge {
  if (status === 'succeeded') return { outcome: 'paid', paymentId: id };
  return { outcome: status === 'processing' ? 'processing' : 'requires_action' };
}

function declineOf(error: unknown): PackCharge {
  if (!(error instanceof Stripe.errors.StripeCardError)) throw error;
  return { outcome: error.code === 'authentication_required' ? 'requires_action' : 'declined' };
}

const isPaymentId = (reference: string): boolean => reference.startsWith('pi_');

function paymentOf(intent: Stripe.PaymentIntent): RemotePayment {
  return {
    id: intent.id,
    customerId: idOf(intent.customer) ?? '',
    isPaid: intent.status === 'succeeded' && intent.currency === currency,
    paidCents: intent.amount_received,
    paidAt: new Date(intent.created * 1_000),
    pack: findPack(intent.metadata[packMetadataKey] ?? ''),
    orderId: intent.metadata[orderMetadataKey] ?? null,
  };
}

const idOf = (reference: string | { id: string } | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);

const dateOf = (seconds: number | null | undefined): Date | null =>
  typeof seconds === 'number' ? new Date(seconds * 1_000) : null;

function stateOf(status: Stripe.Subscription.Status): RemoteSubscription['state'] {
  if (status === 'active' || status === 'trialing') return 'active';
  if (status === 'past_due' || status === 'unpaid' || status === 'paused') return 'overdue';
  return status === 'incomplete' ? 'pending' : 'ended';
}

function eventOf(event: Stripe.Event): PaymentEvent {
  const { id, type } = event;
  const about = (object: { customer?: string | { id: string } | null }) => ({
    id,
    type,
    customerId: idOf(object.customer) ?? '',
  });
  switch (event.type) {
    case 'invoice.paid':
    case 'invoice.payment_failed':
    case 'invoice.voided':
    case 'invoice.marked_uncollectible':
      return { ...about(event.data.object), about: 'invoice', invoiceId: event.data.object.id };
    case 'payment_intent.succeeded': {
      const { id: paymentId, metadata } = event.data.object;
      // Payments of subscriptions have invoices, with events of their own.
      if (!metadata?.[packMetadataKey]) return { id, type, about: 'nothing' };
      return { ...about(event.data.object), about: 'payment', paymentId };
    }
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
    // Stripe fills a schedule after attaching it, so the subscription's own event arrives too early.
    case 'subscription_schedule.created':
    case 'subscription_schedule.updated':
    case 'subscription_schedule.released':
    case 'subscription_schedule.canceled':
      return { ...about(event.data.object), about: 'subscription' };
    case 'charge.refunded':
      return { id, type, about: 'reversal', chargeId: event.data.object.id };
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.dispute.created':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated': {
      const chargeId = idOf(event.data.object.charge);
      return chargeId === null ? { id, type, about: 'nothing' } : { id, type, about: 'reversal', chargeId };
    }
    case 'customer.deleted':
      return { id, type, about: 'customer_deleted', customerId: event.data.object.id };
    default:
      return { id, type, about: 'nothing' };
  }
}

/** Pending refunds fire another event when they settle. */
function refundOf({ id, amount, status }: Stripe.Refund): Reversal[] {
  const isUndone = status === 'failed' || status === 'canceled';
  return status === 'succeeded' || isUndone
    ? [{ id, kind: 'refund', amountCents: amount, isUndone, isDecided: true }]
    : [];
}

/** The bank takes the money when a dispute starts. An inquiry before that (`warning_*`) takes nothing. */
function disputeOf({ id, amount, status }: Stripe.Dispute, charge: Stripe.Charge): Reversal[] {
  if (status.startsWith('warning_') || status === 'prevented') return [];
  // A dispute cannot take money that was refunded before.
  const amountCents = Math.min(amount, charge.amount - charge.amount_refunded);
  const isUndone = status === 'won';
  return [{ id, kind: 'dispute', amountCents, isUndone, isDecided: isUndone || status === 'lost' }];
}

type PriceReader = (price: string | Stripe.Price) => Promise<PlanTier | undefined>;

/** Reads the plan of a price. A price never changes its plan, so each is fetched once. */
function createPriceReader(stripe: Stripe): PriceReader {
  const known = new Map<string, PlanTier | undefined>();
  return async (price) => {
    const id = typeof price === 'string' ? price : price.id;
    if (!known.has(id)) {
      const whole = typeof price === 'string' ? await reach(() => stripe.prices.retrieve(price)) : price;
      known.set(id, findPlan(whole.metadata[planMetadataKey] ?? ''));
    }
    return known.get(id);
  };
}

async function monthsOf(invoice: Stripe.Invoice, planOfPrice: PriceReader): Promise<PaidMonth[]> {
  const months: PaidMonth[] = [];
  for (const line of invoice.lines.data) {
    const price = line.pricing?.price_details?.price;
    const isProrated = line.parent?.subscription_item_details?.proration ?? true;
    const plan = price && !isProrated ? await planOfPrice(price) : undefined;
    if (!plan) continue;
    months.push({
      plan,
      quantity: line.quantity ?? 1,
      costCents: line.amount,
      begin: new Date(line.period.start * 1_000),
      end: new Date(line.period.end * 1_000),
    });
  }
  return months;
}

/** The next planned change of the subscription: its end, or another plan. */
async function pendingChangeOf(
  { cancel_at, cancel_at_period_end, schedule, items }: Stripe.Subscription,
  planOfPrice: PriceReader,
): Promise<PlannedChange | null> {
  const [item] = items.data;
  const endsAt = dateOf(cancel_at ?? (cancel_at_period_end ? item?.current_period_end : null));
  const end: PlannedChange | null = endsAt && { kind: 'cancellation', plan: FREE_PLAN, at: endsAt };
  if (!item || !schedule || typeof schedule !== 'object' || schedule.status !== 'active') return end;

  const presentEnd = schedule.current_phase?.end_date ?? item.current_period_end;
  for (const phase of schedule.phases.filter(({ start_date }) => start_date >= presentEnd)) {
    const price = phase.items[0]?.price;
    const isOther = price && idOf(price) !== item.price.id;
    const plan = isOther ? await planOfPrice(idOf(price) ?? '') : undefined;
    if (!plan) continue;
    const at = new Date(phase.start_date * 1_000);
    return end && end.at <= at ? end : { kind: 'plan_change', plan, at };
  }
  return end;
}

async function findInvoiceOfCharge(stripe: Stripe, charge: Stripe.Charge): Promise<string | null> {
  const intent = idOf(charge.payment_intent);
  if (!intent) return null;
  const { data } = await reach(() =>
    stripe.invoicePayments.list({ payment: { type: 'payment_intent', payment_intent: intent }, limit: 1 }),
  );
  return idOf(data[0]?.invoice);
}

/** The invoice that a checkout wrote for its payment. */
async function findInvoiceOfPayment(stripe: Stripe, paymentId: string): Promise<string | null> {
  const { data } = await reach(() => stripe.checkout.sessions.list({ payment_intent: paymentId, limit: 1 }));
  return idOf(data[0]?.invoice);
}

/** A payment without an invoice, such as an automatic top-up, has a receipt. */
async function findReceipt(stripe: Stripe, paymentId: string): Promise<InvoiceLinks | null> {
  const intent = await reach(() => stripe.paymentIntents.retrieve(paymentId));
  const chargeId = idOf(intent.latest_charge);
  const charge = chargeId === null ? null : await reach(() => stripe.charges.retrieve(chargeId));
  return charge?.receipt_url ? { pageUrl: charge.receipt_url, pdfUrl: null } : null;
}

async function findPrice(stripe: Stripe, plan: PlanTier): Promise<string> {
  const { data } = await reach(() =>
    stripe.prices.list({ lookup_keys: [lookupKeyOf(plan)], active: true, limit: 1 }),
  );
  if (!data[0]) throw new PaymentsRefused(`There is no price for plan ${plan.code}. ${runSetup}`);
  return data[0].id;
}

async function findPortalConfiguration(stripe: Stripe): Promise<string> {
  const found = await reach(() =>
    stripe.billingPortal.configurations
      .list({ active: true, limit: 100 })
      .autoPagingToArray({ limit: 1_000 }),
  );
  const ours = found.find(({ metadata }) => metadata?.[portalMetadata.key] === portalMetadata.value);
  if (!ours) throw new PaymentsRefused(`The customer portal is not configured. ${runSetup}`);
  return ours.id;
}

const runSetup = 'Run: assay payments setup';

async function confirmationFlow(
  stripe: Stripe,
  { subscriptionId, plan }: { subscriptionId: string; plan: PlanTier },
  returnUrl: string,
): Promise<Stripe.BillingPortal.SessionCreateParams.FlowData> {
  const [subscription, price] = await Promise.all([
    reach(() => stripe.subscriptions.retrieve(subscriptionId)),
    findPrice(stripe, plan),
  ]);
  const items = subscription.items.data.slice(0, 1).map(({ id }) => ({ id, price, quantity: 1 }));
  return {
    type: 'subscription_update_confirm',
    subscription_update_confirm: { subscription: subscriptionId, items },
    after_completion: { type: 'redirect', redirect: { return_url: returnUrl } },
  };
}

/** Separates requests that Stripe refuses for good from those that failed for now. */
async function reach<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) {
      // Stripe's message may contain an address from the request, so only its codes are kept.
      const what = [error.code, error.param].filter(Boolean).join(' ') || 'invalid request';
      throw new PaymentsRefused(`Stripe refused: ${what} (${error.requestId ?? 'no request id'}).`);
    }
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    throw new AppError('payments_unavailable', { type: error.type, requestId: error.requestId });
  }
}

/** For ending something that may have ended already. */
async function unlessGone(call: () => Promise<unknown>): Promise<void> {
  await unlessMissing(call);
}

const unlessMissing = <Answer>(call: () => Promise<Answer>): Promise<Answer | undefined> =>
  reach(() =>
    call().catch((error: unknown) => {
      const isMissing =
        error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
      if (!isMissing) throw error;
      return undefined;
    }),
  );
