import './permits.tables.ts';
import type { PermitLimits } from '@assay/verifier';
import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';

/** The channel that tells a holder, by its id, to exchange again. */
export const permitsChannel = 'assay_permits';

/** An engine that takes connections out of a share. */
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
  readonly asked: readonly {
    number: number;
    host: string;
    provider: string;
    provider_limit: number | null;
    customer: string;
    is_held: boolean;
  }[];
  readonly rests: readonly { host: string; for_ms: number }[];
}

export interface PermitAnswer {
  /** False when the database has lost something that this holder names. The holder then sends everything again. */
  readonly is_known: boolean;
  readonly granted: readonly number[];
  readonly resting: readonly { number: number; rest_ms: number }[];
  readonly wanted: readonly string[];
  /** The customer with the most connections, if one without any waits for one of them. */
  readonly crowding: string | null;
}

/** Runs exchange_host_permits and crowding_customer, which the migrations define. */
export async function exchangePermits(
  db: Db,
  { id, egress, share, limits }: Holder,
  { exchange, wasHere, held, waiting, asked, rests }: PermitNews,
): Promise<PermitAnswer> {
  const place = sql`${id}::uuid, ${egress}::text, ${share}::text, ${[limits.perHost, limits.perProvider, limits.total]}::integer[]`;
  const { rows } = await sql<PermitAnswer>`
    select exchanged.*, crowding_customer(${place}) as crowding from exchange_host_permits(
      ${place}, ${exchange}, ${wasHere}, ${held}::integer[], ${waiting}::integer[],
      ${JSON.stringify(asked)}::jsonb, ${JSON.stringify(rests)}::jsonb) as exchanged`.execute(db);
  return rows[0] as PermitAnswer;
}

/** Removes silent holders of shares that nobody uses any more, and rests that are over. */
export async function sweepPermits(db: Db): Promise<void> {
  await sql`delete from permit_holders where seen_at < clock_timestamp() - interval '1 minute'`.execute(db);
  await sql`
    delete from host_rests where (egress, host) in (
      select egress, host from host_rests where until < clock_timestamp() for update skip locked)`.execute(
    db,
  );
}
