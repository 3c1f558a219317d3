import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';

/**
 * Binds domains to the egress addresses that were chosen for them, for a day. A domain with a binding to a configured egress
 * keeps it, and longer than a day while it is used: no deferred address may be asked again through another egress. A paused
 * egress asks nothing, so the domain moves when its time is over.
 */
export async function bindDomains(
  db: Db,
  {
    workers,
    egresses,
    paused,
  }: { readonly workers: string; readonly egresses: readonly string[]; readonly paused: readonly string[] },
  chosen: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  // Sorted, so that two workers cannot deadlock.
  const domains = [...chosen.keys()].sort();
  const { rows } = await sql<{ domain: string; egress: string }>`
    insert into egress_bindings as known (workers, domain, egress, bound_until)
    select ${workers}, domain, egress, now() + interval '1 day'
    from unnest(${domains}::text[], ${domains.map((domain) => chosen.get(domain))}::text[]) as wanted (domain, egress)
    on conflict (workers, domain) do update set
      egress = case when known.bound_until > now() and known.egress = any(${egresses})
        then known.egress else excluded.egress end,
      bound_until = case when known.bound_until <= now() or known.egress <> all(${egresses}) then excluded.bound_until
        when known.egress = any(${paused}) then known.bound_until
        else greatest(known.bound_until, now() + interval '5 hours') end
    returning domain, egress`.execute(db);
  return new Map(rows.map(({ domain, egress }) => [domain, egress]));
}

export interface EgressState {
  readonly egress: string;
  readonly is_port_closed: boolean;
  readonly is_listed: boolean;
}

/** The last health checks of the egresses that have one. */
export async function findEgressStates(db: Db, egresses: readonly string[]): Promise<EgressState[]> {
  const { rows } = await sql<EgressState>`
    select egress, is_port_closed, is_listed from egress_health where egress = any(${egresses})`.execute(db);
  return rows;
}

export async function sweepBindings(db: Db): Promise<void> {
  await sql`delete from egress_bindings where bound_until < now()`.execute(db);
}
