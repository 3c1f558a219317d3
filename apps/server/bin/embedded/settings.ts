import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** Where the product lives on this machine, read before its configuration because the stand-ins need it first. */
export interface LocalSettings {
  readonly port: number;
  readonly host: string;
  readonly publicUrl: string;
  readonly dataFolder: string;
}

/** The stand-ins listen right above the product, where a newcomer can remember them. */
export const portOffsets = {
  identity: 1,
  payments: 2,
  mailboxes: 3,
  /** In development Vite stands at the product's address and passes on what is not a source file. */
  developmentApi: 5,
  metrics: 9,
  workerMetrics: 10,
} as const;

export function readLocalSettings(env: NodeJS.ProcessEnv): LocalSettings {
  const port = Number(env.PORT || 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65_000) {
    throw new Error(`PORT is '${env.PORT}': give a number from 1 to 65000, for example PORT=3100.`);
  }
  return {
    port,
    host: env.HOST || '127.0.0.1',
    publicUrl: env.PUBLIC_URL || localUrl(port),
    dataFolder: resolve(env.ASSAY_DATA || '.assay'),
  };
}

/** The same place on another port, for which nobody has given an address. */
export const withPort = (settings: LocalSettings, port: number): LocalSettings => ({
  ...settings,
  port,
  publicUrl: localUrl(port),
});

const localUrl = (port: number): string => `http://localhost:${port}`;

/** The key that everything kept secret is derived from: made at the first start and kept with the data. */
export const ensureSecret = (dataFolder: string): Promise<string> =>
  ensureKept(join(dataFolder, 'secret'), () => randomBytes(32).toString('base64url'));

/** What a file says that only its owner may read, made when it is not there. */
export async function ensureKept(path: string, make: () => string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, make(), { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return readFile(path, 'utf8');
}
