import type { CouponRedemption, RedeemOutcome } from '@assay/contract';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { grantCredits } from '../credit-ledger.ts';
import { refreshBilling } from '../refresh-billing.ts';
import { readCouponCode } from './coupon-code.ts';
import { type Coupon, countRedemption, findCoupon, hasRedeemed, insertRedemption } from './coupons.store.ts';

type Refusal = Exclude<RedeemOutcome, 'valid'>;

/** Gives a coupon's credits to a customer, once, as long as the coupon takes redemptions. */
export async function redeemCoupon(
  { db, clock }: { db: Db; clock: Clock },
  { ownerId, typedCode }: { ownerId: string; typedCode: string },
): Promise<CouponRedemption> {
  const now = clock.now();
  const code = readCouponCode(typedCode);
  const coupon = code === null ? undefined : await findCoupon(db, code);
  if (!coupon) throw refusal('not_found');
  if (await hasRedeemed(db, { ownerId, code: coupon.code })) throw refusal('already_used');
  if (!isOpen(coupon, now)) throw refusal('invalid');

  await db.transaction().execute(async (tx) => {
    const redemption = { ownerId, code: coupon.code, credits: coupon.credits, now };
    if (!(await insertRedemption(tx, redemption))) throw refusal('already_used');
    await grantCredits(tx, {
      ownerId,
      key: `${couponKeyPrefix}${coupon.code}`,
      credits: coupon.credits,
      category: 'COUPON',
      source: 'COUPON',
      description: `Coupon ${coupon.code}`,
      now,
    });
    await refreshBilling(tx, ownerId);
    // All customers of a coupon meet in this row, so it is locked last and let go at once.
    if (!(await countRedemption(tx, { code: coupon.code, now }))) throw refusal('invalid');
  });
  return { coupon: { amount_of_credits: coupon.credits } };
}

export const couponKeyPrefix = 'coupon:';

function isOpen(coupon: Coupon, now: Date): boolean {
  const isExhausted = coupon.redemptions_max !== null && coupon.redemption_count >= coupon.redemptions_max;
  const isExpired = coupon.expires_at !== null && coupon.expires_at <= now;
  return coupon.disabled_at === null && !isExpired && !isExhausted;
}

const refusal = (outcome: Refusal): AppError => new AppError(`coupon_${outcome}`, {}, { meta: { outcome } });
