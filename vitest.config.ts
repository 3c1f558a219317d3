import { defineConfig } from 'vitest/config';

// Generous, since a machine may be busy: a time-out is for what hangs, not a measure of speed.
const patience = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 50_000 } } };

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...patience,
          name: 'unit',
          include: ['apps/web/**/*.test.{ts,tsx}', 'packages/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: [
            '**/node_modules/**',
            'packages/identity/**',
            'packages/stand-ins/src/{payments,mailboxes}/**',
          ],
        },
      },
      {
        test: {
          ...patience,
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
