import { hasIdentityAccount } from '@assay/identity';
import { identityAdminClient, readIdentityConfig } from '../../src/platform/config/index.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { announceProcess } from '../../src/platform/live-processes.ts';
import { readVersion } from '../../src/platform/version.ts';
import { runUntilStopped } from '../../src/processes/run-until-stopped.ts';
import { untilDatabaseAnswers } from '../../src/processes/until-database.ts';
import type { CommandIo } from '../command-io.ts';
import { demoAccount } from './demo-account.ts';
import { webAppAddresses } from './settings.ts';
import { startIdentityWithLog } from './start-identity.ts';

/** `assay identity`: the embedded identity provider as a process, for real people: it trusts no address and has no demo account. */
export async function runIdentity(_argv: string[], io: CommandIo): Promise<number> {
  const config = readIdentityConfig(io.env);
  const { publicUrl, databaseUrl, issuer, audience, clientId, host, port } = config;
  return runUntilStopped({ level: config.logLevel, process: 'identity' }, async (running) => {
    const { logger, stopAsked, opened } = running;
    if (!(await untilDatabaseAnswers({ url: databaseUrl, directUrl: databaseUrl }, running))) return;
    await refuseTrialAccounts(databaseUrl);
    const identity = await startIdentityWithLog({
      databaseUrl,
      issuer,
      audience,
      clientId,
      host,
      port,
      ...webAppAddresses(publicUrl),
      admin: identityAdminClient(config.secret),
      smtpRelayUrl: config.relayUrl,
      mailFrom: `Assay <${config.mailFrom}>`,
      onError: (error) => logger.error({ err: error }, 'the identity provider had a problem'),
    });
    opened.defer(() => identity.close());
    const { db, close } = openDatabase({
      url: databaseUrl,
      poolSize: 1,
      applicationName: 'assay identity',
      onIdleError: (error) => logger.warn({ err: error }, 'an idle database connection broke'),
    });
    opened.defer(close);
    const version = await readVersion(config.commit);
    const announced = await announceProcess({ db, logger, kind: 'identity', version });
    opened.defer(() => announced.close());
    logger.info({ port, issuer }, 'serving');
    logger.info({ asked_by: await stopAsked }, 'stopping');
  });
}

/** A trial has an account whose password is in the documentation, and others whose addresses were taken on trust. */
export async function refuseTrialAccounts(databaseUrl: string): Promise<void> {
  if (!(await hasIdentityAccount(databaseUrl, demoAccount.email))) return;
  throw new Error(
    `This database was made for a trial: it has the account ${demoAccount.email}, whose password everybody knows. Begin with an empty one: another ASSAY_DATA, or another DATABASE_URL.`,
  );
}
