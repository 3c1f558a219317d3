import { constants, getPriority, setPriority } from 'node:os';

/**
 * Lets the calling thread work when others have nothing to do. On Linux, priorities are per thread; elsewhere this would change
 * the whole process. Only a privileged process may become less nice than it was started.
 */
export function lowerThreadPriority(by: number): void {
  if (process.platform !== 'linux') return;
  setPriority(0, Math.min(getPriority(0) + by, constants.priority.PRIORITY_LOW));
}
