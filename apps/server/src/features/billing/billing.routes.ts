import { billingRoutes } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import type { Db } from '../../platform/database/database.ts';
import { registerRoute } from '../../platform/http/index.ts';
import { requireAttempt } from '../../platform/limits/index.ts';
import { getWallet } from './billing.service.ts';
import { redeemCoupon } from './coupons/redeem-coupon.ts';
import { listTransactions } from './history.ts';

export interface BillingRouteParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: Secrets;
}

/**
 * Codes are short enough to be guessed by a machine, so attempts are counted, good ones too: by customer, and by network
 * address for whoever opens many accounts.
 */
const couponGuesses = { windowSeconds: 600, perCustomer: 10, perAddress: 60 } as const;

export function registerBillingRoutes(app: FastifyInstance, parts: BillingRouteParts): void {
  registerRoute(app, billingRoutes.getWallet, ({ customer }) => getWallet(parts, customer.userId));
  registerRoute(app, billingRoutes.listTransactions, ({ customer, query }) =>
    listTransactions(parts.db, customer.userId, query),
  );
  registerRoute(app, billingRoutes.redeemCoupon, async ({ customer, params, request }) => {
    const { windowSeconds, perCustomer, perAddress } = couponGuesses;
    await requireAttempt(parts, { bucket: 'coupon', key: customer.userId, max: perCustomer, windowSeconds });
    await requireAttempt(parts, {
      bucket: 'coupon_address',
      key: request.ip,
      max: perAddress,
      windowSeconds,
    });
    return redeemCoupon(parts, { ownerId: customer.userId, typedCode: params.coupon_id });
  });
}
