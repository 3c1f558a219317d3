import { type User, usersRoutes } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../platform/errors/index.ts';
import { registerRoute } from '../../platform/http/index.ts';
import { registerApiKeyRoutes } from './api-keys/api-keys.routes.ts';
import { registerPasswordRoutes } from './password/password.routes.ts';
import type { PasswordParts } from './password/password.service.ts';
import { registerSessionRoutes } from './sessions/sessions.routes.ts';
import { findUser, updateProfile } from './users.service.ts';

export function registerUsersRoutes(app: FastifyInstance, parts: PasswordParts): void {
  const { db, identityAdmin } = parts;
  const present = (user: User | undefined, userId: string): User => {
    // The account was deleted between authentication and this query.
    if (!user) throw new AppError('unauthorized', { userId });
    if (identityAdmin) return user;
    // Without access to the provider's accounts, nobody can change a password here.
    return { ...user, feature_flags: { ...user.feature_flags, can_change_password: false } };
  };
  registerRoute(app, usersRoutes.getMe, async ({ customer: { userId } }) =>
    present(await findUser(db, userId), userId),
  );
  registerRoute(app, usersRoutes.updateMe, async ({ customer: { userId }, body }) => {
    await updateProfile(db, userId, body);
    return present(await findUser(db, userId), userId);
  });
  registerPasswordRoutes(app, parts);
  registerSessionRoutes(app, parts);
  registerApiKeyRoutes(app, parts);
}
