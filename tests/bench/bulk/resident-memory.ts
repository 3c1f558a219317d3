import { readFile, writeFile } from 'node:fs/promises';

/** Resident memory of another process on Linux, in MB: now, and the peak since it was last reset. */
export async function readMemory(pid: number): Promise<{ nowMB: number; peakMB: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const sizeOf = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1.024e-3;
  return { nowMB: sizeOf('VmRSS'), peakMB: sizeOf('VmHWM') };
}

/** Writing 5 resets the peak (proc(5), clear_refs). */
export const forgetPeak = (pid: number): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, '5');
