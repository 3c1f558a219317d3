// A customer who calls users/me all the time and measures it. On a message, it reports the durations since the last report.
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
  // A fast refusal does not count.
  if (answer?.status !== 200) throw new Error(`users/me of the neighbour answered ${answer?.status}`);
  durations.push(performance.now() - startedAt);
  await pause(everyMs);
}
