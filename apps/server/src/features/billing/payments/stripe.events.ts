import type Stripe from 'stripe';
import * as z from 'zod/mini';
import { AppError } from '../../../platform/errors/index.ts';

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
export function requireEvent(received: unknown): Stripe.Event {
  if (!eventSchema.safeParse(received).success) throw new AppError('webhook_malformed');
  return received as Stripe.Event;
}
