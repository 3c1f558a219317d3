// Every check of the project, one after the other; the last line sums them all and the exit code says the same.
// `npm test -- types lint` runs only the named ones.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

interface Outcome {
  readonly passed: number;
  readonly failed: number;
}

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
  { name: 'tests', run: () => vitest('vitest.config.ts') },
  { name: 'faults', run: () => faultRounds(3) },
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

const total = { passed: 0, failed: 0 };
for (const { name, run } of checks) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n── ${name}`);
  const startedAt = performance.now();
  const { passed, failed } = await run();
  console.log(
    `── ${name}: ${passed} passed, ${failed} failed in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
  );
  total.passed += passed;
  total.failed += failed;
}

console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;

/** A tool that judges the whole tree counts as one check. */
async function tool(command: string, args: string[]): Promise<Outcome> {
  const code = await runProgram(command, args);
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** Each round counts as one check; the last line of the run says how many there were. */
async function faultRounds(count: number): Promise<Outcome> {
  let lastLine = '';
  await runProgram(process.execPath, ['tests/faults/run.ts', '--rounds', String(count)], (line) => {
    lastLine = line;
  });
  const [, passed = '0', failed = String(count)] = /^(\d+) passed, (\d+) failed$/.exec(lastLine) ?? [];
  return { passed: Number(passed), failed: Number(failed) };
}

async function vitest(config: string): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-results-'));
  const outputFile = join(folder, 'results.json');
  try {
    const code = await runProgram('vitest', [
      ...[
        'run',
        '--config',
        config,
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${outputFile}`,
      ],
    ]);
    const results = JSON.parse(await readFile(outputFile, 'utf8').catch(() => '{}')) as {
      numPassedTests?: number;
      numFailedTests?: number;
    };
    const passed = results.numPassedTests ?? 0;
    const failed = results.numFailedTests ?? 0;
    // A run can fail without a failing test: a file that does not load, an error between tests, no test at all.
    const hasHiddenFailure = failed === 0 && (code !== 0 || passed === 0);
    return { passed, failed: hasHiddenFailure ? 1 : failed };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What it prints is passed on, line by line to `onLine` too when that is given. */
function runProgram(command: string, args: string[], onLine?: (line: string) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', onLine ? 'pipe' : 'inherit', 'inherit'] });
    if (child.stdout) {
      createInterface({ input: child.stdout }).on('line', (line) => {
        console.log(line);
        onLine?.(line);
      });
    }
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}
