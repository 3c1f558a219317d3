import { billingRoutes } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import { callerNetwork, registerRoute } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/logging/index.ts';
import { getWallet } from './billing.service.ts';
import { limitCouponAttempts } from './coupons/limit-attempts.ts';
import { redeemCoupon } from './coupons/redeem-coupon.ts';
import { listTransactions } from './history.ts';
import { keepPlan, openCustomerPortal, openInvoice, type PortalParts } from './payments/customer-portal.ts';
import { registerWebhooks } from './payments/webhooks.routes.ts';

export interface BillingRouteParts extends Omit<PortalParts, 'gateway'> {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly logger: Logger;
  /** Null where no payments are configured. Customers cannot buy plans then. */
  readonly gateway: PortalParts['gateway'] | null;
}

export function registerBillingRoutes(app: FastifyInstance, parts: BillingRouteParts): void {
  registerRoute(app, billingRoutes.getWallet, ({ customer }) => getWallet(parts, customer.userId));
  registerRoute(app, billingRoutes.listTransactions, ({ customer, query }) =>
    listTransactions(parts.db, customer.userId, query),
  );
  registerRoute(app, billingRoutes.redeemCoupon, async ({ customer, params, request }) => {
    await limitCouponAttempts(parts, { userId: customer.userId, network: callerNetwork(request.ip) });
    return redeemCoupon(parts, { ownerId: customer.userId, typedCode: params.coupon_id });
  });
  registerRoute(app, billingRoutes.openCustomerPortal, ({ customer, query }) =>
    openCustomerPortal(withPayments(parts), { ownerId: customer.userId, planCode: query.plan }),
  );
  registerRoute(app, billingRoutes.keepPlan, async ({ customer }) => {
    await keepPlan(withPayments(parts), customer.userId);
    return null;
  });
  registerRoute(app, billingRoutes.openInvoice, ({ customer, params }) =>
    openInvoice(withPayments(parts), { ownerId: customer.userId, invoiceId: params.invoice_id }),
  );
  registerWebhooks(app, parts);
}

function withPayments({ gateway, ...parts }: BillingRouteParts): PortalParts {
  if (!gateway) throw new AppError('payments_unavailable');
  return { ...parts, gateway };
}
