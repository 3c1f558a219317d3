import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { readFileBytes } from '../../../platform/files/file-bytes.ts';
import type { FileStore } from '../../../platform/files/file-store.ts';
import { createFolderStore } from '../../../platform/files/folder-store.ts';
import type { S3Location } from '../../../platform/files/s3-client.ts';
import { writeWholeFile } from '../../../platform/files/write-whole-file.ts';

/** Where a backup is: a file, or an object of an S3-compatible store. */
export interface BackupPlace {
  /** A backup that fails leaves what was there before. */
  write(bytes: AsyncIterable<Buffer>): Promise<{ byteCount: number }>;
  /** May be called again, to read from the beginning. */
  read(): Readable;
}

type S3Access = Omit<S3Location, 'kind' | 'bucket' | 'prefix'>;

/** `s3` is how to reach the store, without bucket and prefix. */
export async function openBackupPlace(file: string, s3: S3Access): Promise<BackupPlace> {
  if (!file.startsWith('s3://')) return fileAt(file);
  const { bucket, key } = readS3Url(file);
  const { openS3Object } = await import('../../../platform/files/s3-store.ts');
  return openS3Object({ kind: 's3', bucket, prefix: '', ...s3 }, key);
}

/** Far more than any backup has, and small parts all the same. */
const seriesFileBytesMax = 200e9;

/** Where the backups of a schedule are kept, one file each: a folder, or a prefix of an S3-compatible store. */
export async function openSeriesStore(place: string, s3: S3Access): Promise<FileStore> {
  if (!place.startsWith('s3://')) return createFolderStore(place);
  const { bucket, key } = readS3Url(place);
  const { openS3Store } = await import('../../../platform/files/s3-store.ts');
  const prefix = key.endsWith('/') ? key : `${key}/`;
  return openS3Store({ kind: 's3', bucket, prefix, ...s3 }, { fileBytesMax: seriesFileBytesMax });
}

function readS3Url(url: string): { bucket: string; key: string } {
  const [, bucket, key] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/([\w./-]{1,1000})$/.exec(url) ?? [];
  if (bucket && key) return { bucket, key };
  throw new Error(
    `'${url}' is no place for a backup: write s3://bucket/key, with letters, digits, dots, hyphens, underscores and slashes in the key.`,
  );
}

function fileAt(path: string): BackupPlace {
  return {
    write: async (bytes) => {
      // First, so that there is room for this one.
      await removeAbandoned(path);
      // A random name, because another backup may write to the same path.
      return writeWholeFile(path, `${path}.${randomUUID()}.part`, bytes);
    },
    read: () => readFileBytes(path),
  };
}

/** A backup that runs writes several times a second. */
const abandonedAfterMs = 3_600_000;

/** Removes what backups to this path left that were killed. */
async function removeAbandoned(path: string): Promise<void> {
  const folder = dirname(path);
  const start = `${basename(path)}.`;
  const names = await readdir(folder);
  for (const name of names.filter((one) => one.startsWith(start) && partEnding.test(one))) {
    const unfinished = join(folder, name);
    const { mtimeMs } = await stat(unfinished);
    if (Date.now() - mtimeMs > abandonedAfterMs) await rm(unfinished, { force: true });
  }
}
const partEnding = /\.[0-9a-f-]{36}\.part$/;
