import './support.tables.ts';

export { supportHandlers } from './support.handlers.ts';
export { registerSupportRoutes } from './support.routes.ts';
export { describeCases, findCases, findDeliveries } from './support.store.ts';
