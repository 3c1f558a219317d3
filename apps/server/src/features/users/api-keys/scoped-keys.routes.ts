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
  registerRoute(app, usersRoutes.listScopedKeys, async ({ caller }) => ({
    results: await listScopedKeys(parts, caller.accountId),
  }));
  registerRoute(app, usersRoutes.createScopedKey, async ({ caller, body }) => {
    requireRecentSignIn(caller, parts.clock);
    return createScopedKey(parts, caller, body);
  });
  registerRoute(app, usersRoutes.updateScopedKey, ({ caller, params: { id }, body }) =>
    changeScopedKey(parts, caller, id, body),
  );
  registerRoute(app, usersRoutes.rollScopedKey, async ({ caller, params: { id }, body }) => {
    requireRecentSignIn(caller, parts.clock);
    return rollScopedKey(parts, caller, id, body.overlap_hours);
  });
  registerRoute(app, usersRoutes.revokeScopedKey, async ({ caller, params: { id } }) => {
    await revokeScopedKey(parts, caller, id);
    return null;
  });
  registerRoute(app, usersRoutes.getScopedKeyUsage, ({ caller, params: { id } }) =>
    readKeyUsage(parts, { ownerId: caller.accountId, id }),
  );
}
