// Apart from the calls of these features, whose schemas would otherwise be in the code of the account page.

/** Limits of the keys that a customer has beside the one with all scopes. */
export const SCOPED_KEYS = {
  countMax: 100,
  nameLengthMax: 50,
  networksMax: 20,
  creditLimitMax: 1_000_000_000,
  /** How long a replaced secret may stay valid. */
  overlapHoursMax: 168,
  overlapHoursDefault: 24,
  /** The days of the usage chart, today included. */
  usageDays: 30,
} as const;

/** The first characters of a secret, so that people and scanners recognise a leaked one. */
export const KEY_PREFIXES = { live: 'assay_live_', test: 'assay_test_' } as const;

/** The key with all scopes starts with this. */
export const API_KEY_PREFIX = KEY_PREFIXES.live;

/** Every signing secret starts with this, as in the Standard Webhooks specification. */
export const WEBHOOK_SECRET_PREFIX = 'whsec_';

/** The choices of a customer besides keeping everything. */
export const RETENTION_DAYS = [7, 30, 90] as const;
export type RetentionDays = (typeof RETENTION_DAYS)[number];
