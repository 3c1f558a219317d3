// Loaded into the product's processes and their threads by --import: their wall clock differs from the machine's by the
// milliseconds in a file, which the harness changes while they run. Timers and the database keep their own time, as on a
// machine whose clock is set.
import { readFileSync } from 'node:fs';

const file = process.env.FAULTS_CLOCK_FILE ?? '';
const readEveryMs = 50;
const MachineDate = Date;
let offsetMs = 0;
let readAt = Number.NEGATIVE_INFINITY;

function now(): number {
  if (performance.now() - readAt > readEveryMs) {
    readAt = performance.now();
    offsetMs = Number(readFileSync(file, 'utf8'));
  }
  return MachineDate.now() + offsetMs;
}

globalThis.Date = new Proxy(MachineDate, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget),
  apply: () => new MachineDate(now()).toString(),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
});
