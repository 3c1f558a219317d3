import { accessSync, constants, statfsSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Much more than a run of all tests takes of it. */
const memoryBytesMin = 6 * 1024 ** 3;

/**
 * A new folder for a database of a test: in memory where there is plenty, else on the disk. A database of ours has 580 files,
 * and to create and drop one takes seven times as much of the processor on a disk.
 */
export async function makeDataFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(join(memoryFolder() ?? tmpdir(), prefix));
  // Readable for the database's user, whose files are inside.
  await chmod(folder, 0o755);
  return folder;
}

/** Linux shows memory as a folder. */
function memoryFolder(): string | undefined {
  const folder = '/dev/shm';
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    const freeBytes = Math.min(bavail * bsize, process.availableMemory());
    return freeBytes >= memoryBytesMin ? folder : undefined;
  } catch {
    return undefined;
  }
}
