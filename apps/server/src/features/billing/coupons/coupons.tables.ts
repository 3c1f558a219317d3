import type { Generated } from 'kysely';
import type { Immutable } from '../../../platform/database/tables.ts';
import type { AccountId } from '../../../platform/ids.ts';

interface CouponsTable {
  code: Immutable<string>;
  credits: Immutable<number>;
  redemptions_max: Immutable<number | null>;
  redemption_count: Generated<number>;
  expires_at: Immutable<Date | null>;
  disabled_at: Date | null;
  created_at: Immutable<Date>;
}

interface CouponRedemptionsTable {
  owner_id: Immutable<AccountId>;
  code: Immutable<string>;
  credits: Immutable<number>;
  redeemed_at: Immutable<Date>;
}

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    coupons: CouponsTable;
    coupon_redemptions: CouponRedemptionsTable;
  }
}
