import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { BuiltFile } from './built-files.ts';
import { problemsOf } from './size-budget.ts';

/** A chunk of about this many kB, which cannot be compressed. */
const chunk = (fileName: string, kilobytes: number, more: Partial<BuiltFile> = {}): BuiltFile => ({
  fileName,
  code: randomBytes(kilobytes * 750).toString('base64'),
  ...more,
});

const files = [
  chunk('index.js', 10, { isEntry: true, imports: ['react.js'] }),
  chunk('react.js', 20, { imports: ['runtime.js'] }),
  chunk('runtime.js', 5, { imports: ['react.js'] }),
  chunk('page.js', 20, { moduleIds: ['/src/page.tsx'], imports: ['react.js', 'grid.js'] }),
  chunk('grid.js', 10),
  chunk('other.js', 500, { moduleIds: ['/src/other.tsx'] }),
];
const budgetOf = (kilobytesMax: number, page?: string) => [
  { what: 'first load', kilobytesMax, ...(page && { page }) },
];

describe('the size budget', () => {
  it('counts what the entry imports, directly or not, each once', () => {
    expect(problemsOf(files, budgetOf(40))).toEqual([]);
    expect(problemsOf(files, budgetOf(25))).toEqual([
      expect.stringMatching(/^The first load has \d+\.\d kB of JavaScript, more than 25 kB\.$/),
    ]);
  });

  it('counts a page with what every page loads, and no other page', () => {
    expect(problemsOf(files, budgetOf(70, '/page.tsx'))).toEqual([]);
    expect(problemsOf(files, budgetOf(45, '/page.tsx'))).toHaveLength(1);
  });

  it('complains about a page that is not there any more', () => {
    expect(problemsOf(files, budgetOf(70, '/renamed.tsx'))).toEqual([
      'The first load was not found in the build.',
    ]);
  });
});
