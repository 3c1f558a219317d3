import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, opendir, rename, rm } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type FileStore, requireFileKey } from './file-store.ts';

const unfinishedEnd = '.part';
const unfinishedOf = (path: string): string => `${path}${unfinishedEnd}`;

/** Files in a folder, by keys such as `uploads/<owner>/<id>`. */
export function createFolderStore(folder: string): FileStore {
  const pathOf = (key: string): string => normalize(join(folder, requireFileKey(key)));

  return {
    write: async (key, bytes) => {
      const path = pathOf(key);
      const unfinished = unfinishedOf(path);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const target = createWriteStream(unfinished, { mode: 0o600 });
      try {
        await pipeline(Readable.from(bytes), target);
        await rename(unfinished, path);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
      return { byteCount: target.bytesWritten };
    },
    read: (key) => createReadStream(pathOf(key), { highWaterMark: 1 << 16 }),
    remove: async (key) => {
      await rm(pathOf(key), { force: true });
      // What a process left that died while it wrote.
      await rm(unfinishedOf(pathOf(key)), { force: true });
    },
    removeAll: (folderKey) => rm(pathOf(folderKey), { recursive: true, force: true }),
    list: (folderKey) => keysIn(pathOf(folderKey), folderKey),
  };
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
