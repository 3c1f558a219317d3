import { createHash } from 'node:crypto';
import { EncodingProbe, type FileEncoding } from '../../platform/csv/file-encoding.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { shortFileBytes } from '../../platform/reading/index.ts';
import { withinLimit } from './incoming-file.ts';
import { RefusedFile } from './refused-file.ts';
import { encodingOf, requireText } from './require-text.ts';

export interface StoredFile {
  readonly files: FileStore;
  readonly key: string;
}

export interface StoredBytes {
  readonly byteCount: number;
  /** SHA-256, in hex. */
  readonly contentHash: string;
}

/** Stores bytes as they come, and hashes them. */
export async function storeBytes(
  { files, key }: StoredFile,
  bytes: AsyncIterable<Buffer>,
): Promise<StoredBytes> {
  const hash = createHash('sha256');
  const { byteCount } = await files.write(
    key,
    watched(bytes, (chunk) => hash.update(chunk)),
  );
  return { byteCount, contentHash: hash.digest('hex') };
}

interface FileLimits {
  readonly bytesMax: number;
  /** Where it need not be detected. */
  readonly encoding?: FileEncoding | undefined;
}

/** A text that is stored, its encoding, and how to read it again. */
export interface StoredText extends StoredBytes {
  readonly encoding: FileEncoding;
  readonly bytes: AsyncIterable<Buffer>;
}

/** Stores a text while it arrives. Only its end shows how it is encoded, and that it is text at all. */
export async function storeText(
  store: StoredFile,
  bytes: AsyncIterable<Buffer>,
  { bytesMax, encoding }: FileLimits,
): Promise<StoredText> {
  const probe = new EncodingProbe();
  const start = new StartOfFile();
  const incoming = watched(withinLimit(bytes, bytesMax), (chunk) => {
    probe.push(chunk);
    start.add(chunk);
  });
  const stored = await storeBytes(store, incoming);
  try {
    if (stored.byteCount === 0) throw new RefusedFile({ problem: 'file_empty' });
    return {
      ...stored,
      encoding: encoding ?? requireText(probe),
      bytes: start.whole() ?? store.files.read(store.key),
    };
  } catch (error) {
    await store.files.remove(store.key);
    throw error;
  }
}

/** Keeps a short file, so that it need not be read from the store. */
class StartOfFile {
  #chunks: Buffer[] | null = [];
  #byteCount = 0;

  add(chunk: Buffer): void {
    this.#byteCount += chunk.length;
    if (this.#byteCount > shortFileBytes) this.#chunks = null;
    this.#chunks?.push(chunk);
  }

  whole(): AsyncIterable<Buffer> | null {
    return this.#chunks && inOrder(this.#chunks);
  }
}

/** Reads a file into memory that is short enough for that. */
export async function readWhole(
  bytes: AsyncIterable<Buffer>,
  { bytesMax }: Pick<FileLimits, 'bytesMax'>,
): Promise<Buffer> {
  const whole = Buffer.concat(await Array.fromAsync(withinLimit(bytes, bytesMax)));
  if (whole.length === 0) throw new RefusedFile({ problem: 'file_empty' });
  return whole;
}

/** The same of a file that must be text. */
export async function readWholeFile(
  bytes: AsyncIterable<Buffer>,
  limits: Pick<FileLimits, 'bytesMax'>,
): Promise<{ readonly bytes: Buffer; readonly encoding: FileEncoding }> {
  const whole = await readWhole(bytes, limits);
  return { bytes: whole, encoding: encodingOf(whole) };
}

async function* watched(
  bytes: AsyncIterable<Buffer>,
  watch: (chunk: Buffer) => void,
): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    watch(chunk);
    yield chunk;
  }
}

export async function* inOrder(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
}
