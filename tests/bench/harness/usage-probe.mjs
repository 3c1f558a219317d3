// Loaded into every measured process with --import: leaves its use of the machine in a file when it ends.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.env.BENCH_USAGE_FOLDER;
if (folder) {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const usage = { cpuMs: (userCPUTime + systemCPUTime) / 1000, peakMemoryKiB: maxRSS };
    writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(usage));
  });
}
