import './billing.tables.ts';

export { billingHandlers } from './billing.handlers.ts';
export { registerBillingRoutes } from './billing.routes.ts';
export { claimFreeCredits, getWallet, openAccount } from './billing.service.ts';
export {
  type CreditGrant,
  captureHold,
  type EntryText,
  type GrantOutcome,
  grantCredits,
  type HoldCapture,
  type HoldOutcome,
  type HoldReference,
  type NewHold,
  placeHold,
  releaseHold,
  type Settlement,
} from './credit-ledger.ts';
export { auditLedger, type Disagreement } from './ledger-audit.ts';
