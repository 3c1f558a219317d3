import { billingRoutes } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import type { Clock, Schedule } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import { callerNetwork, registerRoute, serveLinkedFiles } from '../../platform/http/index.ts';
import type { ConcurrencyLimit } from '../../platform/limits/index.ts';
import type { Logger } from '../../platform/logging/index.ts';
import { recordActivity } from '../activity/index.ts';
import { getBalanceAlerts, setBalanceAlerts } from './alerts/balance-alerts.ts';
import { getWallet } from './billing.service.ts';
import { limitCouponAttempts } from './coupons/limit-attempts.ts';
import { redeemCoupon } from './coupons/redeem-coupon.ts';
import {
  exportHistory,
  type FindListNames,
  historyExportName,
  historyOrderSchema,
  listTransactions,
} from './history.ts';
import { describeAskingKey } from './key-usage.store.ts';
import {
  getPaymentMethod,
  keepPlan,
  openCustomerPortal,
  openInvoice,
  type PortalParts,
} from './payments/customer-portal.ts';
import { getInvoiceDetails, setInvoiceDetails } from './payments/invoice-details.ts';
import { listInvoices } from './payments/invoices.store.ts';
import { buyPack, confirmPack } from './payments/packs.ts';
import { registerWebhooks } from './payments/webhooks.routes.ts';
import { getSpending } from './spending.store.ts';
import { getAutomaticTopUp, setAutomaticTopUp } from './top-up/top-up.ts';

export interface BillingRouteParts extends Omit<PortalParts, 'gateway'> {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly logger: Logger;
  readonly schedule: Schedule;
  readonly downloads: ConcurrencyLimit;
  readonly findListNames: FindListNames;
  /** How long a failed payment may stay unpaid before the plan ends. */
  readonly graceDays: number;
  /** Null where no payments are configured. Customers cannot buy plans then. */
  readonly gateway: PortalParts['gateway'] | null;
}

export function registerBillingRoutes(app: FastifyInstance, parts: BillingRouteParts): void {
  registerRoute(app, billingRoutes.getWallet, async ({ caller }) => {
    const wallet = await getWallet(parts, caller.accountId);
    const apiKey = await describeAskingKey(parts.db, caller, parts.clock.now());
    return apiKey ? { ...wallet, api_key: apiKey } : wallet;
  });
  registerRoute(app, billingRoutes.listTransactions, ({ caller, query }) =>
    listTransactions(parts, caller.accountId, query),
  );
  const linkTo = serveLinkedFiles(app, parts, {
    path: '/billing/exports',
    order: historyOrderSchema,
    key: parts.secrets.keyFor('history export links'),
    open: async ({ ownerId, expiresAt: _, ...filter }) => ({
      name: historyExportName,
      contents: exportHistory(parts, ownerId, filter),
    }),
  });
  registerRoute(app, billingRoutes.exportTransactions, async ({ caller, query }) => {
    const now = parts.clock.now();
    await recordActivity(parts.db, caller, { kind: 'export.created', about: historyExportName, now });
    return { download_link: linkTo({ ownerId: caller.accountId, ...query }) };
  });
  registerRoute(app, billingRoutes.getSpending, ({ caller }) => getSpending(parts, caller.accountId));
  registerRoute(app, billingRoutes.listInvoices, ({ caller, query }) =>
    listInvoices(parts.db, caller.accountId, query),
  );
  registerRoute(app, billingRoutes.getBalanceAlerts, ({ caller }) =>
    getBalanceAlerts(parts.db, caller.accountId),
  );
  registerRoute(app, billingRoutes.setBalanceAlerts, ({ caller, body }) =>
    setBalanceAlerts(parts.db, caller, { ...body, now: parts.clock.now() }),
  );
  registerRoute(app, billingRoutes.redeemCoupon, async ({ caller, params, request }) => {
    await limitCouponAttempts(parts, { userId: caller.accountId, network: callerNetwork(request.ip) });
    return redeemCoupon(parts, caller, params.coupon_id);
  });
  registerPlanRoutes(app, parts);
  registerRoute(app, billingRoutes.buyPack, async ({ caller, body: { pack } }) => {
    const checkout = await buyPack(withPayments(parts), { ownerId: caller.accountId, packCode: pack });
    const now = parts.clock.now();
    await recordActivity(parts.db, caller, { kind: 'credits.checkout_opened', about: `${pack} pack`, now });
    return checkout;
  });
  registerRoute(app, billingRoutes.confirmPack, ({ caller, params }) =>
    confirmPack(withPayments(parts), { ownerId: caller.accountId, checkoutId: params.checkout_id }),
  );
  registerRoute(app, billingRoutes.getAutomaticTopUp, ({ caller }) =>
    getAutomaticTopUp(parts, caller.accountId),
  );
  registerRoute(app, billingRoutes.setAutomaticTopUp, ({ caller, body }) =>
    setAutomaticTopUp(withPayments(parts), caller, body),
  );
  registerRoute(app, billingRoutes.getPaymentMethod, ({ caller }) =>
    getPaymentMethod(withPayments(parts), caller.accountId),
  );
  registerRoute(app, billingRoutes.getInvoiceDetails, ({ caller }) =>
    getInvoiceDetails(withPayments(parts), caller.accountId),
  );
  registerRoute(app, billingRoutes.setInvoiceDetails, ({ caller, body }) =>
    setInvoiceDetails(withPayments(parts), caller, body),
  );
  registerRoute(app, billingRoutes.openInvoice, ({ caller, params }) =>
    openInvoice(withPayments(parts), { ownerId: caller.accountId, invoiceId: params.invoice_id }),
  );
  registerWebhooks(app, parts);
}

/**
 * Plans change at the provider, whose events do not say who did it and from where. The customer gets there through these
 * calls only, so the log says it of them.
 */
function registerPlanRoutes(app: FastifyInstance, parts: BillingRouteParts): void {
  const { db, clock } = parts;
  registerRoute(app, billingRoutes.openCustomerPortal, async ({ caller, query: { plan, page } }) => {
    // A suspended customer can still cancel in the portal, but this leads to a purchase.
    if (plan && caller.standing === 'suspended')
      throw new AppError('account_suspended', { userId: caller.accountId });
    const portal = await openCustomerPortal(withPayments(parts), {
      ownerId: caller.accountId,
      planCode: plan,
      page,
    });
    const about = plan && `for ${plan}`;
    await recordActivity(db, caller, { kind: 'plan.portal_opened', about, now: clock.now() });
    return portal;
  });
  registerRoute(app, billingRoutes.keepPlan, async ({ caller }) => {
    const { plan, pending_change: pending } = (await getWallet(parts, caller.accountId)).subscription;
    await keepPlan(withPayments(parts), caller.accountId);
    if (pending) {
      await recordActivity(db, caller, { kind: 'plan.kept', about: plan.code, now: clock.now() });
    }
    return null;
  });
}

function withPayments({ gateway, ...parts }: BillingRouteParts): PortalParts {
  if (!gateway) throw new AppError('payments_unavailable');
  return { ...parts, gateway };
}
