import { identityAdminClient, identityRealmAt } from '../../src/platform/config/index.ts';
import { demoAccount } from './demo-account.ts';
import { type EmbeddedParts, identityEnvironment, layFoundation } from './foundation.ts';
import { identityIsGiven, mailWorldIsGiven } from './given-parts.ts';
import { mailboxesAreWanted } from './mailboxes.ts';
import type { PartThreads } from './part-threads.ts';
import { type LocalSettings, portOffsets, sandboxSettings, webAppAddresses } from './settings.ts';
import type { StopRequest } from './stop-request.ts';

/**
 * Starts a stand-in on loopback for each outside part that the environment does not name. DATABASE_URL, OIDC_ISSUER,
 * STRIPE_SECRET_KEY and GOOGLE_CLIENT_ID replace the embedded database, identity provider, payments and Google.
 */
export async function startStandIns(
  settings: LocalSettings,
  env: NodeJS.ProcessEnv,
  stop: StopRequest,
): Promise<EmbeddedParts> {
  const { environment, databaseUrl, parts, close } = await layFoundation(settings, env, stop);
  try {
    const adminClient = identityAdminClient(environment.ASSAY_SECRET);
    // Together, because each mostly loads its code.
    const [mail, identity, ...others] = await Promise.all([
      mailWorldIsGiven(env) ? {} : startMail(env, parts),
      identityIsGiven(env) ? null : startSignIn(settings, env, databaseUrl, adminClient, parts),
      env.STRIPE_SECRET_KEY ? null : parts.keepRunning('payments', { settings, databaseUrl }),
      mailboxesAreWanted(env)
        ? parts.keepRunning('mailboxes', {
            settings,
            env: { ...env },
            databaseUrl,
            secret: environment.ASSAY_SECRET,
          })
        : null,
    ]);
    stop.signal.throwIfAborted();
    Object.assign(environment, mail, ...others.map((started) => started?.environment));
    if (identity) {
      Object.assign(environment, identityEnvironment(identityUrl(settings), settings, env), {
        OIDC_ADMIN_KIND: 'keycloak',
        OIDC_ADMIN_URL: identityRealmAt(identityUrl(settings)),
        OIDC_ADMIN_CLIENT_ID: adminClient.clientId,
        OIDC_ADMIN_CLIENT_SECRET: adminClient.clientSecret,
      });
    }
    return { environment, identity, identityPort: null, hasMailboxes: mailboxesAreWanted(env), close };
  } catch (error) {
    await close();
    throw error;
  }
}

const identityUrl = ({ port }: LocalSettings): string => `http://localhost:${port + portOffsets.identity}`;

/** The mail internet of `.test`; it answers for the sandbox of the API too, unless another world does. */
async function startMail(env: NodeJS.ProcessEnv, parts: PartThreads): Promise<Record<string, string>> {
  const world = await parts.keepRunning('mail', { forward: true });
  return {
    ASSAY_DNS: world.dns,
    ASSAY_ALLOW_RANGES: world.allowRanges.join(','),
    // The health check asks only the mail world.
    ASSAY_EGRESS_TARGETS: 'mx.exists.test',
    ASSAY_BLOCK_LISTS: 'none',
    ...(!env.ASSAY_SANDBOX_DNS && sandboxSettings(world)),
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
