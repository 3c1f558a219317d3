// npm run faults [-- --rounds N --seed S --minutes M --pooler]: verifies lists while the product's processes, its database,
// network, disk and clock fail at seeded moments. Round i has the seed S + i, so that each round can be repeated alone.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeDataFolder } from '../../apps/server/src/testing/data-folder.ts';
import { startTestIssuer } from '../../apps/server/src/testing/issuer.ts';
import { hasPooler } from '../support/pooler.ts';
import { onShutdown } from '../support/shutdown.ts';
import { Disk } from './disk.ts';
import { DatabaseServer } from './product.ts';
import { runRound } from './round.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    // Ten times what a round takes on an idle machine.
    minutes: { type: 'string', default: '4' },
    // The product reaches PostgreSQL through PgBouncer in transaction mode.
    pooler: { type: 'boolean', default: false },
  },
});
const roundCount = wholeNumber('--rounds', values.rounds);
const firstSeed = wholeNumber('--seed', values.seed);
const roundMsMax = wholeNumber('--minutes', values.minutes) * 60_000;

if (values.pooler && !hasPooler()) {
  console.log('not run: install the package pgbouncer');
  process.exit(1);
}
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
let failedCount = 0;
try {
  for (let seed = firstSeed; seed < firstSeed + roundCount; seed++) {
    const startedAt = performance.now();
    const { events, faults, troubles } = await runRound(seed, { server, issuer, folder, roundMsMax });
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    console.log(
      `${faults.length === 0 ? 'passed' : 'FAILED'}  seed ${seed}, ${seconds} s: ${events.join('; ')}`,
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
