import { usersRoutes } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import { registerRoute } from '../../../platform/http/index.ts';
import { changePassword, type PasswordParts, resetPassword } from './password.service.ts';

export function registerPasswordRoutes(app: FastifyInstance, parts: PasswordParts): void {
  registerRoute(app, usersRoutes.resetPassword, async ({ caller }) => {
    await resetPassword(parts, caller);
    return null;
  });
  registerRoute(app, usersRoutes.changePassword, async ({ caller, body }) => {
    await changePassword(parts, caller, body);
    return null;
  });
}
