import type { PageQuery } from '@assay/contract';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { findPage } from '../../../platform/database/find-page.ts';
import type { AccountId } from '../../../platform/ids.ts';

export interface Coupon {
  readonly code: string;
  readonly credits: number;
  readonly redemptions_max: number | null;
  readonly redemption_count: number;
  readonly expires_at: Date | null;
  readonly disabled_at: Date | null;
  readonly created_at: Date;
}

export interface NewCoupon {
  readonly code: string;
  readonly credits: number;
  readonly redemptionsMax: number | null;
  readonly expiresAt: Date | null;
}

export async function findCoupon(db: Db, code: string): Promise<Coupon | undefined> {
  return db.selectFrom('coupons').selectAll().where('code', '=', code).executeTakeFirst();
}

/** Returns whether this is the customer's first redemption. A concurrent one waits here for the first to end. */
export async function insertRedemption(
  tx: Tx,
  redemption: { ownerId: AccountId; code: string; credits: number; now: Date },
): Promise<boolean> {
  const inserted = await tx
    .insertInto('coupon_redemptions')
    .values({
      owner_id: redemption.ownerId,
      code: redemption.code,
      credits: redemption.credits,
      redeemed_at: redemption.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('code')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Counts one redemption, unless the coupon is used up. Returns whether it counted. */
export async function countRedemption(tx: Tx, code: string): Promise<boolean> {
  const counted = await tx
    .updateTable('coupons')
    .set({ redemption_count: sql`redemption_count + 1` })
    .where('code', '=', code)
    .where(sql<boolean>`(redemptions_max is null or redemption_count < redemptions_max)`)
    .returning('code')
    .executeTakeFirst();
  return counted !== undefined;
}

/** Returns the codes that were new. Existing coupons stay as they are. */
export async function insertCoupons(db: Db, coupons: readonly NewCoupon[], now: Date): Promise<string[]> {
  const rows = await db
    .insertInto('coupons')
    .values(
      coupons.map((coupon) => ({
        code: coupon.code,
        credits: coupon.credits,
        redemptions_max: coupon.redemptionsMax,
        expires_at: coupon.expiresAt,
        created_at: now,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('code')
    .execute();
  return rows.map(({ code }) => code);
}

export const findCouponPage = (db: Db, page: PageQuery) =>
  findPage(
    db.selectFrom('coupons').selectAll().orderBy('created_at', 'desc').orderBy('code').$castTo<Coupon>(),
    page,
  );

export async function findCoupons(db: Db): Promise<Coupon[]> {
  return db.selectFrom('coupons').selectAll().orderBy('created_at', 'desc').orderBy('code').execute();
}

/** Returns whether the coupon exists. A coupon that is already disabled keeps its date. */
export async function setDisabled(db: Db, { code, now }: { code: string; now: Date }): Promise<boolean> {
  const disabled = await db
    .updateTable('coupons')
    .set({ disabled_at: sql`coalesce(disabled_at, ${now})` })
    .where('code', '=', code)
    .returning('code')
    .executeTakeFirst();
  return disabled !== undefined;
}
