import { defineConfig } from 'vitest/config';
import { areas } from './areas.ts';

const area = areas[process.env.MUTATION_AREA ?? ''];

const patienceMs = area?.patienceMs ?? 60_000;

export default defineConfig({
  test: {
    include: [...(area?.tests ?? [])],
    globalSetup: [...(area?.globalSetup ?? [])],
    testTimeout: patienceMs,
    hookTimeout: patienceMs,
    expect: { poll: { timeout: patienceMs / 2 } },
    // One thread for all test files of a mutant. The next mutant gets another, so that no module keeps the last one.
    isolate: false,
  },
});
