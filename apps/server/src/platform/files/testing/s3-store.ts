import type { ObjectStore } from '@assay/stand-ins/object-store';
import { readConfig } from '../../config/index.ts';
import type { FileStore } from '../file-store.ts';
import { openFileStore } from '../open-file-store.ts';

/** The settings by which an operator would name this store. */
export const settingsOf = ({ endpoint, region, credentials }: ObjectStore) => ({
  ASSAY_FILES: 's3://assay',
  S3_ENDPOINT: endpoint,
  S3_REGION: region,
  S3_ACCESS_KEY_ID: credentials.accessKeyId,
  S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
});

/** The store as a process opens it, from settings. */
export const openTestS3Store = (objectStore: ObjectStore, env: NodeJS.ProcessEnv = {}): Promise<FileStore> =>
  openFileStore(
    readConfig({
      DATABASE_URL: 'postgres://localhost/none',
      OIDC_ISSUER: 'http://localhost:1',
      ASSAY_SECRET: 'a secret of at least thirty-two bytes',
      ...settingsOf(objectStore),
      ...env,
    }),
  );
