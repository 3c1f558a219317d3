export { noticesHandlers } from './notices.handlers.ts';
export { registerNoticesRoutes } from './notices.routes.ts';
