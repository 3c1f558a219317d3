// A customer who calls users/me all the time and notes how long it takes. Told to report, it answers what it noted since.
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { API_BASE } from '@assay/contract';
import { sendHttp, type Target } from './send.ts';

const everyMs = 20;
const { target, headers } = workerData as { target: Target; headers: Record<string, string> };
let durations: number[] = [];

parentPort?.on('message', () => {
  parentPort?.postMessage(durations);
  durations = [];
});

for (;;) {
  const startedAt = performance.now();
  const answer = await sendHttp(target, { method: 'GET', path: `${API_BASE}/users/me`, headers });
  // A quick refusal is no service.
  if (answer?.status !== 200) throw new Error(`users/me of the neighbour answered ${answer?.status}`);
  durations.push(performance.now() - startedAt);
  await pause(everyMs);
}
