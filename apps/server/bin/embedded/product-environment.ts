import { join } from 'node:path';
import { startPostgres } from '@assay/postgres';
import { preparePrivateFolder } from './data-folder.ts';
import { readRunFile } from './run-file.ts';
import { ensureSecret, readLocalSettings } from './settings.ts';

/**
 * Runs a command with the environment of the product on this data folder: the running one's, or, when none runs, the
 * embedded database started for just as long as the command takes. Whoever sets DATABASE_URL is asked nothing.
 */
export async function withProductEnvironment<Result>(
  env: NodeJS.ProcessEnv,
  work: (env: NodeJS.ProcessEnv) => Promise<Result>,
): Promise<Result> {
  if (env.DATABASE_URL) return work(env);

  const settings = readLocalSettings(env);
  const running = await readRunFile(settings.dataFolder);
  if (running) return work({ ...running.environment, ...env });

  await preparePrivateFolder(settings.dataFolder);
  const postgres = await startPostgres({ dataDir: join(settings.dataFolder, 'postgres') });
  try {
    const ASSAY_SECRET = env.ASSAY_SECRET ?? (await ensureSecret(settings.dataFolder));
    return await work({ ...env, ASSAY_SECRET, DATABASE_URL: postgres.url });
  } finally {
    await postgres.stop();
  }
}
