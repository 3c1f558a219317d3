import { billingRoutes } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { registerRoute } from '../../platform/http/index.ts';
import { getWallet } from './billing.service.ts';

export function registerBillingRoutes(app: FastifyInstance, deps: { db: Db; clock: Clock }): void {
  registerRoute(app, billingRoutes.getWallet, ({ customer }) => getWallet(deps, customer.userId));
}
