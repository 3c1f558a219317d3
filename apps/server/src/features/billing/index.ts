import './alerts/alerts.tables.ts';
import './billing.tables.ts';
import './coupons/coupons.tables.ts';
import './payments/payments.tables.ts';
import './top-up/top-up.tables.ts';

export { findBalanceNews, takeLowBalance } from './alerts/balance-alerts.store.ts';
export { billingHandlers } from './billing.handlers.ts';
export { registerBillingRoutes } from './billing.routes.ts';
export { getWallet, openBilling, type WalletParts } from './billing.service.ts';
export { couponCodeRule, readCouponCode } from './coupons/coupon-code.ts';
export {
  type Coupon,
  findCouponPage,
  findCoupons,
  type NewCoupon,
  setDisabled as disableCoupon,
} from './coupons/coupons.store.ts';
export { createCoupon, createCouponsInBulk } from './coupons/make-coupons.ts';
export { grantCredits, operatorKeyPrefix, readAvailableCredits } from './credit-ledger.store.ts';
export { describeBilling } from './describe-billing.ts';
export { type ClaimedMailbox, claimFreeCredits, releaseFreeCredits } from './free-credits.ts';
export { exportHistory, type FindListNames, listTransactions } from './history.ts';
export {
  forgetKeyCredits,
  type PayingKey,
  payingKeyOf,
  readDailyKeyCredits,
  readMonthlyKeyCredits,
} from './key-usage.store.ts';
export { auditLedger, type Disagreement } from './ledger-audit.store.ts';
export { holdTogether, type PaidWork, paidWork, settleTogether } from './paid-work.ts';
export { listInvoices } from './payments/invoices.store.ts';
export { noteAddressChange } from './payments/payments.store.ts';
export { findMissingPlans, openGateway } from './payments/provider.ts';
export { deleteStrayCustomer, findStrayCustomers } from './payments/stray-customers.ts';
export { syncAllCustomers } from './payments/sync-all-customers.ts';
export { billingChanged, refreshBilling } from './refresh-billing.ts';
export { takeBackGrant } from './take-back-grant.ts';
export { endOfMonth, takeReachedCap, takeTopUpStop } from './top-up/top-up.store.ts';
