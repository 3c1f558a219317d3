import './shares.tables.ts';
import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';

/** How an egress address grows into the limits of providers. */
export interface EgressPlan {
  readonly egress: string;
  readonly startedAt: Date;
  /** From the start to the whole limit. */
  readonly weeks: number;
  /** How often the limit is halved now; 0 for the whole limit. */
  readonly step: number;
}

const planColumns = sql`
  egress, started_at as "startedAt", weeks,
  greatest(0, weeks - floor(extract(epoch from now() - started_at) / 604800))::int as step`;

/** The plan of an egress address, which begins when the address is first used. */
export async function beginPlan(db: Db, egress: string): Promise<EgressPlan> {
  await sql`insert into egress_plans (egress) values (${egress}) on conflict do nothing`.execute(db);
  const { rows } = await sql<EgressPlan>`
    select ${planColumns} from egress_plans where egress = ${egress}`.execute(db);
  return rows[0] as EgressPlan;
}

export async function findPlans(db: Db): Promise<EgressPlan[]> {
  const { rows } = await sql<EgressPlan>`select ${planColumns} from egress_plans order by egress`.execute(db);
  return rows;
}

/** Undefined if no worker has used such an address. */
export async function changePlan(db: Db, egress: string, weeks: number): Promise<EgressPlan | undefined> {
  const { rows } = await sql<EgressPlan>`
    update egress_plans set weeks = ${weeks} where egress = ${egress} returning ${planColumns}`.execute(db);
  return rows[0];
}
