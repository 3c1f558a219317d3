import { readConfig } from '../platform/config/index.ts';
import { runApi } from '../processes/api.ts';

/** `assay api`: serves until it is stopped. */
export async function run(_argv: string[], { env }: { env: NodeJS.ProcessEnv }): Promise<number> {
  await runApi(readConfig(env));
  return 0;
}
