import { usersRoutes } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import { registerRoute } from '../../../platform/http/index.ts';
import { endOtherSessions, endSession, type SessionsParts } from './sessions.service.ts';

export function registerSessionRoutes(app: FastifyInstance, parts: SessionsParts): void {
  registerRoute(app, usersRoutes.endOtherSessions, async ({ customer }) => {
    await endOtherSessions(parts, customer);
    return null;
  });
  registerRoute(app, usersRoutes.endSession, async ({ customer }) => {
    await endSession(parts, customer);
    return null;
  });
}
