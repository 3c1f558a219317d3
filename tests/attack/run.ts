// npm run attack [-- --requests N --seed S --first I --no-timing]: requests generated from the contract that try to break the API,
// a matrix of who may see what, and races for credits. Request I of seed S is the same in every run.
// npm run attack -- neighbours: what one stranger does to others, see neighbours/run.ts.
import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { makeDataFolder } from '../../apps/server/src/testing/data-folder.ts';
import { onShutdown } from '../support/shutdown.ts';
import { startFuzzing } from './fuzz.ts';
import { checkIsolation, checkRoles } from './isolation.ts';
import { actions } from './neighbours/actions.ts';
import { runNeighbours } from './neighbours/run.ts';
import { tryActions } from './neighbours/try-actions.ts';
import { operations } from './operations.ts';
import { startAttackedProduct } from './product.ts';
import { runRaces } from './races.ts';
import { Watch } from './timing.ts';

const [suite, ...rest] = process.argv.slice(2);
if (suite === 'neighbours') process.exit(await runNeighbours(rest));

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    first: { type: 'string', default: '0' },
    'no-timing': { type: 'boolean', default: false },
  },
});
const [count, seed, first] = (['requests', 'seed', 'first'] as const).map((name) =>
  wholeNumber(name, values[name]),
);

const folder = await makeDataFolder('assay-attack-');
const product = await startAttackedProduct(folder);
const tidyUp = async () => {
  await product.stop();
  await rm(folder, { recursive: true, force: true });
};
onShutdown(tidyUp);

const parts: {
  readonly name: string;
  readonly run: (onFault: (fault: string) => void) => Promise<string>;
}[] = [
  { name: 'isolation', run: isolation },
  { name: 'roles', run: roles },
  { name: 'races', run: races },
  { name: 'neighbours', run: neighbours },
  { name: 'requests', run: requests },
  { name: 'processes', run: processes },
];
const faultsShownMax = 40;
let failedCount = 0;
try {
  for (const { name, run } of parts) {
    const startedAt = performance.now();
    let faultCount = 0;
    const onFault = (fault: string) => {
      faultCount += 1;
      if (faultCount <= faultsShownMax) console.log(`  ${fault}`);
    };
    const told = await run(onFault).catch((error: unknown) => {
      onFault(error instanceof Error ? (error.stack ?? error.message) : String(error));
      return 'did not end';
    });
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    console.log(`${faultCount === 0 ? 'passed' : 'FAILED'}  ${name}, seed ${seed}, ${seconds} s: ${told}`);
    if (faultCount === 0) continue;
    failedCount += 1;
    console.log(
      `        ${faultCount} faults. Again: npm run attack -- --seed ${seed} --requests ${count}; one request: --first I --requests 1 --no-timing`,
    );
  }
} finally {
  await tidyUp();
}
console.log(`${parts.length - failedCount} passed, ${failedCount} failed`);
process.exit(failedCount === 0 ? 0 : 1);

async function isolation(onFault: (fault: string) => void): Promise<string> {
  const { combinations, faults } = await checkIsolation(product, seed ?? 1);
  for (const fault of faults) onFault(fault);
  return `${combinations} combinations of ${operations.length} operations and callers`;
}

async function roles(onFault: (fault: string) => void): Promise<string> {
  const { combinations, faults } = await checkRoles(product, seed ?? 1);
  for (const fault of faults) onFault(fault);
  return `${combinations} combinations of operations and roles`;
}

async function races(onFault: (fault: string) => void): Promise<string> {
  const report = await runRaces(product);
  for (const fault of report.faults) onFault(fault);
  return `${report.races} races`;
}

/** A short version of `npm run attack -- neighbours`, without demands on times. */
async function neighbours(onFault: (fault: string) => void): Promise<string> {
  for (const fault of await tryActions(product)) onFault(fault);
  return `${actions.length} actions call all ${operations.length} operations`;
}

async function requests(onFault: (fault: string) => void): Promise<string> {
  const watch = values['no-timing'] ? null : await Watch.begin(product, onFault);
  const fuzzing = startFuzzing(product, { seed: seed ?? 1, first: first ?? 0, count: count ?? 0, onFault });
  if (!watch) await fuzzing.done;
  const timing = await watch?.during(fuzzing.done, fuzzing.underWay).finally(() => watch.end());
  const statuses = [...fuzzing.byStatus]
    .sort(([left], [right]) => left - right)
    .map(([status, times]) => `${times} × ${status}`);
  const times = timing
    ? `; longest block ${timing.longestBlockMs.toFixed(0)} ms, a neighbour's p95 ${timing.attackedP95Ms.toFixed(1)} ms, ${timing.idleP95Ms.toFixed(1)} ms when idle`
    : '';
  const shapes = `success of ${fuzzing.succeeded.size} of ${operations.length} operations judged`;
  return `${fuzzing.sent} requests (${statuses.join(', ')}), ${shapes}${times}`;
}

/** Neither process may have exited or logged an error of its own. */
async function processes(onFault: (fault: string) => void): Promise<string> {
  for (const { fall, troubles } of product.processes) {
    if (fall !== null) onFault(fall);
    for (const line of troubles.filter((trouble) => trouble.includes('"level":"error"')))
      onFault(line.slice(0, 1_500));
  }
  return 'API and worker';
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  console.error(`--${name} takes a whole number from 0.`);
  process.exit(2);
}
