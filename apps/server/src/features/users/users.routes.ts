import { usersRoutes } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import { registerRoute } from '../../platform/http/index.ts';
import { findUser } from './users.service.ts';

export function registerUsersRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  registerRoute(app, usersRoutes.getMe, async ({ customer }) => {
    const user = await findUser(db, customer.userId);
    // The account was deleted between finding out who calls and reading it.
    if (!user) throw new AppError('unauthorized', { userId: customer.userId });
    return user;
  });
}
