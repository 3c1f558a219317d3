import { billingRoutes } from './billing.ts';
import { guessingRoutes } from './guessing.ts';
import { supportRoutes } from './support.ts';
import { usersRoutes } from './users.ts';
import { validationsRoutes } from './validations/index.ts';
import { warmUpRoutes } from './warm-up.ts';
import { webhooksRoutes } from './webhooks.ts';

/** Every call of the API, by feature. */
export const routes = {
  billing: billingRoutes,
  guessing: guessingRoutes,
  support: supportRoutes,
  users: usersRoutes,
  validations: validationsRoutes,
  warmUp: warmUpRoutes,
  webhooks: webhooksRoutes,
};
