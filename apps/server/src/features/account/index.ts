export { accountHandlers } from './account.handlers.ts';
export { registerAccountRoutes } from './account.routes.ts';
export { deleteAccount } from './delete-account.ts';
export { applyRetention } from './retention.ts';
