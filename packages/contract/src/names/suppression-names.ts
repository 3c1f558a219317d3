/** Why an address or a domain is suppressed. */
export const SUPPRESSION_REASONS = [
  'hard_bounce',
  'complaint',
  'unsubscribed',
  'dead_domain',
  'added',
] as const;
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

/** Who or what suppressed it: an outcome of a mail, a person on the page, a program, or a file. */
export const SUPPRESSION_SOURCES = ['outcome', 'customer', 'api', 'import'] as const;
export type SuppressionSource = (typeof SUPPRESSION_SOURCES)[number];

export const SUPPRESSION_LIMITS = {
  entriesPerCall: 1_000,
  changesPerPage: 1_000,
  importRows: 100_000,
  importBytes: 10_000_000,
  entriesPerAccount: 10_000_000,
  /** Removed entries that are kept for those who poll. Of more, the oldest removals are forgotten. */
  removalsPerAccount: 1_000_000,
  /** How long a domain that outcomes proved dead is suppressed. */
  deadDomainDays: 90,
  /** How long a removal is told to those who poll. */
  removalsKeptDays: 180,
} as const;
