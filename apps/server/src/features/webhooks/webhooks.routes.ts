import { webhooksRoutes } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import { registerRoute } from '../../platform/http/index.ts';
import { sendAgain, sendTest } from './send-by-hand.ts';
import {
  changeUrl,
  createWebhook,
  listDeliveries,
  listWebhooks,
  removeWebhook,
  rotateSecret,
  type WebhookParts,
} from './webhooks.service.ts';

export function registerWebhooksRoutes(app: FastifyInstance, parts: WebhookParts): void {
  registerRoute(app, webhooksRoutes.listWebhooks, async ({ customer }) => ({
    results: await listWebhooks(parts, customer.userId),
  }));
  registerRoute(app, webhooksRoutes.createWebhook, ({ customer, body }) =>
    createWebhook(parts, customer.userId, body.url),
  );
  registerRoute(app, webhooksRoutes.updateWebhook, ({ customer, params, body }) =>
    changeUrl(parts, { ownerId: customer.userId, id: params.id }, body.url),
  );
  registerRoute(app, webhooksRoutes.deleteWebhook, async ({ customer, params }) => {
    await removeWebhook(parts, { ownerId: customer.userId, id: params.id });
    return null;
  });
  registerRoute(app, webhooksRoutes.rotateSecret, ({ customer, params }) =>
    rotateSecret(parts, { ownerId: customer.userId, id: params.id }),
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
