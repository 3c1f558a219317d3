import { join } from 'node:path';
import { type Identity, startIdentity } from '@assay/sandbox/identity';
import { startMailWorld } from '@assay/sandbox/mail';
import { startPostgres } from '@assay/sandbox/postgres';
import { migrate } from '../../src/platform/database/migrate.ts';
import { demoAccount } from './demo-account.ts';
import { mailWorldIsGiven } from './mail-world-given.ts';
import { ensureSecret, type LocalSettings, portOffsets } from './settings.ts';

export interface StandIns {
  /** What the product must be told to reach them: addresses, and nothing that says they are stand-ins. */
  readonly environment: Readonly<Record<string, string>>;
  readonly identity: Identity | null;
  close(): Promise<void>;
}

/**
 * Starts a stand-in for each outside part that the environment does not name, on loopback: whoever sets DATABASE_URL
 * or OIDC_ISSUER gets no database or identity provider of ours.
 */
export async function startStandIns(settings: LocalSettings, env: NodeJS.ProcessEnv): Promise<StandIns> {
  const environment: Record<string, string> = {};
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closeOne of closers.splice(0).reverse()) await closeOne();
  };

  try {
    environment.ASSAY_SECRET = env.ASSAY_SECRET ?? (await ensureSecret(settings.dataFolder));
    environment.DATABASE_URL = env.DATABASE_URL ?? (await startDatabase(settings, closers));
    await migrate(environment.DATABASE_URL);
    if (!mailWorldIsGiven(env)) Object.assign(environment, await startMail(closers));
    const identity = env.OIDC_ISSUER
      ? null
      : await startSignIn(settings, env, environment.DATABASE_URL, closers);
    if (identity) Object.assign(environment, identityEnvironment(settings, env));
    return { environment, identity, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const identityUrl = ({ port }: LocalSettings): string => `http://localhost:${port + portOffsets.identity}`;

async function startDatabase(settings: LocalSettings, closers: (() => Promise<void>)[]): Promise<string> {
  const postgres = await startPostgres({ dataDir: join(settings.dataFolder, 'postgres') });
  closers.push(() => postgres.stop());
  return postgres.url;
}

async function startMail(closers: (() => Promise<void>)[]): Promise<Record<string, string>> {
  const world = await startMailWorld({ forward: true });
  closers.push(() => world.close());
  return { ASSAY_DNS: world.dns, ASSAY_ALLOW_RANGES: world.allowRanges.join(',') };
}

function identityEnvironment(settings: LocalSettings, env: NodeJS.ProcessEnv) {
  return {
    OIDC_ISSUER: identityUrl(settings),
    OIDC_CLIENT_ID: env.OIDC_CLIENT_ID ?? 'assay-web',
    OIDC_AUDIENCE: env.OIDC_AUDIENCE ?? `${settings.publicUrl}/api`,
  };
}

async function startSignIn(
  settings: LocalSettings,
  env: NodeJS.ProcessEnv,
  databaseUrl: string,
  closers: (() => Promise<void>)[],
): Promise<Identity> {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_AUDIENCE } = identityEnvironment(settings, env);
  const identity = await startIdentity({
    databaseUrl,
    issuer: OIDC_ISSUER,
    host: settings.host,
    port: settings.port + portOffsets.identity,
    audience: OIDC_AUDIENCE,
    clientId: OIDC_CLIENT_ID,
    redirectUris: [`${settings.publicUrl}/redirect`],
    postLogoutRedirectUris: [`${settings.publicUrl}/`, `${settings.publicUrl}/goodbye`],
    demo: demoAccount,
    ...(env.SMTP_RELAY_URL ? { smtpRelayUrl: env.SMTP_RELAY_URL } : {}),
  });
  closers.push(() => identity.close());
  return identity;
}
