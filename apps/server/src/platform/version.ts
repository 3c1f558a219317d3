import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Version } from '@assay/contract';

/** What runs here. A release names its commit in the manifest; a copy without that, git and ASSAY_COMMIT is known by its version alone. */
export async function readVersion(givenCommit: string | null): Promise<Version> {
  const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
  const { version, commit } = JSON.parse(manifest) as { version: string; commit?: string };
  return { version, commit: givenCommit ?? commit ?? (await commitOfWorkingTree()) ?? version };
}

async function commitOfWorkingTree(): Promise<string | null> {
  // Git refuses to look at a tree of another user, such as one that root has cloned for the user of a service.
  const question = ['-c', 'safe.directory=*', 'rev-parse', 'HEAD'];
  const git = promisify(execFile)('git', question, {
    cwd: new URL('../../', import.meta.url),
    timeout: 5_000,
  });
  return git.then(
    ({ stdout }) => stdout.trim(),
    () => null,
  );
}
