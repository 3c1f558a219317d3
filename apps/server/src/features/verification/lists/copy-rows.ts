import type { Readable } from 'node:stream';
import type { PoolClient } from 'pg';
import type { FileStore } from '../../../platform/files/file-store.ts';
import type { ReadingPool, StartedJob } from '../../../platform/reading/index.ts';
import type { ListPlace } from '../../lists/index.ts';
import { uploadedFile } from '../../uploads/index.ts';
import type { EmailUpload } from '../files/email-uploads.ts';
import { copyChunkLines, copyRowLines } from '../rows/rows.store.ts';
import { rowLinesJob, type WrittenRows } from './row-lines.ts';

export type CopiedRows = Omit<WrittenRows, 'kind' | 'chunkLines'>;

interface FileOfList {
  readonly place: ListPlace;
  readonly upload: EmailUpload;
  readonly withHeaders: boolean;
  readonly signal?: AbortSignal;
}

interface FileParts {
  readonly files: FileStore;
  readonly readingPool: ReadingPool;
}

/** The rows of a file, as a reading thread writes them. */
export interface RowLines {
  readonly hasSuppressed: boolean;
  readonly lines: AsyncIterable<Buffer>;
  readonly result: StartedJob<WrittenRows | { readonly kind: 'foreign result' }>['result'];
}

/**
 * Reads the file of a list, and once more with all its columns if those that looked like ours turn out to be the
 * customer's own. The file may wait long for a thread, so `use` takes a connection only when its first rows are there.
 */
export async function withRowLines<Result>(
  parts: FileParts,
  file: FileOfList,
  use: (rows: RowLines) => Promise<Result>,
): Promise<Result> {
  try {
    return await readOnce(parts, file, use);
  } catch (error) {
    if (!(error instanceof OwnColumns)) throw error;
    return readOnce(parts, { ...file, upload: keepingColumns(file.upload) }, use);
  }
}

/** Columns with our names hold values of the customer's, so they are the customer's own. */
class OwnColumns extends Error {}

function keepingColumns(upload: EmailUpload): EmailUpload {
  const { reading } = upload;
  return { ...upload, reading: { ...reading, dialect: { ...reading.dialect, ownColumns: [] } } };
}

async function readOnce<Result>(
  parts: FileParts,
  { place, upload, withHeaders, signal }: FileOfList,
  use: (rows: RowLines) => Promise<Result>,
): Promise<Result> {
  const order = { place, reading: upload.reading, withHeaders, emailsMax: upload.billable };
  const file = { ...uploadedFile(parts, place.ownerId, upload), signal };
  const { output, result } = parts.readingPool.read(rowLinesJob, file, order);
  try {
    const hasSuppressed = upload.reading.suppressedHashes !== null;
    return await use({ lines: await started(output), result, hasSuppressed });
  } finally {
    // Frees the thread if some lines were not taken.
    output.destroy();
  }
}

/** The same lines, once the first of them is there. */
async function started(output: Readable): Promise<AsyncIterable<Buffer>> {
  const pieces: AsyncIterator<Buffer> = output[Symbol.asyncIterator]();
  const first = await pieces.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => pieces };
  })();
}

/** Copies the rows of a file, and their chunks, to a list. */
export async function copyRows(
  client: PoolClient,
  { listId }: ListPlace,
  { lines, result, hasSuppressed }: RowLines,
): Promise<CopiedRows> {
  await copyRowLines(client, listId, { lines, hasSuppressed });
  const written = await result;
  if (written.kind === 'foreign result') throw new OwnColumns();
  const { chunkLines, kind: _, ...copied } = written;
  await copyChunkLines(client, chunkLines);
  return copied;
}
