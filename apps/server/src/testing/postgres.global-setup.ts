import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgres } from '@assay/postgres';
import type { TestProject } from 'vitest/node';
import { migrate } from '../platform/database/migrate.ts';
import { createLogger } from '../platform/logging/index.ts';
import { openQueue } from '../platform/queue/index.ts';
import { makeDataFolder } from './data-folder.ts';

/** The queue creates its tables at its first start; doing it once here saves time in every test file. */
async function installQueue(databaseUrl: string): Promise<void> {
  const logger = createLogger({ level: 'silent', process: 'test' });
  const queue = await openQueue({ databaseUrl, applicationName: 'assay test template', logger });
  await queue.close();
}

export const migratedTemplate = 'migrated';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the server for the product's role; test files create their databases on it. */
    postgresUrl: string;
    /** The same for the superuser, who creates and drops them. */
    postgresAdminUrl: string;
  }
}

/** One PostgreSQL server for a whole run, with a migrated database that test files copy in milliseconds. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await makeDataFolder('assay-tests-');
  const server = await startPostgres({
    dataDir: join(dataDir, 'postgres'),
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
    ...(process.env.ASSAY_TEST_POSTGRES && { server: JSON.parse(process.env.ASSAY_TEST_POSTGRES) }),
  });
  const templateUrl = await server.createDatabase(migratedTemplate);
  await migrate(templateUrl);
  await installQueue(templateUrl);
  project.provide('postgresUrl', server.urlOf('postgres'));
  project.provide('postgresAdminUrl', server.adminUrl);

  return async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
