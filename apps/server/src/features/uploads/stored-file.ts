import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { EncodingProbe, type FileEncoding } from '../../platform/csv/file-encoding.ts';
import { decodeText } from '../../platform/csv/read-rows.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { RefusedFile } from './refused-file.ts';

export interface StoredFile {
  readonly files: FileStore;
  readonly key: string;
}

/** Reads a text to its end and says what is in it. Each kind of list has its own. */
export type CountText<Counts> = (text: AsyncGenerator<string>) => Promise<Counts>;

export interface CountedFile<Counts> {
  readonly byteCount: number;
  readonly encoding: FileEncoding;
  readonly counts: Counts;
}

interface FileLimits {
  readonly bytesMax: number;
  /** Where it need not be detected. */
  readonly encoding?: FileEncoding | undefined;
}

const bufferLength = 1 << 18;

/**
 * Stores a file and counts its rows while it arrives, as UTF-8, which nearly all files are. Only the end shows whether it
 * was: a file in another encoding, or one with a problem, is read once more from the store.
 */
export async function storeAndCount<Counts>(
  bytes: AsyncIterable<Buffer>,
  store: StoredFile,
  limits: FileLimits,
  count: CountText<Counts>,
): Promise<CountedFile<Counts>> {
  const probe = new EncodingProbe();
  const copy = new PassThrough({ highWaterMark: bufferLength });
  const counting = count(decodeText(copy, 'utf-8')).catch(() => {
    // Nothing reads the copy any more, so nothing may wait in it.
    copy.destroy();
    return undefined;
  });
  try {
    const incoming = watched(bytes, { probe, copy, counting }, limits);
    const { byteCount } = await store.files.write(store.key, incoming);
    copy.end();
    if (byteCount === 0) throw new RefusedFile({ problem: 'file_empty' });
    const encoding = limits.encoding ?? requireText(probe);
    const counted = encoding === 'utf-8' ? await counting : undefined;
    return { byteCount, encoding, counts: counted ?? (await count(readStoredText(store, encoding))) };
  } catch (error) {
    await store.files.remove(store.key);
    throw error;
  } finally {
    copy.destroy();
  }
}

/** The decoder drops a byte-order mark. */
export const readStoredText = (store: StoredFile, encoding: FileEncoding): AsyncGenerator<string> =>
  decodeText(store.files.read(store.key), encoding);

/** Passes bytes on, also to the probe and, no faster than they are counted, to the copy. */
async function* watched(
  bytes: AsyncIterable<Buffer>,
  { probe, copy, counting }: { probe: EncodingProbe; copy: PassThrough; counting: Promise<unknown> },
  { bytesMax }: FileLimits,
): AsyncGenerator<Buffer> {
  let byteCount = 0;
  for await (const chunk of bytes) {
    byteCount += chunk.length;
    if (byteCount > bytesMax) throw new RefusedFile({ problem: 'file_too_large', bytesMax });
    probe.push(chunk);
    // The count may have failed, and then it reads no more.
    if (!copy.destroyed && !copy.write(chunk)) await Promise.race([once(copy, 'drain'), counting]);
    yield chunk;
  }
}

/** Reads a short file whole, without storing it. */
export async function readWholeText(
  bytes: AsyncIterable<Buffer>,
  { bytesMax }: FileLimits,
): Promise<{ readonly text: string; readonly encoding: FileEncoding }> {
  const probe = new EncodingProbe();
  const chunks: Buffer[] = [];
  let byteCount = 0;
  for await (const chunk of bytes) {
    byteCount += chunk.length;
    if (byteCount > bytesMax) throw new RefusedFile({ problem: 'file_too_large', bytesMax });
    probe.push(chunk);
    chunks.push(chunk);
  }
  if (byteCount === 0) throw new RefusedFile({ problem: 'file_empty' });
  const encoding = requireText(probe);
  const text = (await Array.fromAsync(decodeText(inOrder(chunks), encoding))).join('');
  if (text.trim() === '') throw new RefusedFile({ problem: 'file_empty' });
  return { text, encoding };
}

async function* inOrder(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
}

function requireText(probe: EncodingProbe): FileEncoding {
  const found = probe.finish();
  if (found.kind === 'text') return found.encoding;
  throw new RefusedFile({ problem: 'file_not_text', looksLike: found.looksLike });
}
