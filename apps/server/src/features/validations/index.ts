import './validations.tables.ts';

export { removeRemainsOf, settleWorkOf } from './customer-removal.ts';
export { sandboxHandlers, validationsHandlers } from './validations.handlers.ts';
export { registerValidationsRoutes } from './validations.routes.ts';
export { createSharedFacts } from './verification/shared-facts.ts';
