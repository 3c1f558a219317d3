import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  NoSuchKey,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { holdErrorOf } from './file-bytes.ts';
import { type FileStore, requireFileKey } from './file-store.ts';
import { createS3Client, type S3Location } from './s3-client.ts';
import { explainRefusal } from './s3-refusals.ts';

/** S3 takes no smaller parts than these, but for the last, and no more of them. */
const partBytesMin = 5 * 1024 * 1024;
const partsMax = 10_000;
/** Parts that travel at once. With the one being filled, that is what an upload holds in memory. */
const partsAtOnce = 2;
/** As many keys as one call of S3 lists, and as one call deletes. */
const keysPerCall = 1_000;

/** Opens a store for files of up to this size, and tries it, so that a wrong setting stops the process at start. */
export async function openS3Store(
  location: S3Location,
  limits: { fileBytesMax: number },
): Promise<FileStore> {
  const store = createS3Store(createS3Client(location), location, limits);
  await proveUsable(store).catch((error) => {
    throw explainRefusal(error, location);
  });
  return store;
}

function createS3Store(
  client: S3Client,
  { bucket, prefix }: Pick<S3Location, 'bucket' | 'prefix'>,
  { fileBytesMax }: { fileBytesMax: number },
): FileStore {
  const objectOf = (key: string) => ({ Bucket: bucket, Key: `${prefix}${requireFileKey(key)}` });
  const partSize = Math.max(partBytesMin, Math.ceil(fileBytesMax / partsMax));

  return {
    write: async (key, bytes) => writeObject({ client, object: objectOf(key), partSize }, bytes),
    read: (key) => Readable.from(piecesOf(client, objectOf(key)), { objectMode: false }),
    remove: async (key) => {
      await client.send(new DeleteObjectCommand(objectOf(key))).catch(unlessAbsent);
    },
    removeAll: async (folderKey) => {
      const { Bucket, Key } = objectOf(folderKey);
      const folder = { Bucket, Prefix: `${Key}/` };
      // Writes under way first, so that none of them ends as a file behind the listing.
      await endUploadsIn(client, folder);
      await removeObjectsIn(client, folder);
    },
    list: async function* (folderKey) {
      const { Bucket, Key } = objectOf(folderKey);
      const pages = paginateListObjectsV2({ client, pageSize: keysPerCall }, { Bucket, Prefix: `${Key}/` });
      for await (const { Contents = [] } of pages) {
        for (const { Key: found = '' } of Contents) yield found.slice(prefix.length);
      }
    },
  };
}

/** One object by its whole key, for files that are no uploads. It may be as large as 10,000 of these parts. */
export interface S3Object {
  write(bytes: AsyncIterable<Buffer>): Promise<{ byteCount: number }>;
  read(): Readable;
}

const largePartBytes = 32 * 1024 * 1024;

export function openS3Object(location: S3Location, key: string): S3Object {
  const client = createS3Client(location);
  const object = { Bucket: location.bucket, Key: key };
  const explain = (error: unknown): never => {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? error : explainRefusal(error, location);
  };
  return {
    write: (bytes) => writeObject({ client, object, partSize: largePartBytes }, bytes).catch(explain),
    read: () => Readable.from(piecesOf(client, object), { objectMode: false }),
  };
}

async function writeObject(
  {
    client,
    object,
    partSize,
  }: { client: S3Client; object: { Bucket: string; Key: string }; partSize: number },
  bytes: AsyncIterable<Buffer>,
): Promise<{ byteCount: number }> {
  holdErrorOf(bytes);
  const counter = { byteCount: 0 };
  const upload = new Upload({
    client,
    params: { ...object, Body: Readable.from(counted(bytes, counter)) },
    partSize,
    queueSize: partsAtOnce,
    // Done below: the library forgets it when the last call, which puts the parts together, is the one that fails.
    leavePartsOnError: true,
  });
  try {
    await upload.done();
  } catch (error) {
    // What went wrong is worth more than a second complaint; a rule of the bucket ends what is left open (docs/operations.md).
    if (upload.uploadId) await endUpload(client, object, upload.uploadId).catch(() => undefined);
    throw error;
  }
  return counter;
}

/** Does once, with a small file, everything that uploads will need. */
async function proveUsable(store: FileStore): Promise<void> {
  const folderKey = `start-check/${randomUUID()}`;
  const key = `${folderKey}/file`;
  await store.write(key, Readable.from([Buffer.from('Assay can write, read, list and remove here.')]));
  await buffer(store.read(key));
  await store.removeAll(folderKey);
}

async function* counted(
  bytes: AsyncIterable<Buffer>,
  counter: { byteCount: number },
): AsyncGenerator<Buffer> {
  for await (const piece of bytes) {
    counter.byteCount += piece.length;
    yield piece;
  }
}

async function* piecesOf(client: S3Client, object: { Bucket: string; Key: string }): AsyncGenerator<Buffer> {
  const { Body } = await client.send(new GetObjectCommand(object)).catch((error) => {
    throw error instanceof NoSuchKey ? noSuchFile(object, error) : error;
  });
  // A reader that has seen enough ends the loop, and with it the connection.
  yield* Body as Readable;
}

/** With the error codes of the file system, so that callers need not know the store. */
const noSuchFile = ({ Bucket, Key }: { Bucket: string; Key: string }, cause: unknown): Error =>
  Object.assign(new Error(`ENOENT: no such file, open 's3://${Bucket}/${Key}'`, { cause }), {
    code: 'ENOENT',
  });

/** Amazon's own says nothing of an absent file that is deleted, others do. */
function unlessAbsent(error: unknown): void {
  if ((error as Error).name !== 'NoSuchKey') throw error;
}

const endUpload = (client: S3Client, object: { Bucket: string; Key: string }, UploadId: string) =>
  client.send(new AbortMultipartUploadCommand({ ...object, UploadId }));

async function endUploadsIn(client: S3Client, folder: { Bucket: string; Prefix: string }): Promise<void> {
  let page: Partial<ListMultipartUploadsCommandOutput> = {};
  do {
    page = await client.send(
      new ListMultipartUploadsCommand({
        ...folder,
        KeyMarker: page.NextKeyMarker,
        UploadIdMarker: page.NextUploadIdMarker,
      }),
    );
    for (const { Key, UploadId } of page.Uploads ?? []) {
      if (!Key || !UploadId) continue;
      await endUpload(client, { Bucket: folder.Bucket, Key }, UploadId).catch(unlessEnded);
    }
  } while (page.IsTruncated);
}

/** Its writer may have been quicker. */
function unlessEnded(error: unknown): void {
  if ((error as Error).name !== 'NoSuchUpload') throw error;
}

async function removeObjectsIn(client: S3Client, folder: { Bucket: string; Prefix: string }): Promise<void> {
  const pages = paginateListObjectsV2({ client, pageSize: keysPerCall }, folder);
  for await (const { Contents = [] } of pages) {
    if (Contents.length === 0) continue;
    const { Errors = [] } = await client.send(
      new DeleteObjectsCommand({
        Bucket: folder.Bucket,
        Delete: { Quiet: true, Objects: Contents.map(({ Key }) => ({ Key })) },
      }),
    );
    // The call succeeds as a whole even where single files could not be deleted.
    const [refused] = Errors;
    if (refused) {
      const words = `${Errors.length} files under ${folder.Prefix} could not be removed: ${refused.Message}`;
      throw Object.assign(new Error(words), { name: refused.Code });
    }
  }
}
