import './live-processes.tables.ts';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Version } from '@assay/contract';
import { sql } from 'kysely';
import type { Db } from './database/database.ts';
import type { Logger } from './logging/index.ts';

export const processKinds = ['api', 'worker', 'identity'] as const;
type ProcessKind = (typeof processKinds)[number];

export interface LiveProcess {
  readonly kind: ProcessKind;
  readonly version: string;
  readonly commit: string;
  readonly host: string;
  readonly startedAt: Date;
  readonly seenAt: Date;
  /** It renewed its row lately. */
  readonly isLive: boolean;
}

interface Announcement {
  readonly db: Db;
  readonly logger: Logger;
  readonly kind: ProcessKind;
  readonly version: Version;
}

const renewEveryMs = 5_000;
/** Three missed renewals. */
const liveSeconds = 20;
/** Operators see a process that died for so long. */
const keptHours = 24;

/** Says that this process runs, until `close`. One that dies is missed within twenty seconds. */
export async function announceProcess({ db, logger, kind, version }: Announcement): Promise<{
  close(): Promise<void>;
}> {
  const id = randomUUID();
  // With all columns, because another process may have removed the row while the database was away.
  const renew = () =>
    sql`
      insert into live_processes (id, kind, version, commit, host, started_at, seen_at)
      values (${id}, ${kind}, ${version.version}, ${version.commit}, ${hostname()}, now(), now())
      on conflict (id) do update set seen_at = excluded.seen_at`.execute(db);
  const forgetOld = () =>
    sql`delete from live_processes where seen_at < now() - make_interval(hours => ${keptHours})`.execute(db);
  // The identity provider may start before another process has made the table.
  const warn = (error: unknown) => logger.warn({ err: error }, 'could not say that this process runs');
  await forgetOld().then(renew).catch(warn);
  let renewing: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    renewing = renew().catch(warn);
  }, renewEveryMs);
  return {
    close: async () => {
      clearInterval(timer);
      await renewing;
      await sql`delete from live_processes where id = ${id}`
        .execute(db)
        .catch((error) => logger.warn({ err: error }, 'could not say that this process ends'));
    },
  };
}

/** By the clock of the database, which all processes share. The newest first. */
export async function findProcesses(db: Db): Promise<LiveProcess[]> {
  const { rows } = await sql<LiveProcess>`
    select kind, version, commit, host, started_at as "startedAt", seen_at as "seenAt",
      seen_at > now() - make_interval(secs => ${liveSeconds}) as "isLive"
    from live_processes order by started_at desc, id`.execute(db);
  return rows;
}
