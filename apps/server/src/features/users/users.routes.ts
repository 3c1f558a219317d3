import { type User, usersRoutes } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../platform/errors/index.ts';
import { registerRoute } from '../../platform/http/index.ts';
import type { UserId } from '../../platform/ids.ts';
import { registerApiKeyRoutes } from './api-keys/api-keys.routes.ts';
import { registerKeyCallRoutes } from './api-keys/key-calls.ts';
import { registerScopedKeyRoutes } from './api-keys/scoped-keys.routes.ts';
import { registerPasswordRoutes } from './password/password.routes.ts';
import type { PasswordParts } from './password/password.service.ts';
import { registerSessionRoutes } from './sessions/sessions.routes.ts';
import { findUser, updateProfile } from './users.service.ts';

interface UsersParts extends PasswordParts {
  /** Whether mails can be sent. */
  readonly sendsMails: boolean;
}

export function registerUsersRoutes(app: FastifyInstance, parts: UsersParts): void {
  const { db, identityAdmin, sendsMails } = parts;
  const present = (user: User | undefined, userId: UserId): User => {
    // The account was deleted between authentication and this query.
    if (!user) throw new AppError('unauthorized', { userId });
    const { list_mails, balance_mails, plan_mails, feature_flags, ...profile } = user;
    return {
      ...profile,
      // Without access to the provider's accounts, nobody can change a password here.
      feature_flags: identityAdmin ? feature_flags : { ...feature_flags, can_change_password: false },
      ...(sendsMails && { list_mails, balance_mails, plan_mails }),
    };
  };
  registerRoute(app, usersRoutes.getMe, async ({ caller: { userId } }) =>
    present(await findUser(db, userId), userId),
  );
  registerRoute(app, usersRoutes.updateMe, async ({ caller, body }) => {
    await updateProfile(parts, caller, body);
    return present(await findUser(db, caller.userId), caller.userId);
  });
  registerPasswordRoutes(app, parts);
  registerSessionRoutes(app, parts);
  registerApiKeyRoutes(app, parts);
  registerKeyCallRoutes(app, parts);
  registerScopedKeyRoutes(app, parts);
}
