import type { CatchAllFact, FactStore } from '@assay/verifier';
import { sql } from 'kysely';
import { Batch } from '../../platform/batch.ts';
import type { Db } from '../../platform/database/database.ts';

/**
 * Keeps proved facts about domains in the database, so that all workers together probe each domain once. A failed read or
 * write only costs another probe, so it is ignored here. A list starts with hundreds of domains at once, so reads and
 * writes are batched.
 */
export function createSharedFacts(db: Db): FactStore {
  const finding = new Batch({
    call: (domains: string[]) => findFacts(db, domains).catch(() => new Map<string, CatchAllFact>()),
  });
  const saving = new Batch({ call: (facts: SavedFact[]) => saveFacts(db, facts).catch(() => undefined) });
  return {
    findCatchAll: async (domain) => (await finding.add(domain)).get(domain),
    saveCatchAll: (domain, fact) => saving.add({ domain, ...fact }),
  };
}

interface SavedFact extends CatchAllFact {
  readonly domain: string;
}

async function findFacts(db: Db, domains: readonly string[]): Promise<Map<string, CatchAllFact>> {
  const facts = await db
    .selectFrom('domain_facts')
    .select(['domain', 'is_catch_all', 'proved_at'])
    .where(sql<boolean>`domain = any(${domains})`)
    .execute();
  return new Map(
    facts.map((fact) => [fact.domain, { isCatchAll: fact.is_catch_all, provedAt: fact.proved_at.getTime() }]),
  );
}

async function saveFacts(db: Db, facts: readonly SavedFact[]): Promise<void> {
  // One statement may not change a row twice. Sorted, so that two workers cannot deadlock.
  const last = [...new Map(facts.map((fact) => [fact.domain, fact])).values()];
  last.sort((left, right) => (left.domain < right.domain ? -1 : 1));
  await sql`
    insert into domain_facts (domain, is_catch_all, proved_at)
    select * from unnest(${last.map(({ domain }) => domain)}::text[],
      ${last.map(({ isCatchAll }) => isCatchAll)}::boolean[],
      ${last.map(({ provedAt }) => new Date(provedAt))}::timestamptz[])
    on conflict (domain) do update set is_catch_all = excluded.is_catch_all, proved_at = excluded.proved_at
      -- Two workers may probe at the same time; keep the newer proof.
      where domain_facts.proved_at <= excluded.proved_at`.execute(db);
}
