import { WEBHOOK_SECRET_PREFIX, type Webhook, webhooksRoutes } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import { hasSignedInRecently, requireRecentSignIn } from '../../platform/auth/index.ts';
import { maskSecret } from '../../platform/crypto/mask-secret.ts';
import { registerRoute } from '../../platform/http/index.ts';
import { sendAgain, sendTest } from './send-by-hand.ts';
import {
  changeWebhook,
  createWebhook,
  listDeliveries,
  listWebhooks,
  recordReveal,
  removeWebhook,
  rotateSecret,
  type WebhookParts,
} from './webhooks.service.ts';

export function registerWebhooksRoutes(app: FastifyInstance, parts: WebhookParts): void {
  registerRoute(app, webhooksRoutes.listWebhooks, async ({ customer, query }) => {
    if (query.reveal) requireRecentSignIn(customer, parts.clock);
    const isRevealed = query.reveal !== false && hasSignedInRecently(customer, parts.clock);
    const results = await listWebhooks(parts, customer.userId);
    if (!isRevealed) return { results: results.map(masked) };
    for (const { url } of results) await recordReveal(parts, customer, url);
    return { results };
  });
  registerRoute(app, webhooksRoutes.createWebhook, ({ customer, body }) =>
    createWebhook(parts, customer, { url: body.url, eventTypes: body.event_types }),
  );
  registerRoute(app, webhooksRoutes.updateWebhook, async ({ customer, params, body }) => {
    const changes = { url: body.url, eventTypes: body.event_types };
    return masked(await changeWebhook(parts, customer, params.id, changes));
  });
  registerRoute(app, webhooksRoutes.deleteWebhook, async ({ customer, params }) => {
    await removeWebhook(parts, customer, params.id);
    return null;
  });
  registerRoute(app, webhooksRoutes.rotateSecret, ({ customer, params }) =>
    rotateSecret(parts, customer, params.id),
  );
  registerRoute(app, webhooksRoutes.sendTest, ({ customer, params }) =>
    sendTest(parts, { ownerId: customer.userId, id: params.id }),
  );
  registerRoute(app, webhooksRoutes.listDeliveries, ({ customer, params, query }) =>
    listDeliveries(parts, { ownerId: customer.userId, id: params.id }, query),
  );
  registerRoute(app, webhooksRoutes.sendAgain, ({ customer, params }) =>
    sendAgain(parts, { ownerId: customer.userId, id: params.id }, params.delivery_id),
  );
}

const masked = (webhook: Webhook): Webhook => ({
  ...webhook,
  secret: maskSecret(webhook.secret, WEBHOOK_SECRET_PREFIX),
});
