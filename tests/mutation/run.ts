// npm run mutate [-- AREA [FILE …]]: changes the code of an area in many small ways, one at a time, and counts the
// changes that its tests notice. FILE narrows the area to single files while you write tests.
import { Stryker } from '@stryker-mutator/core';
import { areas } from './areas.ts';

/** Percent of the changes that the tests must notice. */
const scoreMin = 85;

const [name, ...files] = process.argv.slice(2);
const names = name === undefined ? Object.keys(areas) : [name];
for (const name of names) {
  const area = areas[name];
  if (area === undefined) {
    console.error(`There is no area '${name}': ${Object.keys(areas).join(', ')}.`);
    process.exit(2);
  }
  process.env.MUTATION_AREA = name;
  const stryker = new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner', import.meta.resolve('./data.ts')],
    ignorers: ['data'],
    vitest: { configFile: 'tests/mutation/vitest.config.ts', related: false },
    mutate: files.length > 0 ? files : [...area.mutate],
    // Stryker would rewrite it with an API that TypeScript 7 no longer has; Node and Vitest do not read it.
    tsconfigFile: 'none',
    ignorePatterns: ['/apps/web', '/tests/**', '!/tests/mutation/**', '/.assay', '/coverage'],
    coverageAnalysis: 'perTest',
    // Every runner starts a PostgreSQL server of its own.
    concurrency: area.globalSetup ? 1 : 2,
    // For what never ends, beside the time that the tests took without a change. See vitest.config.ts too.
    timeoutMS: 20_000,
    // On a busy machine the first run of an area with a database takes longer than the usual five minutes.
    dryRunTimeoutMinutes: 30,
    // Only mutants whose code or tests changed run again, so that files can be run one after the other.
    incremental: true,
    incrementalFile: `coverage/mutation/${name}.json`,
    reporters: ['clear-text', 'progress-append-only', 'html'],
    clearTextReporter: { allowColor: false, reportTests: false, allowEmojis: false },
    htmlReporter: { fileName: `coverage/mutation/${name}.html` },
    tempDirName: 'coverage/mutation-sandbox',
    thresholds: { high: 95, low: scoreMin, break: scoreMin },
  });
  await stryker.runMutationTest();
}
