import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { type BuiltFile, loadedWith } from './built-files.ts';

interface Budget {
  readonly what: string;
  /** The module that the page begins with, besides the entry; none for what every page loads. */
  readonly page?: string;
  readonly kilobytesMax: number;
}

/** JavaScript that has to arrive before a page works, in kB (1,000 bytes) after gzip. The schema library alone would exceed both. */
const budgets: readonly Budget[] = [
  { what: 'first load', kilobytesMax: 156 },
  { what: 'page with charts', page: '/verification-page.tsx', kilobytesMax: 196 },
];

/** Fails the build when a page loads more than its budget. */
export function sizeBudget(): Plugin {
  return {
    name: 'assay:size-budget',
    apply: 'build',
    generateBundle(_, bundle) {
      const problems = problemsOf(Object.values(bundle) as BuiltFile[], budgets);
      if (problems.length > 0) this.error(problems.join('\n'));
    },
  };
}

export function problemsOf(files: readonly BuiltFile[], within: readonly Budget[]): string[] {
  return within.flatMap(({ what, page, kilobytesMax }) => {
    const begins = ({ moduleIds = [] }: BuiltFile) => page && moduleIds.some((id) => id.endsWith(page));
    const starts = files.filter((file) => file.isEntry || begins(file));
    if (starts.length < (page ? 2 : 1)) return [`The ${what} was not found in the build.`];
    const kilobytes = bytesOf(loadedWith(starts, files)) / 1_000;
    if (kilobytes <= kilobytesMax) return [];
    return [`The ${what} has ${kilobytes.toFixed(1)} kB of JavaScript, more than ${kilobytesMax} kB.`];
  });
}

const bytesOf = (files: Iterable<BuiltFile>): number =>
  [...files].reduce((sum, { code = '' }) => sum + gzipSync(code, { level: 9 }).length, 0);
