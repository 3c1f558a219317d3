import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { migrationNames } from '../../platform/database/migrate.ts';
import { type CommandIo, withDatabase } from '../command.ts';
import { type Finding, isProblem } from '../finding.ts';

const oldestVersion = 15;
/** Sessions, webhook signatures and payments compare times of several machines. */
const clockDifferenceMsMax = 2_000;

/** Version and rights, clock and migrations of the database. */
export async function checkDatabase(io: CommandIo): Promise<Finding[]> {
  try {
    return await withDatabase(io, async (db) => {
      const server = await checkServer(db);
      // A role without rights may not even look at the migrations.
      if (isProblem(server)) return [server];
      return [server, await checkClock(db), await checkMigrations(db)];
    });
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return [
      {
        check: 'database',
        status: 'problem',
        detail: `The database cannot be used (${message || code}).`,
        fix: 'Start it, or correct DATABASE_URL.',
      },
    ];
  }
}

async function checkServer(db: Db): Promise<Finding> {
  const { rows } = await sql<{ version: number; name: string; may_create: boolean }>`
    select current_setting('server_version_num')::int / 10000 as version, current_setting('server_version') as name,
      has_database_privilege(current_database(), 'CREATE')
        and coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) as may_create`.execute(db);
  const { version = 0, name = '', may_create = false } = rows[0] ?? {};
  if (version < oldestVersion) {
    return {
      check: 'database',
      status: 'problem',
      detail: `PostgreSQL ${name} is too old.`,
      fix: `Upgrade it to version ${oldestVersion} or later.`,
    };
  }
  if (!may_create) {
    return {
      check: 'database',
      status: 'problem',
      detail: 'The role may not create schemas and tables, which migrations and the job queue need.',
      fix: 'Make it the owner of the database, or grant CREATE on the database and on its schema public.',
    };
  }
  return {
    check: 'database',
    status: 'ok',
    detail: `PostgreSQL ${name} answers, and the role may create tables.`,
  };
}

async function checkClock(db: Db): Promise<Finding> {
  const askedAt = Date.now();
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  const answeredAt = Date.now();
  const there = rows[0]?.now.getTime() ?? Number.NaN;
  // The true time there lies between question and answer.
  const differenceMs = Math.max(0, askedAt - there, there - answeredAt);
  return differenceMs <= clockDifferenceMsMax
    ? { check: 'clock', status: 'ok', detail: 'This machine and the database agree on the time.' }
    : {
        check: 'clock',
        status: 'problem',
        detail: `This machine and the database differ by ${Math.round(differenceMs / 1_000)} seconds.`,
        fix: 'Let both follow a time server (chrony or systemd-timesyncd).',
      };
}

async function checkMigrations(db: Db): Promise<Finding> {
  const { rows: tables } = await sql`select where to_regclass('schema_migrations') is not null`.execute(db);
  const names =
    tables.length > 0 ? await sql<{ name: string }>`select name from schema_migrations`.execute(db) : null;
  const applied = new Set(names?.rows.map(({ name }) => name));
  const missing = (await migrationNames()).filter((name) => !applied.has(name));
  return missing.length === 0
    ? { check: 'migrations', status: 'ok', detail: 'The database has the version of this code.' }
    : {
        check: 'migrations',
        status: 'problem',
        detail: `${missing.length} of this code's migrations are not applied.`,
        fix: 'Run `assay migrate`; `assay api` and `assay worker` do it when they start.',
      };
}
