// Loaded into every measured process with --import: leaves its use of the machine in a file when it ends.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.env.BENCH_USAGE_FOLDER;
if (folder) {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const usage = {
      cpuMs: (userCPUTime + systemCPUTime) / 1000,
      peakMemoryKiB: ownPeakMemoryKiB() ?? maxRSS,
    };
    writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(usage));
  });
}

/**
 * Linux counts into maxRSS what the process was before it became this program, a copy of the bench with all that the
 * bench remembers; its own peak stands elsewhere.
 */
function ownPeakMemoryKiB() {
  if (process.platform !== 'linux') return undefined;
  const [, peak] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return peak === undefined ? undefined : Number(peak);
}
