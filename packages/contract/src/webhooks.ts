import * as z from 'zod/mini';
import { dateTimeSchema, idSchema, nothingSchema } from './fields.ts';
import { WEBHOOK_EVENT_TYPES } from './names/webhook-events.ts';
import { pageOf, pageQuerySchema } from './paging.ts';
import { defineRoute } from './route.ts';
import { revealQuerySchema } from './users.ts';
import { singleValidationDetailSchema, validationListSchema } from './validations/index.ts';

const tag = 'Webhooks';

/** The server checks scheme and host, because only it knows which targets are allowed. */
export const webhookUrlSchema = z.string().check(
  z.trim(),
  z.minLength(1, 'Address required'),
  z.maxLength(2_000, 'Address requires no more than 2000 characters'),
  z.refine((url) => URL.canParse(url), 'Enter an address such as https://example.com/hooks'),
);

/** Null for all events, also of types that come later. */
export const chosenEventTypesSchema = z.nullable(
  z
    .array(z.enum(WEBHOOK_EVENT_TYPES))
    .check(
      z.minLength(1, 'Choose at least one type of event'),
      z.maxLength(WEBHOOK_EVENT_TYPES.length, 'Name each type of event once'),
    ),
);

/** One of a customer's webhooks. */
export const webhookSchema = z.object({
  id: idSchema,
  url: z.string(),
  event_types: z.nullable(z.array(z.string())),
  /** In full if it is new or was revealed; else its prefix, `…` and its last four characters. */
  secret: z.string(),
  /** Until when a replaced secret still signs beside the new one; null if none does. */
  previous_secret_until: z.nullable(dateTimeSchema),
  /** Events that still wait, counted up to 1,000. */
  waiting_events: z.number(),
  /** Why the oldest waiting event was not taken yet; null if nothing fails. */
  last_error: z.nullable(z.string()),
  /** When the receiver last took an event or a test; null if that was never noted. */
  last_delivery_date: z.nullable(dateTimeSchema),
  creation_date: dateTimeSchema,
});
export type Webhook = z.output<typeof webhookSchema>;

const eventOf = <const Type extends string, Data extends z.ZodMiniType>(type: Type, data: Data) =>
  z.object({ type: z.literal(type), timestamp: dateTimeSchema, data });

/** The body of an event. */
export const webhookEventSchema = z.discriminatedUnion('type', [
  eventOf('email_validation.completed', singleValidationDetailSchema),
  eventOf('list.completed', validationListSchema),
  eventOf('list.failed', validationListSchema),
  eventOf('balance.low', z.object({ balance: z.number(), threshold: z.number() })),
  eventOf('webhook.test', z.object({ message: z.string() })),
]);
export type WebhookEvent = z.output<typeof webhookEventSchema>;
export type WebhookEventType = WebhookEvent['type'];

/** One event with the state of its delivery. */
export const webhookDeliverySchema = z.object({
  id: idSchema,
  /** Sent as `webhook-id`; stays the same when an event is sent again. */
  event_id: z.string(),
  event_type: z.string(),
  status: z.enum(['PENDING', 'DELIVERED', 'FAILED']),
  attempts: z.number(),
  /** The last response status; null if there was no response. */
  response_status: z.nullable(z.number()),
  /** The last error, in words. */
  error: z.nullable(z.string()),
  creation_date: dateTimeSchema,
  last_attempt_date: z.nullable(dateTimeSchema),
});
export type WebhookDelivery = z.output<typeof webhookDeliverySchema>;

const webhookParams = z.strictObject({ id: idSchema });

export const webhooksRoutes = {
  listWebhooks: defineRoute({
    method: 'GET',
    path: '/users/webhooks',
    auth: 'user_or_key',
    keyScope: 'manage_webhooks',
    leastRole: 'admin',
    tag,
    summary: 'List your webhooks, oldest first; their secrets in full after a sign-in in the last 10 minutes',
    query: revealQuerySchema,
    success: { status: 200, schema: z.object({ results: z.array(webhookSchema) }) },
  }),
  createWebhook: defineRoute({
    method: 'POST',
    path: '/users/webhooks',
    auth: 'user_or_key',
    keyScope: 'manage_webhooks',
    leastRole: 'admin',
    tag,
    summary: 'Create a webhook; 409 if you have 10, or one with this URL',
    body: z.strictObject({
      url: webhookUrlSchema,
      event_types: z._default(chosenEventTypesSchema, null),
    }),
    success: { status: 201, schema: webhookSchema },
  }),
  updateWebhook: defineRoute({
    method: 'PUT',
    path: '/users/webhooks/:id',
    auth: 'user_or_key',
    keyScope: 'manage_webhooks',
    leastRole: 'admin',
    tag,
    summary: 'Change the URL, the types of events, or both; waiting events stay and go to the new URL',
    params: webhookParams,
    body: z
      .strictObject({ url: z.optional(webhookUrlSchema), event_types: z.optional(chosenEventTypesSchema) })
      .check(
        z.refine(({ url, event_types }) => url !== undefined || event_types !== undefined, {
          error: 'Name the URL, the types of events, or both',
          path: ['url'],
        }),
      ),
    success: { status: 200, schema: webhookSchema },
  }),
  deleteWebhook: defineRoute({
    method: 'DELETE',
    path: '/users/webhooks/:id',
    auth: 'user_or_key',
    keyScope: 'manage_webhooks',
    leastRole: 'admin',
    tag,
    summary: 'Delete the webhook and its log; waiting events are not sent',
    params: webhookParams,
    success: { status: 204, schema: nothingSchema },
  }),
  rotateSecret: defineRoute({
    method: 'POST',
    path: '/users/webhooks/:id/secret',
    auth: 'user_or_key',
    keyScope: 'manage_webhooks',
    leastRole: 'admin',
    tag,
    summary: 'Replace the secret; for a day the old one signs events too',
    params: webhookParams,
    success: { status: 200, schema: webhookSchema },
  }),
  sendTest: defineRoute({
    method: 'POST',
    path: '/users/webhooks/:id/test',
    auth: 'user_or_key',
    keyScope: 'manage_webhooks',
    leastRole: 'admin',
    tag,
    summary: 'Send a test event at once, without retries',
    params: webhookParams,
    success: { status: 202, schema: webhookDeliverySchema },
  }),
  listDeliveries: defineRoute({
    method: 'GET',
    path: '/users/webhooks/:id/deliveries',
    auth: 'user_or_key',
    keyScope: 'manage_webhooks',
    leastRole: 'admin',
    tag,
    summary: 'List the delivery log, newest first',
    params: webhookParams,
    query: pageQuerySchema,
    success: { status: 200, schema: pageOf(webhookDeliverySchema) },
  }),
  sendAgain: defineRoute({
    method: 'POST',
    path: '/users/webhooks/:id/deliveries/:delivery_id/again',
    auth: 'user_or_key',
    keyScope: 'manage_webhooks',
    leastRole: 'admin',
    tag,
    summary: 'Send an event again at once; a waiting event is tried now',
    params: z.extend(webhookParams, { delivery_id: idSchema }),
    success: { status: 202, schema: webhookDeliverySchema },
  }),
};
