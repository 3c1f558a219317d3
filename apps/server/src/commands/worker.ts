import { readConfig } from '../platform/config/index.ts';
import { runWorker } from '../processes/worker.ts';

/** `assay worker`: runs jobs until it is stopped. */
export async function run(_argv: string[], { env }: { env: NodeJS.ProcessEnv }): Promise<number> {
  await runWorker(readConfig(env));
  return 0;
}
