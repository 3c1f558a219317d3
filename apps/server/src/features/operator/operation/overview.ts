import { statfs } from 'node:fs/promises';
import {
  OPERATOR_ROWS_MAX,
  type OperatorEgress,
  type OperatorOverview,
  type OperatorProcess,
  OVERVIEW_MINUTES,
} from '@assay/contract/operator';
import { sql } from 'kysely';
import type { Config } from '../../../platform/config/index.ts';
import type { Db } from '../../../platform/database/database.ts';
import { findProcesses, type LiveProcess } from '../../../platform/live-processes.ts';
import { countDeadLetters, findQueueLoads } from '../../../platform/queue/index.ts';
import { findAllHealth } from '../../engine/index.ts';
import type { OperatorParts } from '../actions.ts';
import { countStuckLists } from '../running-lists.ts';

const minuteMs = 60_000;
const providerHours = 24;
const providersShown = 12;
const errorsShown = 8;

export interface OverviewParts extends OperatorParts {
  readonly files: Config['files'];
}

/** Everything that the first page of the console shows. */
export async function describeOperation({ files, ...parts }: OverviewParts): Promise<OperatorOverview> {
  const { db, clock } = parts;
  const now = clock.now();
  const queues = await findQueueLoads(db, now);
  return {
    date: now.toISOString(),
    queues: queues.map(({ oldestSince, ...queue }) => ({
      ...queue,
      oldest_seconds: oldestSince && Math.max(0, Math.round((now.getTime() - oldestSince.getTime()) / 1_000)),
    })),
    minutes: await readMinutes(db, now),
    providers: await readProviders(db, now),
    errors: await readErrors(db, now),
    egresses: (await findAllHealth(db)).map(egressAnswer),
    dead_letters: await countDeadLetters(db),
    stuck_lists: await countStuckLists(parts),
    disk: await readDisk(files),
    database_bytes: await readDatabaseBytes(db),
    last_backup_date: (await readLastBackup(db))?.toISOString() ?? null,
    processes: (await findProcesses(db)).slice(0, OPERATOR_ROWS_MAX).map(processAnswer),
  };
}

interface MinuteRow {
  readonly minute: Date;
  readonly name: string;
  readonly part: string;
  readonly count: number;
}

/** The last full hour up to now, with zeros where nothing was counted. */
async function readMinutes(db: Db, now: Date): Promise<OperatorOverview['minutes']> {
  const last = now.getTime() - (now.getTime() % minuteMs);
  const first = last - (OVERVIEW_MINUTES - 1) * minuteMs;
  const { rows } = await sql<MinuteRow>`
    select bucket as minute, name, case when name = 'checks' then part else '' end as part, sum(count)::bigint as count
    from operation_counts
    where name in ('checks', 'requests', 'errors', 'failed_jobs') and bucket >= ${new Date(first)}
    group by 1, 2, 3`.execute(db);
  const counts = new Map(
    rows.map(({ minute, name, part, count }) => [`${minute.getTime()} ${name} ${part}`, count]),
  );
  return Array.from({ length: OVERVIEW_MINUTES }, (_, place) => {
    const minute = first + place * minuteMs;
    const of = (name: string, part = '') => counts.get(`${minute} ${name} ${part}`) ?? 0;
    return {
      date: new Date(minute).toISOString(),
      checks: verdictCounts((verdict) => of('checks', verdict)),
      requests: of('requests'),
      errors: of('errors'),
      failed_jobs: of('failed_jobs'),
    };
  });
}

const verdictCounts = (of: (verdict: string) => number) => ({
  valid: of('VALID'),
  invalid: of('INVALID'),
  catch_all: of('CATCH_ALL'),
  unknown: of('UNKNOWN'),
});

async function readProviders(db: Db, now: Date): Promise<OperatorOverview['providers']> {
  const since = new Date(now.getTime() - providerHours * 60 * minuteMs);
  const { rows } = await sql<{ provider: string; counts: Record<string, number> }>`
    select provider, jsonb_object_agg(verdict, count) as counts
    from (
      select part as provider, detail as verdict, sum(count) as count from operation_counts
      where name = 'provider_checks' and bucket >= ${since} group by part, detail) as counted
    group by provider order by sum(count) desc, provider limit ${providersShown}`.execute(db);
  return rows.map(({ provider, counts }) => ({
    provider,
    checks: verdictCounts((verdict) => counts[verdict] ?? 0),
  }));
}

async function readErrors(db: Db, now: Date): Promise<OperatorOverview['errors']> {
  const since = new Date(now.getTime() - OVERVIEW_MINUTES * minuteMs);
  const { rows } = await sql<{ source: string; count: number }>`
    select part as source, sum(count)::bigint as count from operation_counts
    where name in ('errors', 'failed_jobs') and bucket >= ${since}
    group by part order by count desc, source limit ${errorsShown}`.execute(db);
  return rows;
}

const processAnswer = ({ startedAt, seenAt, isLive, ...process }: LiveProcess): OperatorProcess => ({
  ...process,
  is_live: isLive,
  start_date: startedAt.toISOString(),
  last_sign_date: seenAt.toISOString(),
});

type Health = Awaited<ReturnType<typeof findAllHealth>>[number];

const egressAnswer = ({
  egress,
  is_port_closed,
  is_listed,
  checked_at,
  findings,
}: Health): OperatorEgress => ({
  egress,
  is_port_closed,
  is_listed,
  checked_date: checked_at.toISOString(),
  findings: findings
    .slice(0, OPERATOR_ROWS_MAX)
    .map(({ check, status, detail, fix }) => ({ check, status, detail, fix: fix ?? null })),
});

export async function readDisk(files: Config['files']): Promise<OperatorOverview['disk']> {
  if (files.kind !== 'folder') return null;
  const { blocks, bavail, bsize } = await statfs(files.folder);
  return { total_bytes: blocks * bsize, free_bytes: bavail * bsize };
}

async function readLastBackup(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ ended_at: Date }>`
    select ended_at from backups where outcome = 'complete' order by id desc limit 1`.execute(db);
  return rows[0]?.ended_at ?? null;
}

async function readDatabaseBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select pg_database_size(current_database()) as bytes`.execute(db);
  return rows[0]?.bytes ?? 0;
}
