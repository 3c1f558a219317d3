import './warmup.tables.ts';

export { createMailboxGateways } from './providers/create-gateways.ts';
export { removeMailboxes } from './remove-mailbox.ts';
export { createTokenVault } from './token-vault.ts';
export { warmUpHandlers } from './warmup.handlers.ts';
export { registerWarmUpRoutes } from './warmup.routes.ts';
export { listCredentialsOf } from './warmup.store.ts';
