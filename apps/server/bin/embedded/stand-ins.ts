import { join } from 'node:path';
import { type Postgres, startPostgres } from '@assay/postgres';
import { audienceOf, defaultOf } from '../../src/platform/config/index.ts';
import { createSecrets } from '../../src/platform/crypto/secrets.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { demoAccount } from './demo-account.ts';
import { mailWorldIsGiven } from './mail-world-given.ts';
import { mailboxesAreWanted } from './mailboxes.ts';
import { createPartThreads, type PartThreads } from './part-threads.ts';
import { ensureSecret, type LocalSettings, portOffsets } from './settings.ts';
import type { StopRequest } from './stop-request.ts';

export interface StandIns {
  /** The product's settings to reach them: addresses, and nothing that says they are stand-ins. */
  readonly environment: Readonly<Record<string, string>>;
  /** The embedded identity provider, where it is the one in use. */
  readonly identity: { readonly trustsAddresses: boolean } | null;
  /** Whether mailboxes can be connected without a real provider. */
  readonly hasMailboxes: boolean;
  close(): Promise<void>;
}

/**
 * Starts a stand-in on loopback for each outside part that the environment does not name. DATABASE_URL, OIDC_ISSUER,
 * STRIPE_SECRET_KEY and GOOGLE_CLIENT_ID replace the embedded database, identity provider, payments and Google.
 */
export async function startStandIns(
  settings: LocalSettings,
  env: NodeJS.ProcessEnv,
  stop: StopRequest,
): Promise<StandIns> {
  const environment: Record<string, string> = {};
  const parts = createPartThreads({ say: (line) => console.error(line) });
  let closeDatabase = async (): Promise<void> => undefined;
  const close = async () => {
    await parts.stop();
    await closeDatabase();
  };

  try {
    environment.ASSAY_SECRET = env.ASSAY_SECRET || (await ensureSecret(settings.dataFolder));
    const postgres = env.DATABASE_URL ? null : await startDatabase(settings, stop);
    closeDatabase = async () => postgres?.stop();
    environment.DATABASE_URL = postgres?.url ?? env.DATABASE_URL ?? '';
    // The stand-ins need sessions of their own too.
    const databaseUrl = (env.DATABASE_URL && env.DATABASE_DIRECT_URL) || environment.DATABASE_URL;
    stop.signal.throwIfAborted();
    await migrate(databaseUrl);
    stop.signal.throwIfAborted();
    if (!mailWorldIsGiven(env)) Object.assign(environment, await startMail(env, parts));
    const adminClient = adminClientOf(environment.ASSAY_SECRET);
    const adminEnvironment = {
      OIDC_ADMIN_KIND: 'keycloak',
      OIDC_ADMIN_URL: `${identityUrl(settings)}/realms/assay`,
      OIDC_ADMIN_CLIENT_ID: adminClient.clientId,
      OIDC_ADMIN_CLIENT_SECRET: adminClient.clientSecret,
    };
    const identity = env.OIDC_ISSUER
      ? null
      : await startSignIn(settings, env, databaseUrl, adminClient, parts);
    if (identity) Object.assign(environment, identityEnvironment(settings, env), adminEnvironment);
    stop.signal.throwIfAborted();
    if (!env.STRIPE_SECRET_KEY) {
      Object.assign(
        environment,
        (await parts.keepRunning('payments', { settings, databaseUrl })).environment,
      );
    }
    if (mailboxesAreWanted(env)) {
      const input = { settings, env: { ...env }, databaseUrl, secret: environment.ASSAY_SECRET };
      Object.assign(environment, (await parts.keepRunning('mailboxes', input)).environment);
    }
    return { environment, identity, hasMailboxes: mailboxesAreWanted(env), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The product's access to the accounts of the embedded provider, derived from the installation's secret. */
const adminClientOf = (secret: string) => ({
  clientId: 'assay-admin',
  clientSecret: createSecrets(secret).keyedHash('embedded identity', 'admin client'),
});

const identityUrl = ({ port }: LocalSettings): string => `http://localhost:${port + portOffsets.identity}`;

async function startDatabase({ dataFolder }: LocalSettings, stop: StopRequest): Promise<Postgres> {
  const postgres = await startPostgres({ dataDir: join(dataFolder, 'postgres') });
  void postgres.lost.then(({ wasAsked }) =>
    stop.ask(wasAsked ? undefined : new Error('The embedded database stopped unexpectedly.')),
  );
  return postgres;
}

/** The mail internet of `.test`; it answers for the sandbox of the API too, unless another world does. */
async function startMail(env: NodeJS.ProcessEnv, parts: PartThreads): Promise<Record<string, string>> {
  const world = await parts.keepRunning('mail', {});
  const ranges = world.allowRanges.join(',');
  return {
    ASSAY_DNS: world.dns,
    ASSAY_ALLOW_RANGES: ranges,
    // The health check asks only the mail world.
    ASSAY_EGRESS_TARGETS: 'mx.exists.test',
    ASSAY_BLOCK_LISTS: 'none',
    ...(!env.ASSAY_SANDBOX_DNS && { ASSAY_SANDBOX_DNS: world.dns, ASSAY_SANDBOX_RANGES: ranges }),
  };
}

function identityEnvironment(settings: LocalSettings, env: NodeJS.ProcessEnv) {
  return {
    OIDC_ISSUER: identityUrl(settings),
    OIDC_CLIENT_ID: env.OIDC_CLIENT_ID || defaultOf('oidcClientId'),
    OIDC_AUDIENCE: env.OIDC_AUDIENCE || audienceOf(settings.publicUrl),
    OIDC_TOKEN_TYPES: 'at+jwt',
  };
}

async function startSignIn(
  settings: LocalSettings,
  env: NodeJS.ProcessEnv,
  databaseUrl: string,
  admin: ReturnType<typeof adminClientOf>,
  parts: PartThreads,
): Promise<{ readonly trustsAddresses: boolean }> {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_AUDIENCE } = identityEnvironment(settings, env);
  return parts.keepRunning('identity', {
    databaseUrl,
    issuer: OIDC_ISSUER,
    host: settings.host,
    port: settings.port + portOffsets.identity,
    audience: OIDC_AUDIENCE,
    clientId: OIDC_CLIENT_ID,
    redirectUris: [`${settings.publicUrl}/redirect`],
    postLogoutRedirectUris: [`${settings.publicUrl}/`, `${settings.publicUrl}/goodbye`],
    demo: demoAccount,
    admin,
    ...(env.SMTP_RELAY_URL ? { smtpRelayUrl: env.SMTP_RELAY_URL } : {}),
  });
}
