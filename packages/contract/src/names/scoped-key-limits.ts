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
