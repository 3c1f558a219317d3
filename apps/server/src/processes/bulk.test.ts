import { expect, it } from 'vitest';
import type { Config } from '../platform/config/index.ts';
import { createLogger } from '../platform/logging/index.ts';
import { startBulkThread } from './bulk.ts';

/** A thread that works, and does this when it is asked to stop. */
async function startThread(whenAsked: string, stopPatienceMs: number) {
  const said: string[] = [];
  const destination = { write: (line: string) => said.push(line) };
  const logger = createLogger({ level: 'info', process: 'worker', destination });
  const code = `
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', () => { ${whenAsked} });
    parentPort.postMessage({ kind: 'working' });`;
  const program = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  const thread = await startBulkThread({} as Config, { logger, program, stopPatienceMs });
  return { thread, said };
}

it('ends with the thread for long lists when that closes in time', async () => {
  const { thread, said } = await startThread('parentPort.close();', 60_000);

  await thread.stop();

  expect(said).toEqual([]);
});

it.each([
  ['waits', ''],
  ['is busy', 'for (;;);'],
])('goes on without a thread for long lists that still %s when its time is over', async (_, whenAsked) => {
  const { thread, said } = await startThread(whenAsked, 20);

  await thread.stop();

  expect(said.join('')).toContain('did not close in time; others take over its jobs');
});
