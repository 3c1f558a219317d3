import './allowances.tables.ts';
import { sql } from 'kysely';
import type { Secrets } from '../crypto/secrets.ts';
import type { Db } from '../database/database.ts';

interface LeaseRequest {
  readonly policy: string;
  readonly key: string;
  readonly windowStart: Date;
  readonly count: number;
}

export interface AllowanceStore {
  /** Leases a few more and answers how many all processes have leased since the window began, these included. */
  lease(request: LeaseRequest): Promise<number>;
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
    lease: async ({ policy, key, windowStart, count }) => {
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
            // A process whose clock is behind leases from the window that the others are in.
            leased: sql`case when request_allowances.window_start < excluded.window_start
              then excluded.leased else request_allowances.leased + excluded.leased end`,
            window_start: sql`greatest(request_allowances.window_start, excluded.window_start)`,
          }),
        )
        .returning('leased')
        .executeTakeFirstOrThrow();
      await sweep(windowStart.getTime());
      return leased;
    },
  };
}
