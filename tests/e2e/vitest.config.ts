import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'browser',
    include: ['tests/e2e/**/*.test.ts'],
    globalSetup: ['tests/e2e/support/product.global-setup.ts'],
    // Generous, since a machine may be busy: a time-out ends what hangs, it does not measure speed.
    testTimeout: 300_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 2,
    // The files of a worker share its browser (support/browser.ts).
    isolate: false,
  },
});
