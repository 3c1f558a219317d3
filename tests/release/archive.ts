import { execFileSync } from 'node:child_process';
import { chmodSync, globSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Trial } from './outside.ts';

/** Verifies the signature as docs/installation.md says, unpacks the archive and runs the product from it. */
export async function tryArchive({ release, work, outside }: Trial): Promise<null> {
  const run = (program: string, ...args: string[]) => execFileSync(program, args, { cwd: release });
  const signature = ['-in', 'SHA256SUMS', '-sigfile', 'SHA256SUMS.sig'];
  run('openssl', 'pkeyutl', '-verify', '-pubin', '-inkey', '../release.pub', '-rawin', ...signature);
  run('sha256sum', '--check', '--quiet', 'SHA256SUMS');
  const [archive = ''] = globSync('assay-*.tar.gz', { cwd: release });
  run('tar', '--extract', `--file=${archive}`, `--directory=${work}`, '--strip-components=1');
  const data = join(work, 'data');
  mkdirSync(data);
  chmodSync(data, 0o700);
  const program = (name: string) => join(work, 'node_modules/.bin', name);
  await outside.useProduct([program('node'), program('assay')], { ASSAY_DATA: data });
  return null;
}
