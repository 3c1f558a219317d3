import { readConfig } from '../platform/config/index.ts';
import { runWorker } from '../processes/worker.ts';

/** `assay worker`: works until it is asked to stop. */
export async function run(_argv: string[], { env }: { env: NodeJS.ProcessEnv }): Promise<number> {
  await runWorker(readConfig(env));
  return 0;
}
