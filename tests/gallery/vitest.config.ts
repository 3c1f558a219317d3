import { defineConfig } from 'vitest/config';

// Pictures of every screen and state, and a comparison of ten key screens: docs/testing.md.
export default defineConfig({
  test: {
    name: 'gallery',
    include: ['tests/gallery/**/*.test.ts'],
    globalSetup: ['tests/e2e/support/product.global-setup.ts', 'tests/gallery/gallery.global-setup.ts'],
    testTimeout: 600_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 2,
    isolate: false,
  },
});
