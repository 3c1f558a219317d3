import type { CatchAllFact, FactStore } from '@assay/verifier';
import { sql } from 'kysely';
import { Batch } from '../../platform/batch.ts';
import type { Db } from '../../platform/database/database.ts';

/**
 * What was proved about domains, in the database, so that all workers ask each domain once. A fact that cannot be read or
 * written costs another proof and no more: whatever else needs the database at that moment tells what is wrong with it.
 * A list begins with hundreds of domains at once, so what is asked and told together travels together.
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
  // One statement may not touch a row twice. Sorted, so that two workers never wait for each other in a circle.
  const last = [...new Map(facts.map((fact) => [fact.domain, fact])).values()];
  last.sort((left, right) => (left.domain < right.domain ? -1 : 1));
  await sql`
    insert into domain_facts (domain, is_catch_all, proved_at)
    select * from unnest(${last.map(({ domain }) => domain)}::text[],
      ${last.map(({ isCatchAll }) => isCatchAll)}::boolean[],
      ${last.map(({ provedAt }) => new Date(provedAt))}::timestamptz[])
    on conflict (domain) do update set is_catch_all = excluded.is_catch_all, proved_at = excluded.proved_at
      -- Two workers may prove at once; the younger proof stands.
      where domain_facts.proved_at <= excluded.proved_at`.execute(db);
}
