import './shares.tables.ts';
import { newShareState, type ShareState } from '@assay/verifier';
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

/** Forgets providers that were not asked for longer than any window or step counts. */
export async function sweepShares(db: Db): Promise<void> {
  await sql`
    delete from share_states where (egress, provider) in (
      select egress, provider from share_states
      where changed_at < clock_timestamp() - interval '4 hours' for update skip locked)`.execute(db);
}
