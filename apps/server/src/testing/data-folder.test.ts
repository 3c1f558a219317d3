import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeDataFolder, removeAbandoned } from './data-folder.ts';

/** The number of a process that has ended. */
async function endedPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid as number;
}

it('removes the folders of ended processes, and no other', async () => {
  const ours = await makeDataFolder('assay-tests-');
  const parent = await mkdtemp(join(tmpdir(), 'assay-sweep-'));
  onTestFinished(async () => {
    for (const folder of [ours, parent]) await rm(folder, { recursive: true, force: true });
  });
  const [, space] = /^assay-tests-(\d+)-\d+-\w{6}$/.exec(basename(ours)) ?? [];
  const pid = await endedPid();
  const kept = [
    basename(ours),
    // Of another container, of a program that is not ours, and of nobody.
    `assay-tests-1-${pid}-AbCd12`,
    `other-tests-${space}-${pid}-AbCd12`,
    'assay-tests-AbCd12',
  ];
  for (const name of [...kept, `assay-tests-${space}-${pid}-AbCd12`, `assay-start-${space}-${pid}-xYz789`]) {
    await mkdir(join(parent, name, 'postgres'), { recursive: true });
    await writeFile(join(parent, name, 'postgres', 'file'), '');
  }

  await removeAbandoned(parent);

  expect((await readdir(parent)).toSorted()).toEqual(kept.toSorted());
});

it('does nothing where there is no such folder', async () => {
  await removeAbandoned(join(tmpdir(), 'assay-no-such-folder'));
});
