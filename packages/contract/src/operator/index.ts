import { routes } from '../routes.ts';
import { operatorRoutes } from './routes.ts';

export { operatorRoutes } from './routes.ts';
export * from './schemas.ts';

/** Every call of the API. Apart from `routes`, so that customers' pages and programs do not load the calls of operators. */
export const allRoutes = { ...routes, operator: operatorRoutes };
