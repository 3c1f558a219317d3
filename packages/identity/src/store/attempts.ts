import { createHmac } from 'node:crypto';
import type { Queryable } from './database.ts';

export interface Limit {
  /** Part of the stored name, so two limits on one subject do not mix. */
  name: string;
  max: number;
  windowMinutes: number;
}

export type Admission = { isAdmitted: true } | { isAdmitted: false; retryAfterMs: number };

/**
 * Sliding windows over attempts, shared by every process on the database. A subject is stored as a keyed hash,
 * so the table does not show which addresses were tried.
 */
export class Attempts {
  readonly #database: Queryable;
  readonly #pepper: Buffer;
  readonly #now: () => Date;

  constructor(database: Queryable, { pepper, now }: { pepper: Buffer; now: () => Date }) {
    this.#database = database;
    this.#pepper = pepper;
    this.#now = now;
  }

  /** Counts one attempt unless the window is full. A refused attempt is not counted, so the announced wait does not grow. */
  async take(limit: Limit, subject: string): Promise<Admission> {
    const now = this.#now();
    const windowMs = limit.windowMinutes * 60_000;
    // A hit that is further ahead than a window was counted by a clock that was wrong, and would count until that time.
    const { rows } = await this.#database.query<{ admitted: boolean; oldest: Date }>(
      `INSERT INTO identity.attempts AS kept (bucket, hits, admitted, expires_at)
       VALUES ($1, ARRAY[$2::timestamptz], true, $4)
       ON CONFLICT (bucket) DO UPDATE SET
         (hits, admitted) = (
           SELECT CASE WHEN count(*) < $5 THEN array_append(array_agg(hit ORDER BY hit), $2::timestamptz)
                       ELSE array_agg(hit ORDER BY hit) END,
                  count(*) < $5
           FROM unnest(kept.hits) AS hit WHERE hit > $3 AND hit < $4
         ),
         expires_at = $4
       RETURNING admitted, hits[1] AS oldest`,
      [
        this.#bucketOf(limit, subject),
        now,
        new Date(now.getTime() - windowMs),
        new Date(now.getTime() + windowMs),
        limit.max,
      ],
    );
    const row = rows[0];
    if (!row || row.admitted) return { isAdmitted: true };
    return { isAdmitted: false, retryAfterMs: row.oldest.getTime() + windowMs - now.getTime() };
  }

  /** Whether the window is full. Counts nothing. */
  async isFull(limit: Limit, subject: string): Promise<boolean> {
    const now = this.#now().getTime();
    const windowMs = limit.windowMinutes * 60_000;
    const { rows } = await this.#database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM identity.attempts, unnest(hits) AS hit
       WHERE bucket = $1 AND hit > $2 AND hit < $3`,
      [this.#bucketOf(limit, subject), new Date(now - windowMs), new Date(now + windowMs)],
    );
    return (rows[0]?.count ?? 0) >= limit.max;
  }

  /** Takes the latest attempt back: it turned out to be no failure. */
  async giveBack(limit: Limit, subject: string): Promise<void> {
    await this.#database.query(
      'UPDATE identity.attempts SET hits = trim_array(hits, 1) WHERE bucket = $1 AND cardinality(hits) > 0',
      [this.#bucketOf(limit, subject)],
    );
  }

  async forget(limit: Limit, subject: string): Promise<void> {
    await this.#database.query('DELETE FROM identity.attempts WHERE bucket = $1', [
      this.#bucketOf(limit, subject),
    ]);
  }

  #bucketOf(limit: Limit, subject: string): string {
    const name = `${limit.name}\0${subject.trim().normalize('NFC').toLowerCase()}`;
    return createHmac('sha256', this.#pepper).update(name).digest('base64url');
  }
}
