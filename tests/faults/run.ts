// npm run faults [-- --rounds N --seed S --minutes M --pooler --only lists|restarts --tree FOLDER]: verifies lists while the product's processes,
// its database, network, disk and clock fail at seeded moments, and does work of every kind while its processes restart, in turn.
// Round i has the seed S + i, so that each round can be repeated alone.
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeDataFolder } from '../../apps/server/src/testing/data-folder.ts';
import { startTestIssuer } from '../../apps/server/src/testing/issuer.ts';
import { hasPooler } from '../support/pooler.ts';
import type { AssayCommand } from '../support/product-process.ts';
import { onShutdown } from '../support/shutdown.ts';
import { Disk } from './disk.ts';
import { runListRound } from './list-round.ts';
import { DatabaseServer } from './product.ts';
import { runRestartRound } from './restarts/restart-round.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    // Ten times what a round takes on an idle machine.
    minutes: { type: 'string', default: '4' },
    // The product reaches PostgreSQL through PgBouncer in transaction mode.
    pooler: { type: 'boolean', default: false },
    // Rounds of one kind: those with odd seeds, or those with even ones.
    only: { type: 'string' },
    // What `npm run release -- --tree FOLDER` wrote runs instead of the checkout: it loads in less than half of the time.
    tree: { type: 'string' },
  },
});
const roundCount = wholeNumber('--rounds', values.rounds);
const firstSeed = wholeNumber('--seed', values.seed);
const roundMsMax = wholeNumber('--minutes', values.minutes) * 60_000;
const roundKinds = { restarts: runRestartRound, lists: runListRound } as const;
const kindOf = (seed: number) => (seed % 2 === 0 ? 'restarts' : 'lists');
if (values.only !== undefined && !(values.only in roundKinds)) {
  console.error('--only takes lists or restarts.');
  process.exit(2);
}

if (values.pooler && !hasPooler()) {
  console.log('not run: install the package pgbouncer');
  process.exit(1);
}
const command: AssayCommand | undefined =
  values.tree === undefined
    ? undefined
    : [process.execPath, resolve(values.tree, 'apps/server/bin/assay.mjs')];
const folder = await makeDataFolder('assay-faults-');
const disk = await Disk.mount(folder);
const server = await DatabaseServer.start(join(folder, 'postgres'), { hasPooler: values.pooler, disk });
const issuer = await startTestIssuer();
const leave = async () => {
  await server.stop();
  await disk?.unmount();
  await rm(folder, { recursive: true, force: true });
};
// Otherwise a harness that is stopped early would leave its database running.
onShutdown(leave);
let playedCount = 0;
let failedCount = 0;
try {
  for (let seed = firstSeed; playedCount < roundCount; seed++) {
    const kind = kindOf(seed);
    if (values.only !== undefined && values.only !== kind) continue;

    playedCount += 1;
    const startedAt = performance.now();
    const around = { server, issuer, folder, roundMsMax, command };
    const { events, faults, troubles } = await roundKinds[kind](seed, around);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    console.log(
      `${faults.length === 0 ? 'passed' : 'FAILED'}  seed ${seed}, ${kind}, ${seconds} s: ${events.join('; ')}`,
    );
    if (faults.length === 0) continue;

    failedCount += 1;
    for (const fault of faults) console.log(`        ${fault}`);
    for (const trouble of troubles.slice(-40)) console.log(`        | ${trouble.slice(0, 500)}`);
    console.log(`        To repeat this round: npm run faults -- --rounds 1 --seed ${seed}`);
  }
} finally {
  await issuer.close();
  await leave();
}
console.log(`${roundCount - failedCount} passed, ${failedCount} failed`);
process.exitCode = failedCount === 0 ? 0 : 1;

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 1) return value;
  console.error(`${name} takes a whole number from 1.`);
  process.exit(2);
}
