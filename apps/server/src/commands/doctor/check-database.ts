import { sql } from 'kysely';
import type { Config } from '../../platform/config/index.ts';
import { DatabaseRefused } from '../../platform/database/client.ts';
import type { Db } from '../../platform/database/database.ts';
import { withDirectConnection } from '../../platform/database/direct-connection.ts';
import { migrationNames, schemaFunctions } from '../../platform/database/migrate.ts';
import { type AppliedFunction, findChanges } from '../../platform/database/schema-functions.ts';
import { type CommandIo, withDatabase } from '../command.ts';
import { type Finding, isProblem } from '../finding.ts';

const oldestVersion = 15;
/** Sessions, webhook signatures and payments compare times of several machines. */
const clockDifferenceMsMax = 2_000;

/** Version and rights, direct connection, clock and migrations of the database. */
export async function checkDatabase(io: CommandIo, config: Config['database']): Promise<Finding[]> {
  try {
    return await withDatabase(io, async (db) => {
      const server = await checkServer(db);
      // A role without rights may not even look at the migrations.
      if (isProblem(server)) return [server];
      return [
        server,
        await checkDirect(db, config),
        ...(await checkReplica(db, config)),
        await checkClock(db),
        await checkMigrations(db),
      ];
    });
  } catch (error) {
    return [
      failedConnection('database', error, {
        what: 'The database',
        fix: 'Start it, or correct DATABASE_URL.',
      }),
    ];
  }
}

function failedConnection(
  check: string,
  error: unknown,
  { what, fix }: { what: string; fix: string },
): Finding {
  if (error instanceof DatabaseRefused)
    return { check, status: 'problem', detail: `${what} cannot be used: ${error.reason}`, fix: error.fix };
  const { message, code } = error as NodeJS.ErrnoException;
  return { check, status: 'problem', detail: `${what} cannot be used (${message || code}).`, fix };
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

/** LISTEN, session locks, migrations and backups need sessions of their own, which a pooler does not give. */
async function checkDirect(db: Db, { url, directUrl }: Config['database']): Promise<Finding> {
  const check = 'direct';
  const setting = directUrl === url ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL';
  try {
    const { session: direct, isPooled } = await askDirectly(directUrl);
    if (isPooled) {
      return {
        check,
        status: 'problem',
        detail: `${setting} leads to a pooler, which loses LISTEN and session locks.`,
        fix: 'Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.',
      };
    }
    const { rows } = await sql.raw<Session>(askSession).execute(db);
    if (rows[0]?.name !== direct?.name || rows[0]?.started !== direct?.started) {
      return {
        check,
        status: 'problem',
        detail: 'DATABASE_DIRECT_URL leads to another database than DATABASE_URL.',
        fix: 'Make both lead to the same database of the same server, the primary.',
      };
    }
    return { check, status: 'ok', detail: `${setting} leads to PostgreSQL without a pooler.` };
  } catch (error) {
    const fix = `Correct ${setting}, or let this machine reach it.`;
    return failedConnection(check, error, { what: setting, fix });
  }
}

interface Session {
  readonly pid: number;
  readonly name: string;
  readonly started: string;
}

/** Two sessions with the same name and start belong to one database of one running server. */
const askSession = `select pg_backend_pid() as pid, current_database() as name, pg_postmaster_start_time()::text as started`;

async function askDirectly(
  databaseUrl: string,
): Promise<{ session: Session | undefined; isPooled: boolean }> {
  return withDirectConnection({ databaseUrl, applicationName: 'assay doctor' }, async (client) => {
    const { rows } = await client.query<Session>(askSession);
    // A pooler invents the process id that it tells a new client, because it has not chosen a session yet.
    const { processID } = client as unknown as { processID: number };
    return { session: rows[0], isPooled: rows[0]?.pid !== processID };
  });
}

/** Exports and charts would silently come from the primary if the replica is not what it should be. */
async function checkReplica(db: Db, { replicaUrl }: Config['database']): Promise<Finding[]> {
  const check = 'replica';
  if (replicaUrl === null) return [];
  const problem = (detail: string, fix: string): Finding[] => [{ check, status: 'problem', detail, fix }];
  try {
    const options = { databaseUrl: replicaUrl, applicationName: 'assay doctor' };
    const {
      rows: [replica],
    } = await withDirectConnection(options, (client) => client.query<Replica>(askReplica));
    const {
      rows: [primary],
    } = await sql.raw<Replica>(askReplica).execute(db);
    if (replica?.cluster !== primary?.cluster || replica?.name !== primary?.name)
      return problem(
        'DATABASE_REPLICA_URL leads to another database than DATABASE_URL.',
        'Make it lead to a streaming replica of the primary.',
      );
    if (!replica?.is_replica)
      return problem(
        'DATABASE_REPLICA_URL leads to a primary, which answers no exports and charts.',
        'Make it lead to a streaming replica, or remove it.',
      );
    return [{ check, status: 'ok', detail: 'DATABASE_REPLICA_URL leads to a replica of the primary.' }];
  } catch (error) {
    const fix =
      'Start the replica, or correct DATABASE_REPLICA_URL. Until then the primary answers exports and charts.';
    return [failedConnection(check, error, { what: 'DATABASE_REPLICA_URL', fix })];
  }
}

interface Replica {
  readonly name: string;
  readonly cluster: string;
  readonly is_replica: boolean;
}

/** A primary and its replicas share the identifier of their cluster. */
const askReplica = `select current_database() as name, system_identifier::text as cluster, pg_is_in_recovery() as is_replica
  from pg_control_system()`;

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
  const names = (await readIfThere<{ name: string }>(db, 'schema_migrations')).map(({ name }) => name);
  const known = await migrationNames();
  const { isNewer, changed, gone } = findChanges(
    await schemaFunctions(),
    await readIfThere<AppliedFunction>(db, 'schema_functions'),
  );
  const newerCount = names.filter((name) => !known.includes(name)).length;
  if (newerCount > 0 || isNewer) {
    const what = newerCount > 0 ? `${newerCount} migrations that are unknown here` : 'newer functions';
    return {
      check: 'migrations',
      status: 'problem',
      detail: `The database is newer than this code: it has ${what}.`,
      fix: 'Run the version of Assay that made them, or restore a backup from before the upgrade.',
    };
  }
  const missingCount = known.filter((name) => !names.includes(name)).length;
  const staleCount = changed.length + gone.length;
  return missingCount + staleCount === 0
    ? { check: 'migrations', status: 'ok', detail: 'The database has the version of this code.' }
    : {
        check: 'migrations',
        status: 'problem',
        detail:
          missingCount > 0
            ? `${missingCount} of this code's migrations are not applied.`
            : `${staleCount} functions or triggers are not those of this code.`,
        fix: 'Run `assay migrate`; `assay api` and `assay worker` do it when they start.',
      };
}

async function readIfThere<Row>(db: Db, table: 'schema_migrations' | 'schema_functions'): Promise<Row[]> {
  const { rows } = await sql`select where to_regclass(${table}) is not null`.execute(db);
  return rows.length > 0 ? (await sql<Row>`select * from ${sql.table(table)}`.execute(db)).rows : [];
}
