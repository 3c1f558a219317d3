import { type CatchAllFact, type FactStore, type HostUse, hostUsesMax } from '@assay/verifier';
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
  const findingUses = new Batch({
    call: (hosts: string[]) => findHostUses(db, hosts).catch(() => new Map<string, HostUse>()),
  });
  const savingUses = new Batch({ call: (uses: SavedUse[]) => saveHostUses(db, uses).catch(() => undefined) });
  return {
    findCatchAll: async (domain) => (await finding.add(domain)).get(domain),
    saveCatchAll: (domain, fact) => saving.add({ domain, ...fact }),
    findHostUse: async (host) => (await findingUses.add(host)).get(host),
    saveHostUse: (host, domain, isListed) => savingUses.add({ host, domain, isListed }),
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

interface SavedUse {
  readonly host: string;
  readonly domain: string;
  readonly isListed: boolean;
}

async function findHostUses(db: Db, hosts: readonly string[]): Promise<Map<string, HostUse>> {
  const { rows } = await sql<{ host: string; listed: number; others: number }>`
    select host, count(*) filter (where is_listed)::integer as listed, count(*) filter (where not is_listed)::integer as others
    from mail_host_uses where host = any(${hosts}) group by host`.execute(db);
  return new Map(rows.map(({ host, listed, others }) => [host, { listedCount: listed, otherCount: others }]));
}

async function saveHostUses(db: Db, uses: readonly SavedUse[]): Promise<void> {
  const last = [...new Map(uses.map((use) => [`${use.host} ${use.domain}`, use])).values()];
  last.sort((left, right) => compare(left.host, right.host) || compare(left.domain, right.domain));
  await sql`
    insert into mail_host_uses (host, domain, is_listed, seen_at)
    select use.host, use.domain, use.is_listed, now()
    from unnest(${last.map(({ host }) => host)}::text[], ${last.map(({ domain }) => domain)}::text[],
      ${last.map(({ isListed }) => isListed)}::boolean[]) as use (host, domain, is_listed)
    where (select count(*) from mail_host_uses as known where known.host = use.host) < ${hostUsesMax}
    on conflict (host, domain) do update set is_listed = excluded.is_listed, seen_at = excluded.seen_at`.execute(
    db,
  );
}

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

/** Forgets where domains had their mail hosts a month ago: hosts change their owners. */
export async function sweepHostUses(db: Db): Promise<void> {
  await sql`delete from mail_host_uses where seen_at < now() - interval '30 days'`.execute(db);
}
