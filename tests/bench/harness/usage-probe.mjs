// Loaded into every measured process with --import: writes its resource usage to a file when it ends.
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
 * On Linux, maxRSS includes the process before exec, which was a copy of the bench with
 * its memory; VmHWM has the program's own peak.
 */
function ownPeakMemoryKiB() {
  if (process.platform !== 'linux') return undefined;
  const [, peak] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return peak === undefined ? undefined : Number(peak);
}
