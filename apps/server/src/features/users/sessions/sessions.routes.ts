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
  registerRoute(app, usersRoutes.endOtherSessions, async ({ caller }) => {
    await endOtherSessions(parts, caller);
    return null;
  });
  registerRoute(app, usersRoutes.endSession, async ({ caller }) => {
    await endSession(parts, caller);
    return null;
  });
  registerRoute(app, usersRoutes.getSecurity, ({ caller }) => describeSecurity(parts, caller));
  registerRoute(app, usersRoutes.endSessionById, async ({ caller, params }) => {
    await endSessionById(parts, caller, params.session_id);
    return null;
  });
}
