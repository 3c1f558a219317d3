import { usersRoutes } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import { requireRecentSignIn } from '../../../platform/auth/index.ts';
import { registerRoute } from '../../../platform/http/index.ts';
import { type ApiKeyParts, createKey, listKeys, removeKey } from './api-keys.service.ts';

export function registerApiKeyRoutes(app: FastifyInstance, parts: ApiKeyParts): void {
  registerRoute(app, usersRoutes.listApiKeys, async ({ customer, query }) => {
    if (query.reveal) requireRecentSignIn(customer, parts.clock);
    return { results: await listKeys(parts, customer) };
  });
  registerRoute(app, usersRoutes.createApiKey, ({ customer }) => createKey(parts, customer.userId));
  registerRoute(app, usersRoutes.deleteApiKey, async ({ customer, params: { id } }) => {
    await removeKey(parts, { ownerId: customer.userId, id });
    return null;
  });
}
