import { defineConfig } from 'vitest/config';
import { areas } from './areas.ts';

const area = areas[process.env.MUTATION_AREA ?? ''];

export default defineConfig({
  test: {
    include: [...(area?.tests ?? [])],
    globalSetup: [...(area?.globalSetup ?? [])],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
