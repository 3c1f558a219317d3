import type { Clock, SteadyClock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { isEveryPortClosed } from './health.store.ts';
import { isTestDomain } from './test-domain.ts';

/** Refuses work that no worker could do. */
export interface Availability {
  /** Whether port 25 is closed everywhere. */
  isClosed(db: Db): Promise<boolean>;
  /** Throws `verification_unavailable` if port 25 is closed everywhere. */
  require(db: Db): Promise<void>;
  /** The same for work at these domains; those of `.test` need no port. */
  requireFor(db: Db, domains: readonly string[]): Promise<void>;
}

// Workers check every hour, so an older result means that the worker is gone, not that its port is closed.
const resultAgeMaxMs = 3 * 3_600_000;
const rememberedMs = 5_000;

export function createAvailability(clock: Clock & SteadyClock): Availability {
  let known = { isClosed: false, until: 0 };
  const isClosed = async (db: Db): Promise<boolean> => {
    const now = clock.steadyMs();
    if (now >= known.until) {
      known = { isClosed: await isPortClosed(db, clock.now()), until: now + rememberedMs };
    }
    return known.isClosed;
  };
  const require = async (db: Db): Promise<void> => {
    if (await isClosed(db)) throw new AppError('verification_unavailable');
  };
  return {
    isClosed,
    require,
    requireFor: async (db, domains) => {
      if (hasRealDomain(domains)) await require(db);
    },
  };
}

/** Whether port 25 is closed everywhere, so that work outside `.test` waits. */
export const isPortClosed = (db: Db, now: Date): Promise<boolean> =>
  isEveryPortClosed(db, new Date(now.getTime() - resultAgeMaxMs));

/** Whether some of the domains are outside `.test`. */
export const hasRealDomain = (domains: readonly string[]): boolean => !domains.every(isTestDomain);
