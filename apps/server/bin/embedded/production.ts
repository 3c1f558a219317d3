import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, isLoopback, issuerBelow, readConfig } from '../../src/platform/config/index.ts';
import { type EmbeddedParts, identityEnvironment, layFoundation } from './foundation.ts';
import { identityIsGiven } from './given-parts.ts';
import { type LocalSettings, portOffsets, sandboxSettings } from './settings.ts';
import type { StopRequest } from './stop-request.ts';

const loopbackProxies = '127.0.0.1,::1';

export interface ProductionOptions {
  /** `--without-payments`: the operator has decided to sell nothing. */
  readonly sellsNothing: boolean;
}

/** Throws everything that production lacks in this environment, in one message. Nothing has been started or written yet. */
export function refuseUnready(env: NodeJS.ProcessEnv, options: ProductionOptions): void {
  const problems = [...missingOf(env, options), ...mistakesOf(env)];
  if (problems.length === 0) return;
  throw new Error(
    `Assay is not ready for production:\n${problems.map((line) => `  - ${line}`).join('\n')}\nSee docs/installation.md, "One machine in production". Without --production, this is a trial.`,
  );
}

function missingOf(env: NodeJS.ProcessEnv, { sellsNothing }: ProductionOptions): string[] {
  const isPrivate = isLoopback(env.HOST || 'localhost');
  const demands: [boolean, string][] = [
    [
      env.PUBLIC_URL?.startsWith('https://') === true,
      'PUBLIC_URL must be the https address that people will use, such as https://verify.example.com.',
    ],
    [
      Boolean(env.SMTP_RELAY_URL),
      'SMTP_RELAY_URL must name your mail relay: people sign up with a code that is mailed to them.',
    ],
    [
      Boolean(env.STRIPE_SECRET_KEY) || sellsNothing,
      'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET must be given. To sell nothing, add --without-payments.',
    ],
    [
      !(env.STRIPE_SECRET_KEY && sellsNothing),
      'STRIPE_SECRET_KEY is given, and so is --without-payments. Leave one of them out.',
    ],
    [
      isPrivate || Boolean(env.TRUSTED_PROXIES),
      'TRUSTED_PROXIES must name the addresses of your TLS proxy, because HOST lets others connect too.',
    ],
  ];
  return demands.flatMap(([isMet, text]) => (isMet ? [] : [text]));
}

/** What the processes would complain about later, one after the other. */
function mistakesOf(env: NodeJS.ProcessEnv): readonly string[] {
  const addedLater = {
    DATABASE_URL: env.DATABASE_URL || 'postgres://localhost',
    ASSAY_SECRET: env.ASSAY_SECRET || 'x'.repeat(32),
    ...(!identityIsGiven(env) && { IDENTITY_URL: 'http://localhost' }),
  };
  try {
    const { webRoot } = readConfig({ ...env, ...addedLater });
    const lacksWebApp = webRoot !== null && !existsSync(join(webRoot, 'index.html'));
    return lacksWebApp ? ['The web app is not built. Run: npm run build'] : [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

/**
 * Starts what one machine in production adds to the product's own processes: the database, and the mail world that answers test
 * keys. No stand-in: payments, mails and DNS are the real ones. The identity provider is a process of the product's own.
 */
export async function startProductionParts(
  settings: LocalSettings,
  env: NodeJS.ProcessEnv,
  stop: StopRequest,
): Promise<EmbeddedParts> {
  const { environment, databaseUrl, parts, close } = await layFoundation(settings, env, stop);
  try {
    environment.TRUSTED_PROXIES = env.TRUSTED_PROXIES || loopbackProxies;
    const identityPort = identityIsGiven(env) ? null : settings.port + portOffsets.identity;
    if (identityPort) {
      // A trial must not wait for the code of the provider here: its thread loads it.
      const { refuseTrialAccounts } = await import('./identity.ts');
      await refuseTrialAccounts(databaseUrl);
      const issuer = issuerBelow(settings.publicUrl);
      Object.assign(environment, identityEnvironment(issuer, settings, env), {
        IDENTITY_HOST: '127.0.0.1',
        IDENTITY_PORT: String(identityPort),
        IDENTITY_URL: `http://127.0.0.1:${identityPort}`,
      });
    }
    if (!env.ASSAY_SANDBOX_DNS)
      Object.assign(environment, sandboxSettings(await parts.keepRunning('mail', {})));
    return { environment, identity: null, identityPort, hasMailboxes: false, close };
  } catch (error) {
    await close();
    throw error;
  }
}
