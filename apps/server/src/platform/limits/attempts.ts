import './attempts.tables.ts';
import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Secrets } from '../crypto/secrets.ts';
import type { Db } from '../database/database.ts';
import { tooManyRequests } from '../errors/index.ts';

export interface AttemptParts {
  /** Never a transaction that the attempt may roll back: then it would not have been counted. */
  readonly db: Db;
  readonly secrets: Secrets;
  readonly clock: Clock;
}

export interface AttemptLimit {
  /** What is limited, such as `coupon`. */
  readonly bucket: string;
  /** Whose attempts are counted together, such as a user id or a network address. Stored as a keyed hash. */
  readonly key: string;
  readonly max: number;
  readonly windowSeconds: number;
}

export interface AttemptAnswer {
  readonly allowed: boolean;
  /** 0 when allowed. */
  readonly retryAfterSeconds: number;
}

/** Each new row clears away a few that ended, so that the table stays as small as what is going on. */
const sweptPerNewRow = 10;

/** Counts one attempt in all processes together, and says whether it is within the limit of its window. */
export async function takeAttempt(parts: AttemptParts, limit: AttemptLimit): Promise<AttemptAnswer> {
  const now = parts.clock.now();
  const windowMs = limit.windowSeconds * 1_000;
  // Clocks of two processes differ a little. A window that ends later than this was begun by a clock that is wrong, and would
  // last until that time.
  const latestEnd = new Date(now.getTime() + 2 * windowMs);
  const isCurrent = sql<boolean>`attempts.window_ends_at > ${now} and attempts.window_ends_at <= ${latestEnd}`;
  const row = await parts.db
    .insertInto('attempts')
    .values({
      bucket: limit.bucket,
      key_hash: parts.secrets.keyedHash('attempts', `${limit.bucket}:${limit.key}`),
      tried: 1,
      window_ends_at: new Date(now.getTime() + windowMs),
    })
    .onConflict((conflict) =>
      conflict.columns(['bucket', 'key_hash']).doUpdateSet({
        tried: sql`case when ${isCurrent} then attempts.tried + 1 else 1 end`,
        window_ends_at: sql`case when ${isCurrent} then attempts.window_ends_at else excluded.window_ends_at end`,
      }),
    )
    .returning(['tried', 'window_ends_at'])
    .executeTakeFirstOrThrow();

  if (row.tried === 1) await sweepEnded(parts.db, now);
  const allowed = row.tried <= limit.max;
  const secondsLeft = Math.ceil((row.window_ends_at.getTime() - now.getTime()) / 1_000);
  return { allowed, retryAfterSeconds: allowed ? 0 : Math.max(1, secondsLeft) };
}

/** The same for callers who only want to go on or be refused. */
export async function requireAttempt(parts: AttemptParts, limit: AttemptLimit): Promise<void> {
  const { allowed, retryAfterSeconds } = await takeAttempt(parts, limit);
  if (!allowed) throw tooManyRequests(retryAfterSeconds);
}

async function sweepEnded(db: Db, now: Date): Promise<void> {
  await sql`
    delete from attempts where (bucket, key_hash) in (
      select bucket, key_hash from attempts where window_ends_at <= ${now}
      limit ${sweptPerNewRow} for update skip locked)`.execute(db);
}
