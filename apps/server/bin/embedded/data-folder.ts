import { mkdir, readdir } from 'node:fs/promises';
import { makePrivate } from '@assay/postgres';

/** Everything that a data folder of ours may hold. */
const ownNames = new Set([
  'files',
  'payments-key',
  'payments-webhook-secret',
  'postgres',
  'run.json',
  'secret',
]);

/**
 * Makes the data folder, and shuts it to other users of the machine. One that holds anything else is not ours alone, such as
 * /tmp or a home folder: it stays as it is, and only what we keep inside is shut. So does one that belongs to another user, such as
 * a mounted volume.
 */
export async function preparePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const names = await readdir(folder);
  if (!names.every((name) => ownNames.has(name))) return;
  await makePrivate(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPERM') throw error;
  });
}
