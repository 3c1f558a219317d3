// npm run bench [-- SUITE [option …]]: runs one suite of suites/, or all of them. Figures are ratios between programs
// measured in one run on one machine; absolute numbers from different machines say nothing.
import { readdirSync } from 'node:fs';
import type { Demand } from './harness/report.ts';
import { renderDemands } from './harness/report.ts';

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
  const demands = await suite.run(options);
  console.log(`\n${renderDemands(demands)}`);
  hasMissed ||= demands.some(({ isMet }) => !isMet);
}
process.exitCode = hasMissed ? 1 : 0;
