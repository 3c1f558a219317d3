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
  const obstacle = whyClosed(coupon, now);
  if (obstacle !== null) throw refusal('invalid', obstacle);

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
    if (!(await countRedemption(tx, { code: coupon.code, now }))) throw refusal('invalid', usedUp);
  });
  return { coupon: { amount_of_credits: coupon.credits } };
}

export const couponKeyPrefix = 'coupon:';

const usedUp = 'This coupon was redeemed as often as it can be. Ask for another one where you got it.';

/** Why nobody can redeem it any more, in words for the customer; null while it can be redeemed. */
function whyClosed(coupon: Coupon, now: Date): string | null {
  if (coupon.disabled_at !== null) return 'This coupon was withdrawn. Ask for another one where you got it.';
  if (coupon.expires_at !== null && coupon.expires_at <= now) {
    return 'This coupon has expired. Ask for another one where you got it.';
  }
  const isUsedUp = coupon.redemptions_max !== null && coupon.redemption_count >= coupon.redemptions_max;
  return isUsedUp ? usedUp : null;
}

const refusal = (outcome: Refusal, text?: string): AppError =>
  new AppError(`coupon_${outcome}`, {}, { meta: { outcome }, ...(text !== undefined && { text }) });
