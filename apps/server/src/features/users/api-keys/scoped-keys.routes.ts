import { usersRoutes } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import { requireRecentSignIn } from '../../../platform/auth/index.ts';
import { registerRoute } from '../../../platform/http/index.ts';
import {
  changeScopedKey,
  createScopedKey,
  listScopedKeys,
  readKeyUsage,
  revokeScopedKey,
  rollScopedKey,
  type ScopedKeyParts,
} from './scoped-keys.service.ts';

export function registerScopedKeyRoutes(app: FastifyInstance, parts: ScopedKeyParts): void {
  registerRoute(app, usersRoutes.listScopedKeys, async ({ customer }) => ({
    results: await listScopedKeys(parts, customer.userId),
  }));
  registerRoute(app, usersRoutes.createScopedKey, async ({ customer, body }) => {
    requireRecentSignIn(customer, parts.clock);
    return createScopedKey(parts, customer, body);
  });
  registerRoute(app, usersRoutes.updateScopedKey, ({ customer, params: { id }, body }) =>
    changeScopedKey(parts, customer, id, body),
  );
  registerRoute(app, usersRoutes.rollScopedKey, async ({ customer, params: { id }, body }) => {
    requireRecentSignIn(customer, parts.clock);
    return rollScopedKey(parts, customer, id, body.overlap_hours);
  });
  registerRoute(app, usersRoutes.revokeScopedKey, async ({ customer, params: { id } }) => {
    await revokeScopedKey(parts, customer, id);
    return null;
  });
  registerRoute(app, usersRoutes.getScopedKeyUsage, ({ customer, params: { id } }) =>
    readKeyUsage(parts, { ownerId: customer.userId, id }),
  );
}
