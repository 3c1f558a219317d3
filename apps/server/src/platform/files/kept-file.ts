import { randomUUID } from 'node:crypto';
import { constants, copyFile, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Reads a file that only its owner may read, and creates it first when it is missing. It appears with its whole content or
 * not at all: an empty key that a full disk or a crash left would never be replaced.
 */
export async function ensureKept(path: string, make: () => string | Promise<string>): Promise<string> {
  const known = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (known !== undefined) return known;
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${randomUUID()}.part`;
  try {
    await writeFile(draft, await make(), { mode: 0o600, flush: true });
    await link(draft, path)
      // Some shares and memory cards have no links.
      .catch(() => copyFile(draft, path, constants.COPYFILE_EXCL))
      .catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
  } finally {
    await rm(draft, { force: true });
  }
  return readFile(path, 'utf8');
}
