import type { Clock } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import type { Tx } from '../../platform/database/database.ts';
import { takeAttempt } from '../../platform/limits/index.ts';

export interface GuessingLimits {
  readonly triesMax: number;
  readonly rowsMax: number;
  readonly peoplePerDomain: number;
  readonly peoplePerCustomerAndDomain: number;
}

export interface DomainLimitParts {
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly limits: GuessingLimits;
}

/** The reason of a guess that was not begun because its domain has had enough for the day. */
export const domainLimitReached = 'domain_limit_reached';

const windowSeconds = 86_400;

/**
 * Counts one more person at a domain, in all processes together, and tells whether the day still allows it. Part of the
 * transaction that begins the guess: where that is undone, nobody was asked and nothing is counted.
 */
export async function takePlaceAtDomain(
  tx: Tx,
  { clock, secrets, limits }: DomainLimitParts,
  { ownerId, domain }: { readonly ownerId: string; readonly domain: string },
): Promise<boolean> {
  const parts = { db: tx, clock, secrets };
  const own = await takeAttempt(parts, {
    bucket: 'guess_customer_domain',
    key: `${ownerId} ${domain}`,
    max: limits.peoplePerCustomerAndDomain,
    windowSeconds,
  });
  // One customer who is over their own limit takes nothing from the others.
  if (!own.allowed) return false;
  const all = await takeAttempt(parts, {
    bucket: 'guess_domain',
    key: domain,
    max: limits.peoplePerDomain,
    windowSeconds,
  });
  return all.allowed;
}
