import './support.tables.ts';

export { supportHandlers } from './support.handlers.ts';
export { registerSupportRoutes } from './support.routes.ts';
export { findCases, findDeliveries } from './support.store.ts';
