import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import { type LearnedPatterns, type Pattern, patterns } from './patterns/patterns.ts';

/** The proofs so far, by domain. */
export async function findLearnedPatterns(
  db: Db,
  domains: readonly string[],
): Promise<ReadonlyMap<string, LearnedPatterns>> {
  const rows = await db
    .selectFrom('guess_patterns')
    .select(['domain', 'pattern', 'proved'])
    .where('domain', 'in', [...new Set(domains)])
    .execute();
  const known = new Map<string, Map<Pattern, number>>();
  for (const { domain, pattern, proved } of rows) {
    // Ignores patterns that this version no longer has.
    if (!Object.hasOwn(patterns, pattern)) continue;
    const learned = known.get(domain) ?? new Map<Pattern, number>();
    known.set(domain, learned.set(pattern as Pattern, proved));
  }
  return known;
}

export async function countProvedPattern(tx: Tx, domain: string, pattern: Pattern, now: Date): Promise<void> {
  await tx
    .insertInto('guess_patterns')
    .values({ domain, pattern, proved: 1, last_proved_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['domain', 'pattern'])
        .doUpdateSet({ proved: sql`guess_patterns.proved + 1`, last_proved_at: now }),
    )
    .execute();
}
