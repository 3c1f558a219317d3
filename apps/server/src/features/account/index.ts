export { accountHandlers } from './account.handlers.ts';
export { registerAccountRoutes } from './account.routes.ts';
