import { usersRoutes } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import { requireRecentSignIn } from '../../platform/auth/index.ts';
import { registerRoute } from '../../platform/http/index.ts';
import { type AccountParts, deleteAccount } from './delete-account.ts';

export function registerAccountRoutes(app: FastifyInstance, parts: AccountParts): void {
  registerRoute(app, usersRoutes.deleteMe, async ({ customer }) => {
    requireRecentSignIn(customer, parts.clock);
    await deleteAccount(parts, customer.userId);
    return null;
  });
}
