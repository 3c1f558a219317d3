import * as z from 'zod/mini';
import { dateTimeSchema, idSchema, nothingSchema } from './fields.ts';
import { pageOf, pageQuerySchema } from './paging.ts';
import { defineRoute } from './route.ts';
import { revealQuerySchema } from './users.ts';
import { singleValidationDetailSchema, validationListSchema } from './validations.ts';

const tag = 'Webhooks';

/** Every signing secret begins with this, as the Standard Webhooks specification has it. */
export const WEBHOOK_SECRET_PREFIX = 'whsec_';

/** Scheme and host are checked by the server, which knows where it may call. */
export const webhookUrlSchema = z.string().check(
  z.trim(),
  z.minLength(1, 'Address required'),
  z.maxLength(2_000, 'Address requires no more than 2000 characters'),
  z.refine((url) => URL.canParse(url), 'Enter an address such as https://example.com/hooks'),
);

/** Where the events of a customer go. */
export const webhookSchema = z.object({
  id: idSchema,
  url: z.string(),
  /** In full when it was just made or the caller signed in recently; else its prefix, `…` and its last four characters. */
  secret: z.string(),
  /** While a replaced secret still signs beside the new one, until when. */
  previous_secret_until: z.nullable(dateTimeSchema),
  creation_date: dateTimeSchema,
});
export type Webhook = z.output<typeof webhookSchema>;

const eventOf = <const Type extends string, Data extends z.ZodMiniType>(type: Type, data: Data) =>
  z.object({ type: z.literal(type), timestamp: dateTimeSchema, data });

/** What is posted to the customer's address. */
export const webhookEventSchema = z.discriminatedUnion('type', [
  eventOf('email_validation.completed', singleValidationDetailSchema),
  eventOf('list.completed', validationListSchema),
  eventOf('webhook.test', z.object({ message: z.string() })),
]);
export type WebhookEvent = z.output<typeof webhookEventSchema>;
export type WebhookEventType = WebhookEvent['type'];

/** One event on its way to the address, or there. */
export const webhookDeliverySchema = z.object({
  id: idSchema,
  /** Sent as `webhook-id`: the same when an event is sent again. */
  event_id: z.string(),
  event_type: z.string(),
  status: z.enum(['PENDING', 'DELIVERED', 'FAILED']),
  attempts: z.number(),
  /** What the address answered last; null when nothing came back. */
  response_status: z.nullable(z.number()),
  /** What went wrong last, in words. */
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
    auth: 'user',
    tag,
    summary: 'Your webhook, if you have one; its secret in full after a sign-in in the last 10 minutes',
    query: revealQuerySchema,
    success: { status: 200, schema: z.object({ results: z.array(webhookSchema) }) },
  }),
  createWebhook: defineRoute({
    method: 'POST',
    path: '/users/webhooks',
    auth: 'user',
    tag,
    summary: 'Have events sent to an address; 409 while you have a webhook',
    body: z.strictObject({ url: webhookUrlSchema }),
    success: { status: 201, schema: webhookSchema },
  }),
  updateWebhook: defineRoute({
    method: 'PUT',
    path: '/users/webhooks/:id',
    auth: 'user',
    tag,
    summary: 'Change the address; what waits is sent to the new one',
    params: webhookParams,
    body: z.strictObject({ url: webhookUrlSchema }),
    success: { status: 200, schema: webhookSchema },
  }),
  deleteWebhook: defineRoute({
    method: 'DELETE',
    path: '/users/webhooks/:id',
    auth: 'user',
    tag,
    summary: 'Delete the webhook with its log; what waits is not sent',
    params: webhookParams,
    success: { status: 204, schema: nothingSchema },
  }),
  rotateSecret: defineRoute({
    method: 'POST',
    path: '/users/webhooks/:id/secret',
    auth: 'user',
    tag,
    summary: 'A new secret; for a day events are signed with the old one too',
    params: webhookParams,
    success: { status: 200, schema: webhookSchema },
  }),
  sendTest: defineRoute({
    method: 'POST',
    path: '/users/webhooks/:id/test',
    auth: 'user',
    tag,
    summary: 'Send a test event, once and at once',
    params: webhookParams,
    success: { status: 202, schema: webhookDeliverySchema },
  }),
  listDeliveries: defineRoute({
    method: 'GET',
    path: '/users/webhooks/:id/deliveries',
    auth: 'user',
    tag,
    summary: 'The delivery log, newest first',
    params: webhookParams,
    query: pageQuerySchema,
    success: { status: 200, schema: pageOf(webhookDeliverySchema) },
  }),
  sendAgain: defineRoute({
    method: 'POST',
    path: '/users/webhooks/:id/deliveries/:delivery_id/again',
    auth: 'user',
    tag,
    summary: 'Send an event again, at once; one that still waits is tried now',
    params: z.extend(webhookParams, { delivery_id: idSchema }),
    success: { status: 202, schema: webhookDeliverySchema },
  }),
};
