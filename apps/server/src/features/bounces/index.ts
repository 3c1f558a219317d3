export { registerBouncesRoutes } from './bounces.routes.ts';
