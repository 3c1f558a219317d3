// Sleeps for a few ms again and again, before all other threads of the machine: when it wakes up late, the machine stood still.
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';

const everyMs = 5;
let longestMs = 0;
let last = performance.now();

if (goesFirst()) {
  setInterval(() => {
    const now = performance.now();
    longestMs = Math.max(longestMs, now - last - everyMs);
    last = now;
  }, everyMs);
}

parentPort?.on('message', () => {
  parentPort?.postMessage(longestMs);
  longestMs = 0;
});

/** Otherwise it would wait for the product and its stranger too. Needs Linux, where a thread has its own priority, and root. */
function goesFirst(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    setPriority(0, constants.priority.PRIORITY_HIGHEST);
    return true;
  } catch {
    return false;
  }
}
