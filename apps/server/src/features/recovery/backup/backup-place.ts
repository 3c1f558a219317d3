import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { S3Location } from '../../../platform/files/s3-client.ts';
import { writeWholeFile } from '../../../platform/files/write-whole-file.ts';

/** Where a backup is: a file, or an object of an S3-compatible store. */
export interface BackupPlace {
  /** A backup that fails leaves what was there before. */
  write(bytes: AsyncIterable<Buffer>): Promise<{ byteCount: number }>;
  /** May be called again, to read from the beginning. */
  read(): Readable;
}

/** `s3` is how to reach the store, without bucket and prefix. */
export async function openBackupPlace(
  file: string,
  s3: Omit<S3Location, 'kind' | 'bucket' | 'prefix'>,
): Promise<BackupPlace> {
  if (!file.startsWith('s3://')) return fileAt(file);
  const [, bucket, key] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/([\w./-]{1,1000})$/.exec(file) ?? [];
  if (!bucket || !key) {
    throw new Error(
      `'${file}' is no place for a backup: write s3://bucket/key, with letters, digits, dots, hyphens, underscores and slashes in the key.`,
    );
  }
  const { openS3Object } = await import('../../../platform/files/s3-store.ts');
  return openS3Object({ kind: 's3', bucket, prefix: '', ...s3 }, key);
}

function fileAt(path: string): BackupPlace {
  return {
    // A random name, because another backup may write to the same path.
    write: (bytes) => writeWholeFile(path, `${path}.${randomUUID()}.part`, bytes),
    read: () => createReadStream(path, { highWaterMark: 1 << 18 }),
  };
}
