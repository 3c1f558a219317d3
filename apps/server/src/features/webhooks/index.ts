import './webhooks.tables.ts';

export { queueEvent } from './delivery/queue-event.ts';
export { webhooksHandlers } from './webhooks.handlers.ts';
export { registerWebhooksRoutes } from './webhooks.routes.ts';
