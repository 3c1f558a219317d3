import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Writes a file that appears with its whole content or not at all. When this returns, it also survives a power cut: callers
 * then delete what they copied from. `unfinished` is its path until then, in the same folder.
 */
export async function writeWholeFile(
  path: string,
  unfinished: string,
  bytes: AsyncIterable<Buffer>,
): Promise<{ byteCount: number }> {
  const target = createWriteStream(unfinished, { mode: 0o600, flush: true });
  // Errors fail the pipeline below.
  target.on('error', () => undefined);
  try {
    await pipeline(Readable.from(bytes), target);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  await flushFolder(dirname(path));
  return { byteCount: target.bytesWritten };
}

/** Until then, a power cut may undo changes of the names in a folder. */
export async function flushFolder(path: string): Promise<void> {
  try {
    const folder = await open(path);
    await folder.sync().finally(() => folder.close());
  } catch (error) {
    if (!cannotFlush.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Some shares cannot flush folders, and a folder may be closed to its readers. The file itself is flushed. */
const cannotFlush = new Set(['EINVAL', 'ENOTSUP', 'ENOSYS', 'EACCES']);
