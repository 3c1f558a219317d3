/** Shorter codes do not exist. */
export const COUPON_CODE_CHARACTERS_MIN = 5;
export const BALANCE_ALERTS_MAX = 5;
export const TOP_UP_CAP_CENTS_MAX = 10_000_000;
