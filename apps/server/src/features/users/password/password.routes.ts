import { usersRoutes } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import { registerRoute } from '../../../platform/http/index.ts';
import { changePassword, type PasswordParts, resetPassword } from './password.service.ts';

export function registerPasswordRoutes(app: FastifyInstance, parts: PasswordParts): void {
  registerRoute(app, usersRoutes.resetPassword, async ({ customer }) => {
    await resetPassword(parts, customer);
    return null;
  });
  registerRoute(app, usersRoutes.changePassword, async ({ customer, body }) => {
    await changePassword(parts, customer, body);
    return null;
  });
}
