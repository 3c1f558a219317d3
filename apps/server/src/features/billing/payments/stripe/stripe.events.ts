import type { IncomingHttpHeaders } from 'node:http';
import type Stripe from 'stripe';
import * as z from 'zod/mini';
import { AppError } from '../../../../platform/errors/index.ts';
import type { PaymentEvent } from '../payments-gateway.ts';
import { idOf } from './stripe.connection.ts';
import { packMetadataKey } from './stripe.names.ts';

/** Stripe's recommendation: an older event may be a replay. */
const signatureToleranceSeconds = 300;
/** How far Stripe's clock may be ahead of ours. */
const clockSkewSeconds = 60;

interface SignedEvent {
  readonly rawBody: Buffer;
  readonly headers: IncomingHttpHeaders;
  readonly secret: string;
  readonly now: Date;
}

/** Throws unless Stripe signed the event with the secret within the last minutes. */
export function readEvent(stripe: Stripe, { rawBody, headers, secret, now }: SignedEvent): PaymentEvent {
  const [signature = ''] = [headers['stripe-signature']].flat();
  if (!isSignedRecently(signature, now)) throw new AppError('webhook_not_genuine');
  try {
    const event = stripe.webhooks.constructEvent(
      rawBody,
      signature,
      secret,
      signatureToleranceSeconds,
      undefined,
      now.getTime(),
    );
    return eventOf(requireEvent(event));
  } catch (error) {
    // The signature is correct, but the body is not JSON.
    if (error instanceof SyntaxError) throw new AppError('webhook_malformed');
    if (!(error instanceof stripe.errors.StripeSignatureVerificationError)) throw error;
    throw new AppError('webhook_not_genuine');
  }
}

const idSchema = z.string().check(z.regex(/^[\w-]{1,255}$/));
const referenceSchema = z.optional(z.nullable(z.union([idSchema, z.looseObject({ id: idSchema })])));

/** The fields of an event that we read. Everything else is fetched from Stripe. */
const eventSchema = z
  .looseObject({
    id: idSchema,
    type: z.string().check(z.regex(/^[\w.]{1,100}$/)),
    data: z.looseObject({
      object: z.looseObject({
        id: z.optional(idSchema),
        customer: referenceSchema,
        charge: referenceSchema,
      }),
    }),
  })
  .check(z.refine(({ type, data }) => !isKnownById(type) || data.object.id !== undefined));

/** Events about the object itself. Other events name a customer or a charge. */
const isKnownById = (type: string): boolean =>
  type.startsWith('invoice.') ||
  type.startsWith('payment_intent.') ||
  type === 'charge.refunded' ||
  type === 'customer.deleted';

/** The signature proves the sender, not the shape of the event. */
function requireEvent(received: unknown): Stripe.Event {
  if (!eventSchema.safeParse(received).success) throw new AppError('webhook_malformed');
  return received as Stripe.Event;
}

/** The SDK refuses a timestamp that is too old, but accepts one in the future and one that is not a number. */
function isSignedRecently(signature: string, now: Date): boolean {
  const times = signature.split(',').filter((part) => part.trim().startsWith('t='));
  const time = times[0]?.trim().slice('t='.length) ?? '';
  if (times.length !== 1 || !/^\d{1,12}$/.test(time)) return false;
  const ageSeconds = Math.floor(now.getTime() / 1_000) - Number(time);
  return ageSeconds >= -clockSkewSeconds && ageSeconds <= signatureToleranceSeconds;
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
