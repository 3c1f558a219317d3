import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { withDirectConnection } from './direct-connection.ts';
import { type LockPatience, takeStep } from './patient-step.ts';
import { applyFunctions, readFunctions, type SchemaFunctions } from './schema-functions.ts';

// One baseline is to replace the files: see docs/decisions/schema-baseline.md.
const migrationsFolder = fileURLToPath(new URL('../../../migrations', import.meta.url));

/** Any number that nothing else in this database locks by. */
export const migrationLock = 7_221_190_315;

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly sha256: string;
}

// PostgreSQL interrupts an autovacuum that is in the way after one second.
const usualPatience: LockPatience = { waitMs: 2_000, pauseMs: 1_000, triesMax: 600 };

/**
 * Brings the database to this code's version: plain SQL files, in order of their names, forward only, each in a
 * transaction, and then the functions and triggers that the folder `functions` declares. Processes that start together wait for the
 * one that migrates. Answers the names it applied.
 */
export async function migrate(
  databaseUrl: string,
  folder: string = migrationsFolder,
  patience: LockPatience = usualPatience,
): Promise<string[]> {
  return withDirectConnection({ databaseUrl, applicationName: 'assay migrate' }, async (client) => {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await client.query(`create table if not exists schema_migrations (
      name text primary key, sha256 text not null, applied_at timestamptz not null default now())`);
    return [
      ...(await applyMissing(client, await readMigrations(folder), patience)),
      ...(await applyFunctions(client, await readFunctions(folder), patience)),
    ];
  });
}

async function applyMissing(
  client: pg.Client,
  migrations: Migration[],
  patience: LockPatience,
): Promise<string[]> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migrations',
  );
  const applied = new Map(rows.map((row) => [row.name, row.sha256]));
  const missing: string[] = [];

  for (const migration of migrations) {
    const appliedHash = applied.get(migration.name);
    if (appliedHash === migration.sha256) continue;
    if (appliedHash) {
      throw new Error(
        `${migration.name} was changed after it was applied here; write a new migration instead.`,
      );
    }
    await apply(client, migration, patience);
    missing.push(migration.name);
  }
  return missing;
}

async function apply(
  client: pg.Client,
  { name, sql, sha256 }: Migration,
  patience: LockPatience,
): Promise<void> {
  const run = async () => {
    await client.query(sql);
    await client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [name, sha256]);
  };
  await takeStep(client, { name, run }, patience);
}

/** What this code expects to be applied. */
export const migrationNames = async (): Promise<string[]> =>
  (await readMigrations(migrationsFolder)).map(({ name }) => name);

export const schemaFunctions = (): Promise<SchemaFunctions> => readFunctions(migrationsFolder);

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8');
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}
