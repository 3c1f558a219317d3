import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { S3Location } from '../../../platform/files/s3-client.ts';

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
    write: async (bytes) => {
      // A random name, because another backup may write to the same path.
      const unfinished = `${path}.${randomUUID()}.part`;
      const target = createWriteStream(unfinished, { mode: 0o600, flush: true });
      try {
        await pipeline(Readable.from(bytes), target);
        await rename(unfinished, path);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
      return { byteCount: target.bytesWritten };
    },
    read: () => createReadStream(path, { highWaterMark: 1 << 18 }),
  };
}
