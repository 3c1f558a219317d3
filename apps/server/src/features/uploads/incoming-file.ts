import type { FileHandle } from 'node:fs/promises';
import type { FileEncoding } from '../../platform/csv/file-encoding.ts';
import { writeNamelessFile } from '../../platform/files/nameless-file.ts';
import { zipSignature } from '../../platform/workbooks/workbook.ts';
import { RefusedFile } from './refused-file.ts';

export interface IncomingFile {
  readonly name: string;
  readonly bytes: AsyncIterable<Buffer>;
  /** An upper bound for the size of the file, if the request gives one. */
  readonly bytesAtMost?: number;
  /** Given if it is known. Otherwise we detect it. */
  readonly encoding?: FileEncoding;
  /** The sheet of a workbook that the customer chose. */
  readonly sheet?: string | undefined;
  /** Aborts when the client disconnects, because nobody needs the result then. */
  readonly signal?: AbortSignal;
}

/** A workbook has arrived completely, because its directory is at its end. Text has not been read yet. */
export type OpenedFile =
  | { readonly kind: 'workbook'; readonly handle: FileHandle; readonly byteCount: number }
  | { readonly kind: 'text'; readonly bytes: AsyncIterable<Buffer> };

/** Tells workbooks from text by the first bytes of the file, not by its name. The caller closes the handle of a workbook. */
export async function openIncoming(
  file: Pick<IncomingFile, 'bytes'>,
  { bytesMax }: { readonly bytesMax: number },
): Promise<OpenedFile> {
  const { start, bytes } = await takeStart(file.bytes);
  if (!start.subarray(0, zipSignature.length).equals(zipSignature)) return { kind: 'text', bytes };
  const handle = await writeNamelessFile(withinLimit(bytes, bytesMax));
  return { kind: 'workbook', handle, byteCount: (await handle.stat()).size };
}

async function takeStart(
  bytes: AsyncIterable<Buffer>,
): Promise<{ start: Buffer; bytes: AsyncGenerator<Buffer> }> {
  const chunks = bytes[Symbol.asyncIterator]();
  let start: Buffer = Buffer.alloc(0);
  while (start.length < zipSignature.length) {
    const { value, done } = await chunks.next();
    if (done) break;
    start = start.length === 0 ? value : Buffer.concat([start, value]);
  }
  const all = async function* () {
    try {
      if (start.length > 0) yield start;
      for (;;) {
        const { value, done } = await chunks.next();
        if (done) return;
        yield value;
      }
    } finally {
      await chunks.return?.();
    }
  };
  return { start, bytes: all() };
}

/** Passes bytes on, and throws when there are too many. */
export async function* withinLimit(bytes: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<Buffer> {
  let byteCount = 0;
  for await (const chunk of bytes) {
    byteCount += chunk.length;
    if (byteCount > bytesMax) throw new RefusedFile({ problem: 'file_too_large', bytesMax });
    yield chunk;
  }
}
