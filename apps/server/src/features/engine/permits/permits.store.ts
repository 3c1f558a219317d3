import './permits.tables.ts';
import type { PermitLimits } from '@assay/verifier';
import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';

/** The channel on which a holder hears, by its id, that an exchange would bring it news. */
export const permitsChannel = 'assay_permits';

/** Who draws connections, and from what. */
export interface Holder {
  readonly id: string;
  readonly egress: string;
  readonly share: string;
  readonly limits: PermitLimits;
}

export interface PermitNews {
  readonly exchange: number;
  readonly wasHere: boolean;
  readonly held: readonly number[];
  readonly waiting: readonly number[];
  readonly asked: readonly { number: number; host: string; provider: string; is_held: boolean }[];
  readonly rests: readonly { host: string; for_ms: number }[];
}

interface PermitAnswer {
  /** False when the database has forgotten what this holder names, which then has to be told again. */
  readonly is_known: boolean;
  readonly granted: readonly number[];
  readonly resting: readonly { number: number; rest_ms: number }[];
  readonly wanted: readonly string[];
}

/** One statement, whatever there is to tell: see exchange_host_permits in the migrations. */
export async function exchangePermits(
  db: Db,
  { id, egress, share, limits }: Holder,
  { exchange, wasHere, held, waiting, asked, rests }: PermitNews,
): Promise<PermitAnswer> {
  const { rows } = await sql<PermitAnswer>`
    select * from exchange_host_permits(
      ${id}, ${egress}, ${share}, ${[limits.perHost, limits.perProvider, limits.total]}::integer[],
      ${exchange}, ${wasHere}, ${held}::integer[], ${waiting}::integer[],
      ${JSON.stringify(asked)}::jsonb, ${JSON.stringify(rests)}::jsonb)`.execute(db);
  return rows[0] as PermitAnswer;
}

/** Removes holders that ended long ago, where no other has done so, and rests that are over. */
export async function sweepPermits(db: Db): Promise<void> {
  await sql`delete from permit_holders where seen_at < clock_timestamp() - interval '1 minute'`.execute(db);
  await sql`
    delete from host_rests where (egress, host) in (
      select egress, host from host_rests where until < clock_timestamp() for update skip locked)`.execute(
    db,
  );
}
