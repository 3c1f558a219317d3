import { access } from 'node:fs/promises';
import { startPostgres } from '@assay/postgres';
import { preparePrivateFolder } from './data-folder.ts';
import { claimDataFolder, findRun, releaseDataFolder } from './run-file.ts';
import { databaseIn, ensureSecret, readLocalSettings } from './settings.ts';

/**
 * Runs a command with the environment of the product on this data folder: that of the running product or, when none
 * runs, of an embedded database that lives as long as the command. With DATABASE_URL set, the environment stays as it is.
 * Refuses a folder without data, unless the command creates them.
 */
export async function withProductEnvironment<Result>(
  env: NodeJS.ProcessEnv,
  { createsData }: { readonly createsData: boolean },
  work: (env: NodeJS.ProcessEnv) => Promise<Result>,
): Promise<Result> {
  if (env.DATABASE_URL) return work(env);

  const { dataFolder } = readLocalSettings(env);
  const running = await findRun(dataFolder);
  if (running) return work({ ...running.environment, ...env });
  if (!createsData && !(await hasDatabase(dataFolder))) throw new Error(noDataText(dataFolder));
  return withOwnDatabase(dataFolder, async (DATABASE_URL) => {
    const ASSAY_SECRET = env.ASSAY_SECRET ?? (await ensureSecret(dataFolder));
    return work({ ...env, ASSAY_SECRET, DATABASE_URL });
  });
}

const hasDatabase = (dataFolder: string): Promise<boolean> =>
  access(databaseIn(dataFolder)).then(
    () => true,
    () => false,
  );

const noDataText = (dataFolder: string): string =>
  `There is no data in ${dataFolder}. Start the product once with \`npm start\`, or say where the data is: ASSAY_DATA=folder, or DATABASE_URL.`;

/** The same for a command that brings the secret itself. Refuses while the product runs. */
export async function withStoppedEnvironment<Result>(
  env: NodeJS.ProcessEnv,
  work: (env: NodeJS.ProcessEnv) => Promise<Result>,
): Promise<Result> {
  if (env.DATABASE_URL) return work(env);
  const { dataFolder } = readLocalSettings(env);
  return withOwnDatabase(dataFolder, (DATABASE_URL) => work({ ...env, DATABASE_URL }));
}

/** Runs a command that needs no database with the environment of the running product, if one runs. */
export async function withRunningEnvironment<Result>(
  env: NodeJS.ProcessEnv,
  work: (env: NodeJS.ProcessEnv) => Promise<Result>,
): Promise<Result> {
  const running = env.DATABASE_URL ? undefined : await findRun(readLocalSettings(env).dataFolder);
  return work(running ? { ...running.environment, ...env } : env);
}

/** Throws if another process uses the data folder. */
async function withOwnDatabase<Result>(
  dataFolder: string,
  work: (databaseUrl: string) => Promise<Result>,
): Promise<Result> {
  await preparePrivateFolder(dataFolder);
  await claimDataFolder(dataFolder);
  try {
    const postgres = await startPostgres({ dataDir: databaseIn(dataFolder) });
    try {
      return await work(postgres.url);
    } finally {
      await postgres.stop();
    }
  } finally {
    await releaseDataFolder(dataFolder);
  }
}
