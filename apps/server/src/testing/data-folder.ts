import { accessSync, constants, statfsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Much more than a run of all tests takes of it. */
const memoryBytesMin = 6 * 1024 ** 3;

/** Linux shows memory as a folder. */
const memoryFolder = '/dev/shm';

/**
 * A new folder for a database of a test: in memory where there is plenty, else on the disk. A database of ours has 580 files,
 * and to create and drop one takes seven times as much of the processor on a disk. Its name says which process it belongs to.
 */
export async function makeDataFolder(prefix: `assay-${string}-`): Promise<string> {
  await Promise.all([memoryFolder, tmpdir()].map(removeAbandoned));
  const parent = hasPlentyOfMemory() ? memoryFolder : tmpdir();
  const folder = await mkdtemp(join(parent, `${prefix}${await processSpace()}-${process.pid}-`));
  // Readable for the database's user, whose files are inside.
  await chmod(folder, 0o755);
  return folder;
}

/** Removes the folders of processes that were killed before they could do it. Each may take 140 MB of the memory. */
export async function removeAbandoned(parent: string): Promise<void> {
  const space = await processSpace();
  for (const name of await readdir(parent).catch(() => [])) {
    const [, foundSpace, owner] = /^assay-[a-z]+-(\d+)-(\d+)-\w{6}$/.exec(name) ?? [];
    if (foundSpace !== space || isAlive(Number(owner))) continue;
    // It may belong to another user, or its database may still be stopping.
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Containers may share a folder and yet number their processes by themselves. Linux has a number for each numbering. */
async function processSpace(): Promise<string> {
  const link = await readlink('/proc/self/ns/pid').catch(() => '');
  return /\d+/.exec(link)?.[0] ?? '0';
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function hasPlentyOfMemory(): boolean {
  try {
    accessSync(memoryFolder, constants.W_OK);
    const { bavail, bsize } = statfsSync(memoryFolder);
    return Math.min(bavail * bsize, process.availableMemory()) >= memoryBytesMin;
  } catch {
    return false;
  }
}
