import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Starts the file first that starts the product again and again: its size does not show how long it takes. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((left, right) => Number(isLongest(right)) - Number(isLongest(left)));
  }
}
const isLongest = ({ moduleId }: TestSpecification) => moduleId.endsWith('/shell/start.test.ts');
// Vitest shuffles only without a sequencer of our own.
const isShuffled = process.argv.some((word) => word.startsWith('--sequence.shuffle'));

export default defineConfig({
  test: {
    name: 'browser',
    include: ['tests/e2e/**/*.test.ts'],
    globalSetup: ['tests/e2e/support/product.global-setup.ts'],
    // Generous, since a machine may be busy: a time-out ends what hangs, it does not measure speed.
    testTimeout: 300_000,
    hookTimeout: 120_000,
    // One look of axe at a long page takes a minute on a busy machine, and a poll ends in the middle of it.
    expect: { poll: { timeout: 120_000 } },
    // One more than the processors of a small machine, since each worker waits a part of its time.
    maxWorkers: 3,
    sequence: isShuffled ? {} : { sequencer: LongestFirst },
    // The files of a worker share its browser (support/browser.ts).
    isolate: false,
  },
});
