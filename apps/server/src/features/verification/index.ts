import './verification.tables.ts';

export { removeRemainsOf, settleWorkOf } from './customer-removal.ts';
export { emailLists } from './lists/email-lists.ts';
export { bulkHandlers, sandboxHandlers, validationsHandlers } from './verification.handlers.ts';
export { registerValidationsRoutes } from './verification.routes.ts';
