// Every check of the project, one after the other; the last line sums them all and the exit code says the same.
// `npm test -- types lint` runs only the named ones.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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

function runProgram(command: string, args: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
