import './support.tables.ts';

export { registerSupportRoutes } from './support.routes.ts';
