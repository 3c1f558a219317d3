import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import {
  defaultOf,
  identityPortOffset,
  localUrl,
  metricsPortOffset,
  settingNames,
} from '../../src/platform/config/index.ts';
import { ensureKept } from '../../src/platform/files/kept-file.ts';

/** Where the product runs on this machine. The stand-ins need this before the whole configuration can be read. */
export interface LocalSettings {
  readonly port: number;
  readonly host: string;
  readonly publicUrl: string;
  readonly dataFolder: string;
}

/** The stand-ins listen right above the product's port. */
export const portOffsets = {
  identity: identityPortOffset,
  payments: 2,
  mailboxes: 3,
  /** In development Vite listens on the product's port and forwards what is not a source file to this one. */
  developmentApi: 5,
  metrics: metricsPortOffset,
  workerMetrics: metricsPortOffset + 1,
} as const;

export function readLocalSettings(env: NodeJS.ProcessEnv): LocalSettings {
  const port = Number(env.PORT || defaultOf('port'));
  if (!Number.isInteger(port) || port < 1 || port > 65_000) {
    throw new Error(`PORT is '${env.PORT}': give a number from 1 to 65000, for example PORT=3100.`);
  }
  const publicUrl = URL.parse(env.PUBLIC_URL ?? '');
  return {
    port,
    host: env.HOST || defaultOf('host'),
    // As the processes read it; one with a path is for them to refuse.
    publicUrl: publicUrl?.pathname === '/' ? publicUrl.origin : env.PUBLIC_URL || localUrl(port),
    dataFolder: resolve(env.ASSAY_DATA || defaultOf('dataFolder')),
  };
}

/** The settings that the product was started with, for commands that a shell without them runs. */
export const givenSettings = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    settingNames.flatMap((name) => {
      const value = env[name];
      return value ? [[name, value]] : [];
    }),
  );

/** The same settings on another port, with its local address. */
export const withPort = (settings: LocalSettings, port: number): LocalSettings => ({
  ...settings,
  port,
  publicUrl: localUrl(port),
});

/** Where the identity provider may send people back to. */
export const webAppAddresses = (publicUrl: string) => ({
  redirectUris: [`${publicUrl}/redirect`],
  postLogoutRedirectUris: [`${publicUrl}/`, `${publicUrl}/goodbye`],
});

/** Where the embedded database keeps its files. */
export const databaseIn = (dataFolder: string): string => join(dataFolder, 'postgres');

/** The key that all secrets are derived from, created at the first start and kept with the data. */
export const ensureSecret = (dataFolder: string): Promise<string> =>
  ensureKept(join(dataFolder, 'secret'), () => randomBytes(32).toString('base64url'));

/** The settings that make a mail world the sandbox of the API. */
export const sandboxSettings = ({ dns, allowRanges }: { dns: string; allowRanges: readonly string[] }) => ({
  ASSAY_SANDBOX_DNS: dns,
  ASSAY_SANDBOX_RANGES: allowRanges.join(','),
});
