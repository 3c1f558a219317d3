import { parseArgs } from 'node:util';
import { readConfig } from '../platform/config/index.ts';

/** `assay worker`: runs jobs until it is stopped. Workers add `--suspects-of` for the process that they start themselves. */
export async function run(argv: string[], { env }: { env: NodeJS.ProcessEnv }): Promise<number> {
  const { values } = parseArgs({ args: argv, options: { 'suspects-of': { type: 'string' } } });
  const workerNumber = values['suspects-of'];
  const config = readConfig(env);
  // Loaded late, so that a wrong setting ends the process at once.
  if (workerNumber === undefined) {
    const { runWorker } = await import('../processes/worker.ts');
    return runWorker(config);
  }
  const { runSuspectsOf } = await import('../processes/suspects.ts');
  return runSuspectsOf(Number(workerNumber), config);
}
