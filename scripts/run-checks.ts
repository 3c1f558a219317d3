// Runs every check of the project; the last line and the exit code give the sum. `npm test -- types lint` runs only
// the named ones. Three checks run beside each other, because each waits a part of its time: for hosts, pages or
// processes. A check prints its output when it ends, so that the output of two checks does not mix.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { countedOutcome, type Ended, type Outcome, vitestOutcome } from './lib/outcome.ts';

interface Check {
  readonly name: string;
  readonly run: (print: Print) => Promise<Outcome>;
}
type Print = (line: string) => void;

/** In the order in which they start. The longest come first, so that no processor is idle at the end. */
const checks: Check[] = [
  { name: 'browser', run: vitest('tests/e2e/vitest.config.ts') },
  { name: 'tests', run: vitest('vitest.config.ts') },
  // With patience, because a round that takes half a minute alone takes four beside the other checks.
  {
    name: 'faults',
    run: countedRun('tests/faults/run.ts', ['--rounds', '2', '--seed', '2', '--minutes', '15']),
  },
  { name: 'attack', run: countedRun('tests/attack/run.ts', ['--requests', '1000', '--no-timing']) },
  { name: 'patterns', run: tool(process.execPath, ['scripts/check-patterns.ts']) },
  { name: 'callbacks', run: tool(process.execPath, ['scripts/check-callbacks.ts']) },
  // One checker: several check the same types again, and take nearly twice the processor time.
  { name: 'types', run: tool('tsc', ['-p', '.', '--checkers', '1']) },
  { name: 'types-web', run: tool('tsc', ['-p', 'apps/web', '--checkers', '1']) },
  { name: 'lint', run: tool('biome', ['ci', '--error-on-warnings', '.']) },
  {
    name: 'arrows',
    run: tool('depcruise', ['-c', '.dependency-cruiser.mjs', 'apps', 'packages', 'tests', 'scripts']),
  },
  { name: 'unused', run: tool('knip', []) },
];
const checksAtATime = 3;

const wanted = process.argv.slice(2);
const names = checks.map(({ name }) => name);
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`There is no check '${unknown.join("', '")}'; there are ${names.join(', ')}.`);
  process.exit(2);
}

const total = { passed: 0, failed: 0, failures: [] as string[] };
const waiting = checks.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
await Promise.all(Array.from({ length: checksAtATime }, runWaiting));

// Once more at the end, where no scrolling is needed.
if (total.failures.length > 0) console.log(`\nWhat failed:\n\n${total.failures.join('\n\n')}`);

console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;

async function runWaiting(): Promise<void> {
  for (let check = waiting.shift(); check; check = waiting.shift()) await runCheck(check);
}

async function runCheck({ name, run }: Check): Promise<void> {
  console.log(`── ${name} …`);
  const lines: string[] = [];
  const isAlone = wanted.length === 1;
  const print: Print = isAlone ? console.log : (line) => lines.push(line);
  const startedAt = performance.now();
  const { passed, failed, failures } = await run(print).catch(didNotRun);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const sum = `── ${name}: ${passed} passed, ${failed} failed in ${seconds} s`;
  console.log(isAlone ? sum : ['', `── ${name}`, ...lines, sum].join('\n'));
  total.passed += passed;
  total.failed += failed;
  total.failures.push(...failures.map((failure) => `${name}: ${failure}`));
}

/** A check that cannot run fails, and the other checks still run. */
function didNotRun(error: Error): Outcome {
  return { passed: 0, failed: 1, failures: [error.message] };
}

/** A tool that checks the whole tree counts as one check. */
function tool(command: string, args: string[]): Check['run'] {
  return async (print) => {
    const { code, lastLines } = await runProgram(command, args, print);
    if (code === 0) return { passed: 1, failed: 0, failures: [] };
    return { passed: 0, failed: 1, failures: [`${command} ended with ${code}\n${lastLines.join('\n')}`] };
  };
}

/** A program that counts its checks itself and prints the sum in its last line. */
function countedRun(program: string, args: string[]): Check['run'] {
  return async (print) => countedOutcome(await runProgram(process.execPath, [program, ...args], print));
}

function vitest(config: string): Check['run'] {
  return async (print) => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-results-'));
    const outputFile = join(folder, 'results.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${outputFile}`];
    try {
      const ended = await runProgram('vitest', ['run', '--config', config, ...reporters], print);
      return vitestOutcome(JSON.parse(await readFile(outputFile, 'utf8').catch(() => '{}')), ended);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

/** Passes on what the program prints, and remembers the end of it. */
function runProgram(command: string, args: string[], print: Print): Promise<Ended> {
  const lastLines: string[] = [];
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: process.stdout.isTTY ? { ...process.env, FORCE_COLOR: '1' } : process.env,
    });
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        print(line);
        lastLines.push(line);
        if (lastLines.length > 80) lastLines.shift();
      });
    }
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, lastLines }));
  });
}
