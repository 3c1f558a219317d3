import type { EgressFinding, EgressReport } from '@assay/verifier';
import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';

export interface HealthRow {
  readonly is_port_closed: boolean;
  readonly is_listed: boolean;
  readonly findings: readonly EgressFinding[];
  readonly checked_at: Date;
}

export async function saveHealth(
  db: Db,
  { egress, report, nextCheckMs }: { egress: string; report: EgressReport; nextCheckMs: number },
): Promise<void> {
  await sql`
    insert into egress_health (egress, is_port_closed, is_listed, findings, checked_at, next_check_at)
    values (${egress}, ${report.isPortClosed}, ${report.isListed}, ${JSON.stringify(report.findings)}::jsonb, now(),
      now() + ${nextCheckMs} * interval '1 millisecond')
    on conflict (egress) do update set is_port_closed = excluded.is_port_closed, is_listed = excluded.is_listed,
      findings = excluded.findings, checked_at = excluded.checked_at, next_check_at = excluded.next_check_at`.execute(
    db,
  );
}

export async function findHealth(db: Db, egress: string): Promise<HealthRow | undefined> {
  const { rows } = await sql<HealthRow>`
    select is_port_closed, is_listed, findings, checked_at from egress_health where egress = ${egress}`.execute(
    db,
  );
  return rows[0];
}

/** The last checks of all egress addresses. */
export async function findAllHealth(db: Db): Promise<(HealthRow & { readonly egress: string })[]> {
  const { rows } = await sql<HealthRow & { egress: string }>`
    select egress, is_port_closed, is_listed, findings, checked_at from egress_health order by egress limit 200`.execute(
    db,
  );
  return rows;
}

/** Takes the check of an egress address if it is due, so that only one of its workers makes it. */
export async function claimCheck(db: Db, egress: string): Promise<boolean> {
  const { rows } = await sql`
    update egress_health set next_check_at = now() + interval '2 minutes'
    where egress = ${egress} and next_check_at <= now() returning egress`.execute(db);
  return rows.length > 0;
}

/** Makes the check due at once, unless the last one is less than a minute old. */
export async function askForCheck(db: Db, egress: string): Promise<void> {
  await sql`
    update egress_health set next_check_at = now()
    where egress = ${egress} and checked_at < now() - interval '1 minute'`.execute(db);
}

/** Whether port 25 is closed at every egress address with a recent check; false if there is none. */
export async function isEveryPortClosed(db: Db, since: Date): Promise<boolean> {
  const { rows } = await sql<{ is_closed: boolean | null }>`
    select bool_and(is_port_closed) as is_closed from egress_health where checked_at > ${since}`.execute(db);
  return rows[0]?.is_closed ?? false;
}
