import { readConfig } from '../platform/config/index.ts';

/** `assay worker`: runs jobs until it is stopped. */
export async function run(_argv: string[], { env }: { env: NodeJS.ProcessEnv }): Promise<number> {
  const config = readConfig(env);
  // Loaded late, so that a wrong setting ends the process at once.
  const { runWorker } = await import('../processes/worker.ts');
  await runWorker(config);
  return 0;
}
