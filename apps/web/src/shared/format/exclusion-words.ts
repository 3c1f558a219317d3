import { formatCredits } from './counts.ts';

interface Exclusions {
  readonly non_billable: number;
  readonly duplicated: number;
  readonly no_email?: number;
  readonly suppressed?: number;
}

/** Which rows of a file are left out, and why: '1 duplicated, 2 not well-formed'. Nothing when none are. */
export function exclusionWords(
  { non_billable, duplicated, no_email = 0, suppressed = 0 }: Exclusions,
  unusable: string,
): string | null {
  const reasons = [
    [duplicated, 'duplicated'],
    [non_billable - no_email - suppressed, unusable],
    [no_email, 'without an email'],
    [suppressed, 'suppressed'],
  ] as const;
  const said = reasons.filter(([count]) => count > 0);
  return said.length === 0 ? null : said.map(([count, why]) => `${formatCredits(count)} ${why}`).join(', ');
}
