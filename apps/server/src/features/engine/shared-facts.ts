import {
  type CatchAllFact,
  type ControlFact,
  type FactStore,
  type HostUse,
  hostUsesMax,
} from '@assay/verifier';
import { sql } from 'kysely';
import { Batch } from '../../platform/batch.ts';
import type { Db } from '../../platform/database/database.ts';

/**
 * Keeps proved facts about domains and hosts in the database, so that all workers together ask each of them once. A failed
 * read or write only costs another probe, so it is ignored here. A list starts with hundreds of domains at once, so reads
 * and writes are batched. How a host answered says something about the egress address that asked too: a host that accepts
 * mailboxes from one may refuse everyone from another. So those facts are kept for each egress.
 */
export function createSharedFacts(db: Db, egress: string): FactStore {
  const fromHere = (name: string) => `${egress} ${name}`;
  const catchAll = share<CatchAllFact>({
    find: (domains) => findCatchAll(db, domains),
    save: (facts) => saveCatchAll(db, facts),
  });
  const controls = share<ControlFact>({
    find: (domains) => findControls(db, domains),
    save: (facts) => saveControls(db, facts),
  });
  const acceptances = share<number>({
    find: (hosts) => findAcceptances(db, hosts),
    save: (facts) => saveAcceptances(db, facts),
  });
  const silences = share<number>({
    find: (hosts) => findSilences(db, hosts),
    save: (facts) => saveSilences(db, facts),
  });
  const findingUses = new Batch({
    call: (hosts: string[]) => findHostUses(db, hosts).catch(() => new Map<string, HostUse>()),
  });
  const savingUses = new Batch({ call: (uses: SavedUse[]) => saveHostUses(db, uses).catch(() => undefined) });
  return {
    findCatchAll: catchAll.find,
    saveCatchAll: catchAll.save,
    findControl: (domain) => controls.find(fromHere(domain)),
    saveControl: (domain, fact) => controls.save(fromHere(domain), fact),
    findAcceptance: (host) => acceptances.find(fromHere(host)),
    saveAcceptance: (host, acceptedAt) => acceptances.save(fromHere(host), acceptedAt),
    findSilence: (host) => silences.find(fromHere(host)),
    saveSilence: (host, silentAt) => silences.save(fromHere(host), silentAt),
    findHostUse: async (host) => (await findingUses.add(host)).get(host),
    saveHostUse: (host, domain, isListed) => savingUses.add({ host, domain, isListed }),
  };
}

/** Facts by the name of a domain or a host. */
type Facts<T> = Map<string, T>;

interface FactTable<T> {
  find(names: readonly string[]): Promise<Facts<T>>;
  save(facts: readonly [string, T][]): Promise<void>;
}

function share<T>(table: FactTable<T>) {
  const finding = new Batch({
    call: (names: string[]) => table.find(names).catch((): Facts<T> => new Map()),
  });
  const saving = new Batch({
    // One statement may not change a row twice. Sorted, so that two workers cannot deadlock.
    call: (facts: [string, T][]) =>
      table
        .save([...new Map(facts)].sort(([left], [right]) => (left < right ? -1 : 1)))
        .catch(() => undefined),
  });
  return {
    find: async (name: string) => (await finding.add(name)).get(name),
    save: (name: string, fact: T) => saving.add([name, fact]),
  };
}

async function findCatchAll(db: Db, domains: readonly string[]): Promise<Facts<CatchAllFact>> {
  const rows = await db
    .selectFrom('domain_facts')
    .select(['domain', 'is_catch_all', 'proved_at'])
    .where(sql<boolean>`domain = any(${domains})`)
    .execute();
  return new Map(
    rows.map((row) => [row.domain, { isCatchAll: row.is_catch_all, provedAt: row.proved_at.getTime() }]),
  );
}

// Two workers may ask at the same time; the newer fact stays.
async function saveCatchAll(db: Db, facts: readonly [string, CatchAllFact][]): Promise<void> {
  await sql`
    insert into domain_facts (domain, is_catch_all, proved_at)
    select * from unnest(${facts.map(([domain]) => domain)}::text[],
      ${facts.map(([, { isCatchAll }]) => isCatchAll)}::boolean[],
      ${facts.map(([, { provedAt }]) => new Date(provedAt))}::timestamptz[])
    on conflict (domain) do update set is_catch_all = excluded.is_catch_all, proved_at = excluded.proved_at
      where domain_facts.proved_at <= excluded.proved_at`.execute(db);
}

async function findControls(db: Db, domains: readonly string[]): Promise<Facts<ControlFact>> {
  const rows = await db
    .selectFrom('domain_controls')
    .select(['domain', 'asked_at', 'refused_words'])
    .where(sql<boolean>`domain = any(${domains})`)
    .execute();
  return new Map(
    rows.map(({ domain, asked_at, refused_words }) => [
      domain,
      { askedAt: asked_at.getTime(), ...(refused_words !== null && { words: refused_words }) },
    ]),
  );
}

async function saveControls(db: Db, facts: readonly [string, ControlFact][]): Promise<void> {
  await sql`
    insert into domain_controls (domain, asked_at, refused_words)
    select * from unnest(${facts.map(([domain]) => domain)}::text[],
      ${facts.map(([, { askedAt }]) => new Date(askedAt))}::timestamptz[],
      ${facts.map(([, { words }]) => words ?? null)}::text[])
    on conflict (domain) do update set asked_at = excluded.asked_at, refused_words = excluded.refused_words
      where domain_controls.asked_at <= excluded.asked_at`.execute(db);
}

async function findAcceptances(db: Db, hosts: readonly string[]): Promise<Facts<number>> {
  const rows = await db
    .selectFrom('host_acceptances')
    .select(['host', 'accepted_at'])
    .where(sql<boolean>`host = any(${hosts})`)
    .execute();
  return new Map(rows.map(({ host, accepted_at }) => [host, accepted_at.getTime()]));
}

async function saveAcceptances(db: Db, facts: readonly [string, number][]): Promise<void> {
  await sql`
    insert into host_acceptances (host, accepted_at)
    select * from unnest(${facts.map(([host]) => host)}::text[],
      ${facts.map(([, acceptedAt]) => new Date(acceptedAt))}::timestamptz[])
    on conflict (host) do update set accepted_at = greatest(host_acceptances.accepted_at, excluded.accepted_at)`.execute(
    db,
  );
}

async function findSilences(db: Db, hosts: readonly string[]): Promise<Facts<number>> {
  const rows = await db
    .selectFrom('host_silences')
    .select(['host', 'silent_at'])
    .where(sql<boolean>`host = any(${hosts})`)
    .execute();
  return new Map(rows.map(({ host, silent_at }) => [host, silent_at.getTime()]));
}

async function saveSilences(db: Db, facts: readonly [string, number][]): Promise<void> {
  await sql`
    insert into host_silences (host, silent_at)
    select * from unnest(${facts.map(([host]) => host)}::text[],
      ${facts.map(([, silentAt]) => new Date(silentAt))}::timestamptz[])
    on conflict (host) do update set silent_at = greatest(host_silences.silent_at, excluded.silent_at)`.execute(
    db,
  );
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

/** Forgets where domains had their mail hosts a month ago, since hosts change their owners, and what is too old to use. */
export async function sweepFacts(db: Db): Promise<void> {
  await sql`delete from mail_host_uses where seen_at < now() - interval '30 days'`.execute(db);
  await sql`delete from domain_controls where asked_at < now() - interval '2 days'`.execute(db);
  await sql`delete from host_silences where silent_at < now() - interval '1 hour'`.execute(db);
  await sql`delete from host_acceptances where accepted_at < now() - interval '2 days'`.execute(db);
}
