import type { Config } from '../config/index.ts';
import type { FileStore } from './file-store.ts';
import { createFolderStore } from './folder-store.ts';

/** The store that the configuration names, ready to be used; says what to change when it cannot be. */
export async function openFileStore({
  files,
  uploads,
}: Pick<Config, 'files'> & { uploads: Pick<Config['uploads'], 'bytesMax'> }): Promise<FileStore> {
  if (files.kind === 'folder') return createFolderStore(files.folder);
  // S3's library takes 30 MB and a fifth of a second, which installations with a folder do not pay for.
  const { openS3Store } = await import('./s3-store.ts');
  return openS3Store(files, { fileBytesMax: uploads.bytesMax });
}
