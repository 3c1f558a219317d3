import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';

const linesMax = 2_500;

it('no folder has more source of its own than a person reads in an hour', () => {
  const files = globSync('{apps/*,packages/*}/{src,bin}/**/*.{ts,tsx,css}', {
    exclude: ['**/node_modules/**', '**/*.test.{ts,tsx}', '**/testing/**'],
  });
  expect(files.length).toBeGreaterThan(1_000);
  const lines = new Map<string, number>();
  for (const file of files) {
    const folder = dirname(file);
    const ofFile = readFileSync(file, 'utf8').split('\n').length - 1;
    lines.set(folder, (lines.get(folder) ?? 0) + ofFile);
  }
  expect(Object.fromEntries([...lines].filter(([, count]) => count > linesMax))).toEqual({});
});
