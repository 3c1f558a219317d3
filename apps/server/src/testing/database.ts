import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../platform/database/database.ts';
import { migratedTemplate } from './postgres.global-setup.ts';

/** For `pg_locks`, which shows the locks of all databases: tests that run at the same time share a server. */
export const isLockHere = 'database = (select oid from pg_database where datname = current_database())';

export interface TestDatabase extends Database {
  readonly url: string;
}

/** A new migrated database; `close` drops it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { url, drop } = await createBareDatabase({ template: migratedTemplate });
  const database = openDatabase({
    url,
    poolSize: 10,
    applicationName: 'assay test',
    plansOnce: true,
    onIdleError: () => undefined,
  });
  // A test may queue a thousand statements, which a busy machine does not finish in the product's ten seconds.
  database.pool.options.connectionTimeoutMillis = 60_000;
  return {
    ...database,
    url,
    close: async () => {
      await database.close();
      await drop();
    },
  };
}

/** A database without tables, or a copy of another. */
export async function createBareDatabase(options: { template?: string } = {}) {
  const adminUrl = inject('postgresAdminUrl');
  const url = new URL(inject('postgresUrl'));
  const name = `test_${randomBytes(8).toString('hex')}`;
  // Copying files takes less of the processor than writing every page to the log.
  const copy = options.template ? ` template ${options.template} strategy file_copy` : '';
  await runAsAdmin(adminUrl, `create database ${name} owner ${url.username}${copy}`);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => runAsAdmin(adminUrl, `drop database ${name} with (force)`) };
}

async function runAsAdmin(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
