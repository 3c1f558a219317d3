import { defineConfig } from 'vitest/config';
import { areas } from './areas.ts';

const area = areas[process.env.MUTATION_AREA ?? ''];

// A change that makes a test wait in vain costs this time, and most changes to waiting code do. A test without a change
// takes less than a tenth of it on an idle machine.
const patienceMs = area?.globalSetup ? 30_000 : 10_000;

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
