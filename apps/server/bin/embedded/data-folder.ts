import { mkdir, readdir } from 'node:fs/promises';
import { makePrivate } from '@assay/postgres';

/** Everything that a data folder of ours may contain, beside run.json and its temporary files. */
const ownNames = new Set([
  'backup-key',
  'files',
  'payments-key',
  'payments-webhook-secret',
  'postgres',
  'secret',
]);

/**
 * Creates the data folder, and closes it to other users of the machine. A folder that holds other files, such as /tmp or a
 * home folder, keeps its permissions; so does one that belongs to another user, such as a mounted volume. What we create
 * inside is always private.
 */
export async function preparePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const names = await readdir(folder);
  if (!names.every((name) => ownNames.has(name) || name.startsWith('run.json'))) return;
  await makePrivate(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPERM') throw error;
  });
}
