import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Writes bytes to a file without a name, which vanishes when it is closed, or with the process. */
export async function writeNamelessFile(bytes: AsyncIterable<Uint8Array>): Promise<FileHandle> {
  const path = join(tmpdir(), `assay-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await rm(path);
    await file.writeFile(bytes);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}
