import type { PageQuery } from '@assay/contract';
import type { OperatorCoupon } from '@assay/contract/operator';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import {
  type Coupon,
  couponCodeRule,
  createCoupon,
  disableCoupon,
  findCouponPage,
  type NewCoupon,
  readCouponCode,
} from '../billing/index.ts';
import { type ActorAndReason, type OperatorParts, recordAction } from './actions.ts';

export async function listCoupons(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  page: PageQuery,
): Promise<{ results: OperatorCoupon[]; total: number }> {
  const { rows, total } = await findCouponPage(db, page);
  return { results: rows.map((coupon) => couponAnswer(coupon, clock.now())), total };
}

const couponAnswer = (coupon: Coupon, now: Date): OperatorCoupon => ({
  code: coupon.code,
  credits: coupon.credits,
  redemptions: coupon.redemption_count,
  redemptions_max: coupon.redemptions_max,
  expiration_date: coupon.expires_at?.toISOString() ?? null,
  state: couponState(coupon, now),
  creation_date: coupon.created_at.toISOString(),
});

export function couponState(coupon: Coupon, now: Date): OperatorCoupon['state'] {
  if (coupon.disabled_at) return 'disabled';
  if (coupon.expires_at && coupon.expires_at <= now) return 'expired';
  return coupon.redemption_count === coupon.redemptions_max ? 'exhausted' : 'open';
}

/** Returns the code as stored. */
export async function createCouponByOperator(
  { db, clock }: OperatorParts,
  by: ActorAndReason,
  { code: typedCode, ...coupon }: NewCoupon,
): Promise<string> {
  const code = readCouponCode(typedCode);
  if (code === null)
    throw new AppError('invalid_request', {}, { text: couponCodeRule, meta: { field: 'code' } });
  await db.transaction().execute(async (tx) => {
    if (!(await createCoupon({ db: tx, clock }, { ...coupon, code }))) throw new AppError('coupon_exists');
    const about = `${code}: ${coupon.credits} credits`;
    await recordAction(tx, by, { kind: 'coupon.created', about, now: clock.now() });
  });
  return code;
}

/** Logs coupons that differ only in their codes, before they are created. */
export async function recordBulkCoupons(
  { db, clock }: OperatorParts,
  by: ActorAndReason,
  { count, prefix, credits }: { readonly count: number; readonly prefix: string; readonly credits: number },
): Promise<void> {
  const about = `${count} of ${prefix}: ${credits} credits each`;
  await db
    .transaction()
    .execute((tx) => recordAction(tx, by, { kind: 'coupon.created', about, now: clock.now() }));
}

export async function disableCouponByOperator(
  { db, clock }: OperatorParts,
  by: ActorAndReason,
  typedCode: string,
): Promise<void> {
  const code = readCouponCode(typedCode) ?? '';
  const now = clock.now();
  await db.transaction().execute(async (tx) => {
    if (!(await disableCoupon(tx, { code, now }))) throw new AppError('coupon_not_found');
    await recordAction(tx, by, { kind: 'coupon.disabled', about: code, now });
  });
}
