import './webhooks.tables.ts';

export { dropWaitingDeliveries, removeOldDeliveries } from './delivery/deliveries.store.ts';
export { queueEvent, queueEvents } from './delivery/queue-event.ts';
export { type GuardedGetOptions, guardedGet } from './guarded-get.ts';
export { ForbiddenAddress, lookupAllowed, type ResolveHost } from './lookup-allowed.ts';
export { webhookSecrets } from './webhook-secret.ts';
export { webhooksHandlers } from './webhooks.handlers.ts';
export { registerWebhooksRoutes } from './webhooks.routes.ts';
export { describeWebhooks, listDeliveriesOf, listWebhookHosts } from './webhooks.service.ts';
