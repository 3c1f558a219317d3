import type { Clock } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';
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

/** The reason of a guess that did not start because of the daily limit of its domain. */
export const domainLimitReached = 'domain_limit_reached';

const windowSeconds = 86_400;

/**
 * Counts a person towards the daily limits of a domain, across all processes. False when a limit is reached. It runs in the
 * transaction that starts the guess, so a rollback undoes the count.
 */
export async function takePlaceAtDomain(
  tx: Tx,
  { clock, secrets, limits }: DomainLimitParts,
  { ownerId, domain }: { readonly ownerId: AccountId; readonly domain: string },
): Promise<boolean> {
  const parts = { db: tx, clock, secrets };
  const own = await takeAttempt(parts, {
    bucket: 'guess_customer_domain',
    key: `${ownerId} ${domain}`,
    max: limits.peoplePerCustomerAndDomain,
    windowSeconds,
  });
  // A customer over their own limit must not use up the limit of all customers.
  if (!own.allowed) return false;
  const all = await takeAttempt(parts, {
    bucket: 'guess_domain',
    key: domain,
    max: limits.peoplePerDomain,
    windowSeconds,
  });
  return all.allowed;
}
