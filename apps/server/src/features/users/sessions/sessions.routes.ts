import { usersRoutes } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import { registerRoute } from '../../../platform/http/index.ts';
import {
  describeSecurity,
  endOtherSessions,
  endSession,
  endSessionById,
  type SessionsParts,
} from './sessions.service.ts';

export function registerSessionRoutes(app: FastifyInstance, parts: SessionsParts): void {
  registerRoute(app, usersRoutes.endOtherSessions, async ({ customer }) => {
    await endOtherSessions(parts, customer);
    return null;
  });
  registerRoute(app, usersRoutes.endSession, async ({ customer }) => {
    await endSession(parts, customer);
    return null;
  });
  registerRoute(app, usersRoutes.getSecurity, ({ customer }) => describeSecurity(parts, customer));
  registerRoute(app, usersRoutes.endSessionById, async ({ customer, params }) => {
    await endSessionById(parts, customer, params.session_id);
    return null;
  });
}
