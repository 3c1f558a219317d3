import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { bundleServer } from './bundle-server.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'assay-bundle-'));
afterAll(() => rmSync(folder, { recursive: true }));
await bundleServer(root, folder);
const written = globSync('**/*.{js,mjs}', { cwd: folder });

it('runs without the repository', () => {
  const help = execFileSync(
    process.execPath,
    [join(folder, 'apps/server/bin/assay.mjs'), 'users', '--help'],
    {
      cwd: '/',
      encoding: 'utf8',
    },
  );
  expect(help).toContain('assay users show');
  expect(existsSync(join(folder, 'node_modules'))).toBe(false);
});

it('has the files of threads, and the modules that reading threads load, where the code looks for them', () => {
  expect(written).toEqual(
    expect.arrayContaining([
      'apps/server/bin/embedded/part-thread.js',
      'apps/server/src/features/verification/files/email-jobs.js',
      'apps/server/src/platform/reading/reading-thread.js',
      'apps/server/src/processes/bulk-thread.js',
    ]),
  );
});

it('names no file of TypeScript and no package that a release lacks', () => {
  const texts = written.map((path) => readFileSync(join(folder, path), 'utf8'));
  expect(texts.filter((text) => /new URL\(["'][^"']+\.ts["']/.test(text))).toEqual([]);
  const imported = texts.flatMap((text) =>
    [...text.matchAll(/^import .* from "([^.].*)";$/gm)].map(([, name]) => name),
  );
  expect([...new Set(imported)].filter((name) => !isBuiltin(name ?? '')).sort()).toEqual([]);
});
