import { issueIdentityToken } from '@assay/identity';
import { defineCommand, UsageError } from '../../src/commands/command.ts';
import { findRun } from './run-file.ts';
import { readLocalSettings } from './settings.ts';

/** `assay token`: works with the embedded identity provider only. */
export const printToken = defineCommand('token', { email: { type: 'string' } }, async (command) => {
  const { email } = command.values;
  if (email === undefined) throw new UsageError('Name the account by --email.');
  const token = await issueToken(email, command.env);
  command.print([{ token }], `${token}\n`);
  return 0;
});

async function issueToken(email: string, env: NodeJS.ProcessEnv): Promise<string> {
  const { dataFolder } = readLocalSettings(env);
  const running = await findRun(dataFolder);
  if (!running) throw new Error('Assay does not run on this data folder. Start it first: npm start');
  // The run names an identity provider only when it is the embedded one.
  const { DATABASE_URL, OIDC_ISSUER, OIDC_AUDIENCE, OIDC_CLIENT_ID } = running.environment;
  if (!DATABASE_URL || !OIDC_AUDIENCE || !OIDC_CLIENT_ID || !OIDC_ISSUER) {
    throw new Error(
      'Tokens are printed with the embedded identity only; ask your own identity provider for one.',
    );
  }

  return issueIdentityToken({
    databaseUrl: DATABASE_URL,
    issuer: OIDC_ISSUER,
    audience: OIDC_AUDIENCE,
    clientId: OIDC_CLIENT_ID,
    email,
  });
}
