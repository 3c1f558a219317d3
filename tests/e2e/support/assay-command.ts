import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inject } from 'vitest';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** The operator's command, beside the product under test. */
export function assay(...words: string[]) {
  const { dataFolder, port } = inject('product');
  return run('npx', ['--no-install', 'assay', ...words], {
    cwd: repository,
    env: { ...process.env, ASSAY_DATA: dataFolder, PORT: String(port) },
  });
}
