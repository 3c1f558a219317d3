import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { migrate, migrationLock, migrationNames } from '../../../platform/database/migrate.ts';
import type { FileStore } from '../../../platform/files/file-store.ts';
import { BackupDamaged, type EntryHead, type Manifest, readArchive } from './archive.ts';
import type { BackupPlace } from './backup-place.ts';
import { withCopyConnection } from './copy-connection.ts';
import { compareSecrets, type KeptSecrets, type SecretSources, writeSecrets } from './kept-secrets.ts';
import { inOurSchemas, notOfExtension, type Schema } from './read-schema.ts';
import { unseal } from './seal.ts';
import { backedUpFolder, readJson } from './write-backup.ts';

export interface CheckedBackup {
  readonly manifest: Manifest;
  readonly schema: Schema;
  readonly secrets: KeptSecrets;
}

/** The restore cannot be done as things are. Nothing was changed. */
export class RestoreRefused extends Error {
  override readonly name = 'RestoreRefused';
}

/** Reads the whole backup and compares every checksum, so that nothing is written from one that is damaged. */
export async function checkBackup(place: BackupPlace, identity: string): Promise<CheckedBackup> {
  let schema: Schema | undefined;
  let secrets: KeptSecrets | undefined;
  const manifest = await readArchive(unseal(identity, place.read()), async (head, bytes) => {
    if (head.kind === 'schema') schema = await readJson<Schema>(bytes);
    else if (head.kind === 'secrets') secrets = await readJson<KeptSecrets>(bytes);
    else for await (const _ of bytes);
    return { rowCount: null };
  });
  if (!schema || !secrets) throw new BackupDamaged();
  return { manifest, schema, secrets };
}

export interface RestoreOrder {
  readonly databaseUrl: string;
  readonly files: FileStore;
  readonly sources: SecretSources;
  readonly place: BackupPlace;
  readonly identity: string;
  readonly checked: CheckedBackup;
  /** Deletes what the database contains. */
  readonly replaces: boolean;
}

/**
 * Loads a checked backup in one transaction: a restore that ends early leaves the database as it was. From its commit until
 * `catchUpAfterRestore`, processes refuse to start.
 */
export async function loadBackup(order: RestoreOrder): Promise<void> {
  const { checked, sources } = order;
  const mismatch = compareSecrets(checked.secrets, sources);
  if (mismatch) {
    throw new RestoreRefused(
      `${mismatch} Write the secrets of the backup to a file with --secrets PATH, and set them.`,
    );
  }
  await refuseNewer(checked.manifest);
  await withCopyConnection({ url: order.databaseUrl, applicationName: 'assay restore' }, async (client) => {
    await client.query('begin');
    await client.query(`set local check_function_bodies = off; set local statement_timeout = 0;
      set local idle_in_transaction_session_timeout = 0; set local lock_timeout = '10s'`);
    // Processes that start now wait here until the restore has ended.
    await client.query('select pg_advisory_xact_lock($1)', [migrationLock]);
    await refuseInUse(client);
    await makeEmpty(client, order.replaces);
    await client.query(
      `set local search_path = ''; set local datestyle = 'ISO, YMD'; set local timezone = 'UTC'`,
    );
    for (const line of checked.schema.before) await client.query(line);
    const manifest = await readArchive(unseal(order.identity, order.place.read()), (head, bytes) =>
      load(client, order.files, head, bytes),
    );
    // The file may be another one since it was checked.
    if (!isDeepStrictEqual(manifest, checked.manifest)) throw new BackupDamaged();
    for (const line of checked.schema.after) await client.query(line);
    await client.query(`delete from public.backups where outcome = 'running'`);
    await client.query(`delete from public.unfinished_restores`);
    await client.query(`insert into public.unfinished_restores (started_at) values (now())`);
    await client.query('commit');
    // After the commit: until then, the rows that are there need the old ones.
    await writeSecrets(checked.secrets, sources);
    await client.query('reset search_path');
    await client.query('analyze');
  });
  await migrate(order.databaseUrl);
}

async function load(
  client: pg.Client,
  files: FileStore,
  head: EntryHead,
  bytes: AsyncIterable<Buffer>,
): Promise<{ rowCount: number | null }> {
  if (head.kind === 'table') {
    const copy = client.query(copyFrom(`copy ${head.name} (${(head.columns ?? []).join(', ')}) from stdin`));
    await pipeline(Readable.from(bytes, { objectMode: false }), copy);
    return { rowCount: copy.rowCount };
  }
  if (head.kind === 'file') {
    if (!head.name.startsWith(`${backedUpFolder}/`)) throw new BackupDamaged();
    await files.write(head.name, bytes);
  } else {
    for await (const _ of bytes);
  }
  return { rowCount: null };
}

async function refuseNewer({ origin }: Manifest): Promise<void> {
  const known = new Set(await migrationNames());
  if (origin.migrations.every((name) => known.has(name))) return;
  throw new RestoreRefused(
    `A newer version of Assay made this backup (${origin.version}, commit ${origin.commit}). Restore it with that version.`,
  );
}

/** PostgreSQL needs a moment to notice that a process is gone. */
const leavingMs = 3_000;

/** Refuses a database in which processes of Assay are connected. */
export async function refuseInUse(client: pg.Client): Promise<void> {
  const until = performance.now() + leavingMs;
  let names = await findSessions(client);
  while (names.length > 0 && performance.now() < until) {
    await pause(100);
    names = await findSessions(client);
  }
  if (names.length === 0) return;
  // The names of sessions that a pooler keeps are those of processes that may have ended.
  throw new RestoreRefused(
    `The database is in use (${names.join(', ')}). Stop every process of Assay first, then restart PgBouncer if you use it: it keeps sessions.`,
  );
}

async function findSessions(client: pg.Client): Promise<string[]> {
  // Inside a transaction, PostgreSQL shows the sessions of the first look.
  await client.query('select pg_stat_clear_snapshot()');
  const { rows } = await client.query<{ name: string }>(
    `select distinct application_name as name from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name like 'assay%' order by 1`,
  );
  return rows.map(({ name }) => name);
}

async function makeEmpty(client: pg.Client, replaces: boolean): Promise<void> {
  const { rowCount } = await client.query(
    `select from pg_class c join pg_namespace n on n.oid = relnamespace
     where relkind in ('r', 'p') and ${inOurSchemas} and ${notOfExtension('c.oid', 'pg_class')} limit 1`,
  );
  if (rowCount && !replaces) {
    throw new RestoreRefused(
      'The database is not empty. Give an empty one, or --yes to delete everything that it contains.',
    );
  }
  const { rows } = await client.query<{ line: string }>(
    `select format('drop schema %I cascade', nspname) as line from pg_namespace where ${inOurSchemas} and nspname <> 'public'
     union all
     select format('drop table public.%I cascade', relname) from pg_class
     where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace and ${notOfExtension('pg_class.oid', 'pg_class')}
     union all
     select format('drop routine if exists public.%I(%s) cascade', proname, pg_get_function_identity_arguments(p.oid))
     from pg_proc p where pronamespace = 'public'::regnamespace and ${notOfExtension('p.oid', 'pg_proc')}
     union all
     select format('drop sequence if exists public.%I cascade', relname) from pg_class
     where relkind = 'S' and relnamespace = 'public'::regnamespace and ${notOfExtension('pg_class.oid', 'pg_class')}
     union all
     select format('drop type public.%I cascade', typname) from pg_type
     where typtype = 'e' and typnamespace = 'public'::regnamespace and ${notOfExtension('pg_type.oid', 'pg_type')}`,
  );
  for (const { line } of rows) await client.query(line);
}
