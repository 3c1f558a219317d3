import { type User, usersRoutes } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import { registerRoute } from '../../platform/http/index.ts';
import { findUser, updateProfile } from './users.service.ts';

export function registerUsersRoutes(app: FastifyInstance, { db }: { db: Db }): void {
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
}
