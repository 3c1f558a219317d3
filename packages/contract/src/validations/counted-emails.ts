// Apart from results.ts, whose schemas would otherwise be in the code of a list's page.

/** Larger totals of filtered emails are not counted, and larger selections are not sorted. */
export const COUNTED_EMAILS_MAX = 10_000;
