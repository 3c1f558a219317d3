import './allowances.tables.ts';
import { sql } from 'kysely';
import type { Secrets } from '../crypto/secrets.ts';
import type { Db } from '../database/database.ts';

interface LeaseRequest {
  readonly policy: string;
  readonly key: string;
  readonly windowStart: Date;
  readonly windowSeconds: number;
  readonly count: number;
}

export interface AllowanceStore {
  /** Leases a few more and answers how many all processes have leased since the window began, these included. */
  lease(request: LeaseRequest): Promise<number>;
}

/** More callers in one window than this are forgotten together. */
const callersMax = 100_000;

/** Leases in this process alone. */
export function createMemoryStore(): AllowanceStore {
  let start = 0;
  let leasedOf = new Map<string, number>();
  return {
    lease: async ({ policy, key, windowStart, count }) => {
      if (windowStart.getTime() !== start || leasedOf.size >= callersMax) leasedOf = new Map();
      start = windowStart.getTime();
      const leased = (leasedOf.get(`${policy}:${key}`) ?? 0) + count;
      leasedOf.set(`${policy}:${key}`, leased);
      return leased;
    },
  };
}

/** Windows older than this are over by any machine's clock. */
const keptMs = 600_000;

/** Leases in PostgreSQL, which all processes share. */
export function createAllowanceStore({
  db,
  secrets,
}: {
  readonly db: Db;
  readonly secrets: Secrets;
}): AllowanceStore {
  let sweptAt = 0;

  async function sweep(now: number): Promise<void> {
    if (now - sweptAt < keptMs) return;
    sweptAt = now;
    await db
      .deleteFrom('request_allowances')
      .where('window_start', '<', new Date(now - keptMs))
      .execute();
  }

  return {
    lease: async ({ policy, key, windowStart, windowSeconds, count }) => {
      // A process whose clock is a little behind leases from the next window, which the others are in. A window further
      // ahead was written by a clock that is wrong, and would block the caller until that time.
      const isCurrent = sql<boolean>`request_allowances.window_start between excluded.window_start
        and excluded.window_start + make_interval(secs => ${windowSeconds})`;
      const { leased } = await db
        .insertInto('request_allowances')
        .values({
          policy,
          key_hash: secrets.keyedHash('request allowances', `${policy}:${key}`),
          window_start: windowStart,
          leased: count,
        })
        .onConflict((conflict) =>
          conflict.columns(['policy', 'key_hash']).doUpdateSet({
            leased: sql`excluded.leased + case when ${isCurrent} then request_allowances.leased else 0 end`,
            window_start: sql`case when ${isCurrent} then request_allowances.window_start else excluded.window_start end`,
          }),
        )
        .returning('leased')
        .executeTakeFirstOrThrow();
      await sweep(windowStart.getTime());
      return leased;
    },
  };
}
