import { randomUUID } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Config } from '../../platform/config/index.ts';
import { openFileStore } from '../../platform/files/open-file-store.ts';
import type { Finding } from '../finding.ts';

const freeBytesMin = 2 ** 30;

/** Writes, reads and removes a small file as uploads do. */
export async function checkFileStore(config: Pick<Config, 'files' | 'uploads'>): Promise<Finding> {
  const key = `doctor/${randomUUID()}`;
  try {
    const store = await openFileStore(config);
    try {
      await store.write(key, Readable.from([Buffer.from(key)]));
      const text = (await buffer(store.read(key))).toString();
      if (text !== key) throw new Error('what was read is not what was written');
    } finally {
      await store.remove(key);
    }
    return { check: 'storage', status: 'ok', detail: 'A file was written, read and removed.' };
  } catch (error) {
    return {
      check: 'storage',
      status: 'problem',
      detail: (error as Error).message,
      fix: 'Correct ASSAY_FILES, or let the user of this process write there.',
    };
  }
}

/** Room where uploads wait. The bucket of an object store has no limit that we could ask for. */
export async function checkDisk({ files }: Pick<Config, 'files'>): Promise<Finding> {
  if (files.kind !== 'folder')
    return { check: 'disk', status: 'skipped', detail: 'Files are in an object store.' };
  try {
    const { bavail, bsize } = await statfs(files.folder);
    const free = bavail * bsize;
    const detail = `${(free / 2 ** 30).toFixed(1)} GiB are free in ${files.folder}.`;
    return free >= freeBytesMin
      ? { check: 'disk', status: 'ok', detail }
      : { check: 'disk', status: 'problem', detail, fix: 'Free at least 1 GiB, or move ASSAY_FILES.' };
  } catch (error) {
    return {
      check: 'disk',
      status: 'unclear',
      detail: `The free room is not known: ${(error as Error).message}.`,
    };
  }
}
