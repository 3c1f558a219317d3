import './billing.tables.ts';

export { billingHandlers } from './billing.handlers.ts';
export { registerBillingRoutes } from './billing.routes.ts';
export { claimFreeCredits, getWallet, openAccount } from './billing.service.ts';
export {
  captureHold,
  grantCredits,
  type HoldReference,
  placeHold,
  releaseHold,
} from './credit-ledger.ts';
export { auditLedger, type Disagreement } from './ledger-audit.ts';
