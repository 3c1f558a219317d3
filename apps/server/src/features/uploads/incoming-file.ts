import type { FileHandle } from 'node:fs/promises';
import type { FileEncoding } from '../../platform/csv/file-encoding.ts';
import { writeNamelessFile } from '../../platform/files/nameless-file.ts';
import { zipSignature } from '../../platform/workbooks/workbook.ts';
import { RefusedFile } from './refused-file.ts';

export interface IncomingFile {
  readonly name: string;
  readonly bytes: AsyncIterable<Buffer>;
  /** The most bytes that may come, where the request says. */
  readonly bytesAtMost?: number;
  /** Where it need not be detected. */
  readonly encoding?: FileEncoding;
  /** The sheet of a workbook that the customer chose. */
  readonly sheet?: string | undefined;
  /** Aborts when the client is gone, so that nothing is read in vain. */
  readonly signal?: AbortSignal;
}

/** A workbook, whose directory is at its end, so it has arrived whole; or text, which is still to come. */
type OpenedFile =
  | { readonly kind: 'workbook'; readonly handle: FileHandle; readonly byteCount: number }
  | { readonly kind: 'text'; readonly bytes: AsyncIterable<Buffer> };

/** Looks at the first bytes of a file, not at its name. Whoever gets a workbook closes it. */
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

/** Bytes up to a limit. */
export async function* withinLimit(bytes: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<Buffer> {
  let byteCount = 0;
  for await (const chunk of bytes) {
    byteCount += chunk.length;
    if (byteCount > bytesMax) throw new RefusedFile({ problem: 'file_too_large', bytesMax });
    yield chunk;
  }
}
