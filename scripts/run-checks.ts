// Every check of the project, one after the other; the last line sums them all and the exit code says the same.
// `npm test -- types lint` runs only the named ones.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Ended, type Outcome, vitestOutcome } from './lib/outcome.ts';

interface Check {
  readonly name: string;
  readonly run: () => Promise<Outcome>;
}

const checks: Check[] = [
  { name: 'types', run: () => tool('tsc', ['-p', '.']) },
  { name: 'types-web', run: () => tool('tsc', ['-p', 'apps/web']) },
  { name: 'lint', run: () => tool('biome', ['ci', '--error-on-warnings', '.']) },
  {
    name: 'arrows',
    run: () => tool('depcruise', ['-c', '.dependency-cruiser.mjs', 'apps', 'packages', 'tests', 'scripts']),
  },
  { name: 'unused', run: () => tool('knip', []) },
  { name: 'patterns', run: () => tool(process.execPath, ['scripts/check-patterns.ts']) },
  { name: 'tests', run: () => vitest('vitest.config.ts') },
  { name: 'faults', run: () => countedRun('tests/faults/run.ts', ['--rounds', '3']) },
  { name: 'attack', run: () => countedRun('tests/attack/run.ts', ['--requests', '1000', '--no-timing']) },
  { name: 'browser', run: () => vitest('tests/e2e/vitest.config.ts') },
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !checks.some((check) => check.name === name));
if (unknown.length > 0) {
  console.error(
    `There is no check '${unknown.join("', '")}'; there are ${checks.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}

const total = { passed: 0, failed: 0, failures: [] as string[] };
for (const { name, run } of checks) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n── ${name}`);
  const startedAt = performance.now();
  const { passed, failed, failures } = await run();
  console.log(
    `── ${name}: ${passed} passed, ${failed} failed in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
  );
  total.passed += passed;
  total.failed += failed;
  total.failures.push(...failures.map((failure) => `${name}: ${failure}`));
}

// Once more at the end, where it is found without scrolling through everything that passed.
if (total.failures.length > 0) console.log(`\nWhat failed:\n\n${total.failures.join('\n\n')}`);

console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;

/** A tool that judges the whole tree counts as one check. */
async function tool(command: string, args: string[]): Promise<Outcome> {
  const { code, lastLines } = await runProgram(command, args);
  if (code === 0) return { passed: 1, failed: 0, failures: [] };
  return { passed: 0, failed: 1, failures: [`${command} ended with ${code}\n${lastLines.join('\n')}`] };
}

/** A program that counts its checks itself; the last line that it prints says how many there were. */
async function countedRun(program: string, args: string[]): Promise<Outcome> {
  const { lastLines } = await runProgram(process.execPath, [program, ...args]);
  const [, passed = '0', failed = '1'] = /^(\d+) passed, (\d+) failed$/.exec(lastLines.at(-1) ?? '') ?? [];
  const failures = failed === '0' ? [] : [lastLines.join('\n')];
  return { passed: Number(passed), failed: Number(failed), failures };
}

async function vitest(config: string): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-results-'));
  const outputFile = join(folder, 'results.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${outputFile}`];
  try {
    const ended = await runProgram('vitest', ['run', '--config', config, ...reporters]);
    return vitestOutcome(JSON.parse(await readFile(outputFile, 'utf8').catch(() => '{}')), ended);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What it prints is passed on, and the end of it remembered. */
function runProgram(command: string, args: string[]): Promise<Ended> {
  const lastLines: string[] = [];
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: process.stdout.isTTY ? { ...process.env, FORCE_COLOR: '1' } : process.env,
    });
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        console.log(line);
        lastLines.push(line);
        if (lastLines.length > 80) lastLines.shift();
      });
    }
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, lastLines }));
  });
}
