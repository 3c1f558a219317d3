import type { CouponRedemption, RedeemOutcome } from '@assay/contract';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { type Actor, recordActivity } from '../../activity/index.ts';
import { grantCredits } from '../credit-ledger.store.ts';
import { refreshBilling } from '../refresh-billing.ts';
import { readCouponCode } from './coupon-code.ts';
import { type Coupon, countRedemption, findCoupon, insertRedemption } from './coupons.store.ts';

type Refusal = Exclude<RedeemOutcome, 'valid'>;

/** Gives a coupon's credits to a customer, once per customer and up to the coupon's number of redemptions. */
export async function redeemCoupon(
  { db, clock }: { db: Db; clock: Clock },
  actor: Actor,
  typedCode: string,
): Promise<CouponRedemption> {
  const ownerId = actor.accountId;
  const now = clock.now();
  const code = readCouponCode(typedCode);
  const coupon = code === null ? undefined : await findCoupon(db, code);
  if (!coupon) throw refusal('not_found');

  await db.transaction().execute(async (tx) => {
    const redemption = { ownerId, code: coupon.code, credits: coupon.credits, now };
    if (!(await insertRedemption(tx, redemption))) throw refusal('already_used');
    const obstacle = findObstacle(coupon, now);
    if (obstacle !== null) throw refusal('invalid', obstacle);
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
    const about = `${coupon.code}, ${coupon.credits} credits`;
    await recordActivity(tx, actor, { kind: 'credits.redeemed', about, now });
    // All customers of a coupon wait for this row, so it is locked last, just before the commit.
    if (!(await countRedemption(tx, coupon.code))) throw refusal('invalid', usedUp);
  });
  return { coupon: { amount_of_credits: coupon.credits } };
}

export const couponKeyPrefix = 'coupon:';

const usedUp = 'This coupon was redeemed as often as it can be. Ask for another one where you got it.';

/** A text for the customer when the coupon was withdrawn or has expired. */
function findObstacle(coupon: Coupon, now: Date): string | null {
  if (coupon.disabled_at !== null) return 'This coupon was withdrawn. Ask for another one where you got it.';
  const hasExpired = coupon.expires_at !== null && coupon.expires_at <= now;
  return hasExpired ? 'This coupon has expired. Ask for another one where you got it.' : null;
}

const refusal = (outcome: Refusal, text?: string): AppError =>
  new AppError(`coupon_${outcome}`, {}, { meta: { outcome }, ...(text !== undefined && { text }) });
