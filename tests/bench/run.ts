// npm run bench [-- SUITE [option …]]: runs one suite of suites/, or all of them. Figures are ratios between programs
// measured in one run on one machine; absolute numbers from different machines say nothing.
import { readdirSync } from 'node:fs';
import { loadavg } from 'node:os';
import { print, takePrinted } from './harness/print.ts';
import { type Demand, renderDemands } from './harness/report.ts';
import { writeMeasurement } from './harness/write-measurement.ts';

/** The exports of a file in suites/. */
export interface Suite {
  /** Prints its figures and returns its demands. */
  run(options: string[]): Promise<Demand[]>;
}

const known = readdirSync(new URL('./suites/', import.meta.url))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -'.ts'.length));

const [asked, ...options] = process.argv.slice(2);
if (asked !== undefined && !known.includes(asked)) {
  console.error(`There is no suite '${asked}': ${known.join(', ')}.`);
  process.exit(2);
}

let hasMissed = false;
for (const name of asked === undefined ? known : [asked]) {
  const suite: Suite = await import(`./suites/${name}.ts`);
  const startedAt = new Date();
  const [load = 0] = loadavg();
  const demands = await suite.run(options);
  print(`\n${renderDemands(demands)}`);
  const figures = takePrinted();
  // Figures of a small run say little.
  if (!options.includes('--small')) {
    const page = await writeMeasurement({ command: [name, ...options], figures, startedAt, load });
    console.log(`\nwritten to ${page}`);
  }
  hasMissed ||= demands.some(({ isMet }) => !isMet);
}
process.exitCode = hasMissed ? 1 : 0;
