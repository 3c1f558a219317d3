import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { compressFolder } from './compress-build.ts';

it('puts compressed copies beside text that is worth it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-build-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'assets'));
  const script = 'export const mark = 1;\n'.repeat(100);
  await writeFile(join(folder, 'assets/app.js'), script);
  await writeFile(join(folder, 'assets/short.js'), 'export {};');
  await writeFile(join(folder, 'assets/font.woff2'), Buffer.alloc(5_000));

  await compressFolder(folder);

  const files = await readdir(join(folder, 'assets'));
  expect(files.sort()).toEqual(['app.js', 'app.js.br', 'app.js.gz', 'font.woff2', 'short.js']);
  expect(String(brotliDecompressSync(await readFile(join(folder, 'assets/app.js.br'))))).toBe(script);
  expect(String(gunzipSync(await readFile(join(folder, 'assets/app.js.gz'))))).toBe(script);
});
