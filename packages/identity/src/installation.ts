import { type Mailer, openMailer } from './mailer.ts';
import { defaultLimits, homeUrlOf, type IdentityLimits, type IdentityOptions } from './options.ts';
import { Attempts } from './store/attempts.ts';
import { type Database, openDatabase } from './store/database.ts';
import { PendingSteps } from './store/pending-steps.ts';
import { loadSecrets, type Secrets } from './store/secrets.store.ts';

/** What every part of a running provider is handed: its database, its keys, its limits and its clock. */
export interface Installation {
  options: IdentityOptions;
  database: Database;
  secrets: Secrets;
  attempts: Attempts;
  pendingSteps: PendingSteps;
  limits: IdentityLimits;
  /** None when no relay is configured. */
  mailer: Mailer | undefined;
  /** Without a relay nothing can be sent to an address, so it is taken to be the person's own. */
  trustsAddresses: boolean;
  now(): Date;
  onError(error: Error): void;
  /** The relay's own words may repeat the address, so only its codes are reported. */
  reportRelay(error: unknown): void;
}

export async function openInstallation(options: IdentityOptions): Promise<Installation> {
  const now = () => options.clock?.now() ?? new Date();
  const database = await openDatabase(options.databaseUrl);
  const secrets = await loadSecrets(database, now()).catch(async (error) => {
    await database.end();
    throw error;
  });
  const { pepper } = secrets;
  const onError = options.onError ?? ((error: Error) => console.error('identity:', error.message));
  const from = options.mailFrom ?? `Assay <no-reply@${new URL(options.issuer).hostname}>`;
  return {
    options,
    database,
    secrets,
    attempts: new Attempts(database, { pepper, now }),
    pendingSteps: new PendingSteps(database, { pepper, now }),
    limits: { ...defaultLimits, ...options.limits },
    mailer: options.smtpRelayUrl
      ? await openMailer({ relayUrl: options.smtpRelayUrl, from, homeUrl: homeUrlOf({ options }) })
      : undefined,
    trustsAddresses: !options.smtpRelayUrl,
    now,
    onError,
    reportRelay: (error) => {
      const { code, responseCode } = error as { code?: string; responseCode?: number };
      onError(new Error(`The mail relay failed: ${code} ${responseCode ?? ''}`));
    },
  };
}

export async function closeInstallation({ database, mailer }: Installation): Promise<void> {
  mailer?.close();
  await database.end();
}
