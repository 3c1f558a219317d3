import { billingRoutes } from './billing.ts';
import { usersRoutes } from './users.ts';
import { validationsRoutes } from './validations.ts';

/** Every call of the API, by feature. */
export const routes = {
  billing: billingRoutes,
  users: usersRoutes,
  validations: validationsRoutes,
};
