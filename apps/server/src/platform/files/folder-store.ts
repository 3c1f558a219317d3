import { mkdir, opendir, rm } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { holdErrorOf, readFileBytes } from './file-bytes.ts';
import { type FileStore, requireFileKey } from './file-store.ts';
import { flushFolder, writeWholeFile } from './write-whole-file.ts';

const unfinishedEnd = '.part';
const unfinishedOf = (path: string): string => `${path}${unfinishedEnd}`;

/** Files in a folder, by keys such as `uploads/<owner>/<id>`. */
export function createFolderStore(folder: string): FileStore {
  const pathOf = (key: string): string => normalize(join(folder, requireFileKey(key)));

  return {
    write: async (key, bytes) => {
      holdErrorOf(bytes);
      const path = pathOf(key);
      const created = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const written = await writeWholeFile(path, unfinishedOf(path), bytes);
      if (created !== undefined) await flushFoldersBetween(dirname(created), dirname(path));
      return written;
    },
    read: (key) => readFileBytes(pathOf(key)),
    remove: async (key) => {
      await rm(pathOf(key), { force: true });
      // What a process left that died while it wrote.
      await rm(unfinishedOf(pathOf(key)), { force: true });
    },
    removeAll: (folderKey) => rm(pathOf(folderKey), { recursive: true, force: true }),
    list: (folderKey) => keysIn(pathOf(folderKey), folderKey),
  };
}

/** Flushes the names of new folders. The innermost one is flushed with the file in it. */
async function flushFoldersBetween(outermost: string, innermost: string): Promise<void> {
  for (let folder = innermost; folder !== outermost; ) {
    folder = dirname(folder);
    await flushFolder(folder);
  }
}

async function* keysIn(path: string, key: string): AsyncGenerator<string> {
  const entries = await opendir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  for await (const entry of entries ?? []) {
    const entryKey = `${key}/${entry.name}`;
    if (entry.isDirectory()) yield* keysIn(join(path, entry.name), entryKey);
    else if (!entry.name.endsWith(unfinishedEnd)) yield entryKey;
  }
}
