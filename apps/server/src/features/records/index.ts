export { deleteAccount } from './delete-account.ts';
export { recordsHandlers } from './records.handlers.ts';
export { registerRecordsRoutes } from './records.routes.ts';
export { applyRetention } from './retention.ts';
