import { defineConfig } from 'vitest/config';

const common = {
  // Generous, since a machine may be busy: a time-out ends what hangs, it does not measure speed.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 50_000 } },
  // The files of a worker share their modules: loading them for every file took most of the time.
  isolate: false,
};

export default defineConfig({
  test: {
    // One more than the processors of a small machine, since each worker waits a part of its time.
    maxWorkers: 3,
    projects: [
      {
        test: {
          ...common,
          name: 'unit',
          include: [
            'apps/web/**/*.test.{ts,tsx}',
            'packages/**/*.test.ts',
            'scripts/**/*.test.ts',
            'tests/faults/**/*.test.ts',
          ],
          exclude: [
            '**/node_modules/**',
            'packages/identity/**',
            'packages/stand-ins/src/{payments,mailboxes}/**',
          ],
        },
      },
      {
        test: {
          ...common,
          name: 'database',
          include: [
            'apps/server/**/*.test.ts',
            'packages/identity/**/*.test.ts',
            'packages/stand-ins/src/{payments,mailboxes}/**/*.test.ts',
          ],
          globalSetup: ['apps/server/src/testing/postgres.global-setup.ts'],
        },
      },
    ],
  },
});
