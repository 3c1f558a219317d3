import { readConfig } from '../platform/config/index.ts';

/** `assay api`: serves until it is stopped. */
export async function run(_argv: string[], { env }: { env: NodeJS.ProcessEnv }): Promise<number> {
  const config = readConfig(env);
  // Loaded late, so that a wrong setting ends the process at once.
  const { runApi } = await import('../processes/api.ts');
  return runApi(config);
}
