import { type User, usersRoutes } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../platform/errors/index.ts';
import { registerRoute } from '../../platform/http/index.ts';
import { registerApiKeyRoutes } from './api-keys/api-keys.routes.ts';
import type { ApiKeyParts } from './api-keys/api-keys.service.ts';
import { findUser, updateProfile } from './users.service.ts';

export function registerUsersRoutes(app: FastifyInstance, parts: ApiKeyParts): void {
  const { db } = parts;
  const present = (user: User | undefined, userId: string): User => {
    // The account was deleted between finding out who calls and reading it.
    if (!user) throw new AppError('unauthorized', { userId });
    return user;
  };
  registerRoute(app, usersRoutes.getMe, async ({ customer: { userId } }) =>
    present(await findUser(db, userId), userId),
  );
  registerRoute(app, usersRoutes.updateMe, async ({ customer: { userId }, body }) => {
    await updateProfile(db, userId, body);
    return present(await findUser(db, userId), userId);
  });
  registerApiKeyRoutes(app, parts);
}
