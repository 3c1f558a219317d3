import { usersRoutes } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import { hasSignedInRecently, requireRecentSignIn } from '../../../platform/auth/index.ts';
import { registerRoute } from '../../../platform/http/index.ts';
import { recordActivity } from '../../activity/index.ts';
import { type ApiKeyParts, createKey, listKeys, removeKey } from './api-keys.service.ts';

export function registerApiKeyRoutes(app: FastifyInstance, parts: ApiKeyParts): void {
  registerRoute(app, usersRoutes.listApiKeys, async ({ caller, query }) => {
    if (query.reveal) requireRecentSignIn(caller, parts.clock);
    const isRevealed = query.reveal !== false && hasSignedInRecently(caller, parts.clock);
    const results = await listKeys(parts, caller.accountId, { isRevealed });
    if (isRevealed && results.length > 0) {
      await recordActivity(parts.db, caller, { kind: 'api_key.revealed', now: parts.clock.now() });
    }
    return { results };
  });
  registerRoute(app, usersRoutes.createApiKey, ({ caller }) =>
    parts.db.transaction().execute(async (tx) => {
      const key = await createKey({ ...parts, db: tx }, caller.accountId);
      await recordActivity(tx, caller, { kind: 'api_key.created', now: parts.clock.now() });
      return key;
    }),
  );
  registerRoute(app, usersRoutes.deleteApiKey, async ({ caller, params: { id } }) => {
    await parts.db.transaction().execute(async (tx) => {
      await removeKey({ ...parts, db: tx }, { ownerId: caller.accountId, id });
      await recordActivity(tx, caller, { kind: 'api_key.deleted', now: parts.clock.now() });
    });
    return null;
  });
}
