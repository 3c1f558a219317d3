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
  registerRoute(app, webhooksRoutes.listWebhooks, async ({ caller, query }) => {
    if (query.reveal) requireRecentSignIn(caller, parts.clock);
    const isRevealed = query.reveal !== false && hasSignedInRecently(caller, parts.clock);
    const results = await listWebhooks(parts, caller.accountId);
    if (!isRevealed) return { results: results.map(masked) };
    for (const { url } of results) await recordReveal(parts, caller, url);
    return { results };
  });
  registerRoute(app, webhooksRoutes.createWebhook, ({ caller, body }) =>
    createWebhook(parts, caller, { url: body.url, eventTypes: body.event_types }),
  );
  registerRoute(app, webhooksRoutes.updateWebhook, async ({ caller, params, body }) => {
    const changes = { url: body.url, eventTypes: body.event_types };
    return masked(await changeWebhook(parts, caller, params.id, changes));
  });
  registerRoute(app, webhooksRoutes.deleteWebhook, async ({ caller, params }) => {
    await removeWebhook(parts, caller, params.id);
    return null;
  });
  registerRoute(app, webhooksRoutes.rotateSecret, ({ caller, params }) =>
    rotateSecret(parts, caller, params.id),
  );
  registerRoute(app, webhooksRoutes.sendTest, ({ caller, params }) =>
    sendTest(parts, { ownerId: caller.accountId, id: params.id }),
  );
  registerRoute(app, webhooksRoutes.listDeliveries, ({ caller, params, query }) =>
    listDeliveries(parts, { ownerId: caller.accountId, id: params.id }, query),
  );
  registerRoute(app, webhooksRoutes.sendAgain, ({ caller, params }) =>
    sendAgain(parts, { ownerId: caller.accountId, id: params.id }, params.delivery_id),
  );
}

const masked = (webhook: Webhook): Webhook => ({
  ...webhook,
  secret: maskSecret(webhook.secret, WEBHOOK_SECRET_PREFIX),
});
