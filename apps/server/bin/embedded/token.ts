import { parseArgs } from 'node:util';
import { issueIdentityToken } from '@assay/identity';
import type { CommandIo } from '../command-io.ts';
import { demoAccount } from './demo-account.ts';
import { findRun } from './run-file.ts';
import { readLocalSettings } from './settings.ts';

const usage = `Usage: assay token --email ADDRESS

Prints a bearer token of that account, for trying the API of the product that runs on this data folder:
  curl -H "Authorization: Bearer $(npx assay token --email ${demoAccount.email})" http://localhost:3000/api/users/me
`;

/** `assay token`: works with the embedded identity provider only. */
export async function printToken(argv: string[], io: CommandIo): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: { email: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help || !values.email) {
    (values.help ? io.stdout : io.stderr).write(usage);
    return values.help ? 0 : 2;
  }

  const settings = readLocalSettings(io.env);
  const running = await findRun(settings.dataFolder);
  if (!running) throw new Error('Assay does not run on this data folder. Start it first: npm start');
  // The run names an identity provider only when it is the embedded one.
  const { DATABASE_URL, OIDC_ISSUER, OIDC_AUDIENCE, OIDC_CLIENT_ID } = running.environment;
  if (!DATABASE_URL || !OIDC_AUDIENCE || !OIDC_CLIENT_ID || !OIDC_ISSUER) {
    throw new Error(
      'Tokens are printed with the embedded identity only; ask your own identity provider for one.',
    );
  }

  const token = await issueIdentityToken({
    databaseUrl: DATABASE_URL,
    issuer: OIDC_ISSUER,
    audience: OIDC_AUDIENCE,
    clientId: OIDC_CLIENT_ID,
    email: values.email,
  });
  io.stdout.write(`${token}\n`);
  return 0;
}
