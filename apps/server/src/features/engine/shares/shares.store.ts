import './shares.tables.ts';
import { describeShares, newShareState, providerNamed, type ShareState } from '@assay/verifier';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';

export interface LockedState {
  readonly state: ShareState;
  /** The time of the database, in milliseconds since 1970. */
  readonly now: number;
}

/** Locks what was asked of these providers, in an order that cannot deadlock. */
export async function lockStates(
  tx: Tx,
  egress: string,
  providers: readonly string[],
): Promise<Map<string, LockedState>> {
  const ordered = [...providers].sort((left, right) => (left < right ? -1 : 1));
  await sql`
    insert into share_states (egress, provider, state)
    select ${egress}, provider, ${JSON.stringify(newShareState())}::jsonb from unnest(${ordered}::text[]) as provider
    on conflict do nothing`.execute(tx);
  const { rows } = await sql<{ provider: string; state: ShareState }>`
    select provider, state from share_states where egress = ${egress} and provider = any(${ordered})
    order by provider for update`.execute(tx);
  const time = await sql<{ now: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(tx);
  const now = Math.floor(time.rows[0]?.now ?? 0);
  return new Map(rows.map(({ provider, state }) => [provider, { state, now }]));
}

export async function saveStates(
  tx: Tx,
  egress: string,
  states: ReadonlyMap<string, LockedState>,
): Promise<void> {
  const saved = [...states];
  await sql`
    update share_states set state = changed.state, changed_at = clock_timestamp()
    from unnest(${saved.map(([provider]) => provider)}::text[],
      ${saved.map(([, { state }]) => JSON.stringify(state))}::jsonb[]) as changed (provider, state)
    where share_states.egress = ${egress} and share_states.provider = changed.provider`.execute(tx);
}

/** What holds at a provider with published limits, through one egress address. */
export interface ProviderStanding {
  readonly egress: string;
  readonly provider: string;
  readonly allowed: number;
  readonly recipients: number;
  readonly spent: number;
  readonly why: 'usual' | 'new_egress' | 'after_block' | 'resting';
  readonly until: Date | null;
}

/** The limits in force at the providers that were asked within hours. */
export async function findStandings(db: Db): Promise<ProviderStanding[]> {
  const { rows } = await sql<{
    egress: string;
    provider: string;
    state: ShareState;
    step: number;
    now: number;
  }>`
    select egress, provider, state, coalesce(plan.step, 0) as step,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as now
    from share_states left join lateral (
      select greatest(0, weeks - floor(extract(epoch from now() - started_at) / 604800))::int as step
      from egress_plans where egress_plans.egress = share_states.egress) as plan on true
    order by egress, provider`.execute(db);
  return rows.flatMap(({ egress, provider, state, step, now }) => {
    const { brand, unknown: limit } = providerNamed(provider);
    if (brand === undefined) return [];
    const inForce = { ...limit, share: limit.share / 2 ** step };
    const { allowed, spent, isEasedUp, restUntil } = describeShares(state, inForce, now);
    const usualWhy = step > 0 ? 'new_egress' : 'usual';
    return [
      {
        egress,
        provider: brand,
        allowed,
        recipients: limit.recipients,
        spent,
        why: restUntil !== undefined ? 'resting' : isEasedUp ? 'after_block' : usualWhy,
        until: restUntil === undefined ? null : new Date(restUntil),
      } as const,
    ];
  });
}

/** Forgets providers that were not asked for longer than any window or step counts. */
export async function sweepShares(db: Db): Promise<void> {
  await sql`
    delete from share_states where (egress, provider) in (
      select egress, provider from share_states
      where changed_at < clock_timestamp() - interval '4 hours' for update skip locked)`.execute(db);
}
