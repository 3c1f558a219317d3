import { join } from 'node:path';
import { type Postgres, startPostgres } from '@assay/postgres';
import {
  audienceOf,
  defaultOf,
  identityAdminClient,
  identityRealmAt,
} from '../../src/platform/config/index.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { demoAccount } from './demo-account.ts';
import { identityIsGiven, mailWorldIsGiven } from './given-parts.ts';
import { webAppAddresses } from './identity.ts';
import { mailboxesAreWanted } from './mailboxes.ts';
import type { Parts } from './part-thread.ts';
import { createPartThreads, type PartThreads } from './part-threads.ts';
import { ensureSecret, type LocalSettings, portOffsets } from './settings.ts';
import type { StopRequest } from './stop-request.ts';

export interface StandIns {
  /** The product's settings to reach them: addresses, and nothing that says they are stand-ins. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where the identity provider is to run as one of the product's processes; null where it is a thread, or another one. */
  readonly identityPort: number | null;
  /** The embedded identity provider of a trial. */
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
  const { environment, databaseUrl, parts, close } = await layFoundation(settings, env, stop);
  try {
    if (!mailWorldIsGiven(env)) Object.assign(environment, await startMail(env, parts));
    const adminClient = identityAdminClient(environment.ASSAY_SECRET);
    const adminEnvironment = {
      OIDC_ADMIN_KIND: 'keycloak',
      OIDC_ADMIN_URL: identityRealmAt(identityUrl(settings)),
      OIDC_ADMIN_CLIENT_ID: adminClient.clientId,
      OIDC_ADMIN_CLIENT_SECRET: adminClient.clientSecret,
    };
    const identity = identityIsGiven(env)
      ? null
      : await startSignIn(settings, env, databaseUrl, adminClient, parts);
    if (identity)
      Object.assign(environment, identityEnvironment(identityUrl(settings), settings, env), adminEnvironment);
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
    return { environment, identity, identityPort: null, hasMailboxes: mailboxesAreWanted(env), close };
  } catch (error) {
    await close();
    throw error;
  }
}

export interface Foundation {
  readonly environment: Record<string, string> & { readonly ASSAY_SECRET: string };
  /** For what needs sessions of its own. */
  readonly databaseUrl: string;
  readonly parts: PartThreads;
  close(): Promise<void>;
}

/** What a trial and production have in common: the secret, the database at this version, and threads for further parts. */
export async function layFoundation(
  settings: LocalSettings,
  env: NodeJS.ProcessEnv,
  stop: StopRequest,
): Promise<Foundation> {
  const ASSAY_SECRET = env.ASSAY_SECRET || (await ensureSecret(settings.dataFolder));
  const postgres = env.DATABASE_URL ? null : await startDatabase(settings, stop);
  const parts = createPartThreads({ say: (line) => console.error(line) });
  const close = async () => {
    await parts.stop();
    await postgres?.stop();
  };
  try {
    const DATABASE_URL = postgres?.url ?? env.DATABASE_URL ?? '';
    const databaseUrl = (env.DATABASE_URL && env.DATABASE_DIRECT_URL) || DATABASE_URL;
    stop.signal.throwIfAborted();
    await migrate(databaseUrl);
    stop.signal.throwIfAborted();
    return { environment: { ASSAY_SECRET, DATABASE_URL }, databaseUrl, parts, close };
  } catch (error) {
    await close();
    throw error;
  }
}

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
  const world = await parts.keepRunning('mail', { forward: true });
  return {
    ASSAY_DNS: world.dns,
    ASSAY_ALLOW_RANGES: world.allowRanges.join(','),
    // The health check asks only the mail world.
    ASSAY_EGRESS_TARGETS: 'mx.exists.test',
    ASSAY_BLOCK_LISTS: 'none',
    ...(!env.ASSAY_SANDBOX_DNS && sandboxIn(world)),
  };
}

/** The settings that make a mail world the sandbox of the API. */
export const sandboxIn = ({ dns, allowRanges }: Parts['mail']['facts']) => ({
  ASSAY_SANDBOX_DNS: dns,
  ASSAY_SANDBOX_RANGES: allowRanges.join(','),
});

/** The settings of the embedded provider, which `assay token` needs too. */
export function identityEnvironment(
  issuer: string,
  { publicUrl }: Pick<LocalSettings, 'publicUrl'>,
  env: NodeJS.ProcessEnv,
) {
  return {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: env.OIDC_CLIENT_ID || defaultOf('oidcClientId'),
    OIDC_AUDIENCE: env.OIDC_AUDIENCE || audienceOf(publicUrl),
    OIDC_TOKEN_TYPES: 'at+jwt',
  };
}

async function startSignIn(
  settings: LocalSettings,
  env: NodeJS.ProcessEnv,
  databaseUrl: string,
  admin: ReturnType<typeof identityAdminClient>,
  parts: PartThreads,
): Promise<{ readonly trustsAddresses: boolean }> {
  const issuer = identityUrl(settings);
  const { OIDC_CLIENT_ID, OIDC_AUDIENCE } = identityEnvironment(issuer, settings, env);
  return parts.keepRunning('identity', {
    databaseUrl,
    issuer,
    host: settings.host,
    port: settings.port + portOffsets.identity,
    audience: OIDC_AUDIENCE,
    clientId: OIDC_CLIENT_ID,
    ...webAppAddresses(settings.publicUrl),
    demo: demoAccount,
    standsInForGoogle: true,
    admin,
    ...(env.SMTP_RELAY_URL ? { smtpRelayUrl: env.SMTP_RELAY_URL } : {}),
  });
}
