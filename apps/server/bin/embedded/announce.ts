import { demoAccount } from './demo-account.ts';
import type { EmbeddedParts } from './foundation.ts';
import type { LocalSettings } from './settings.ts';

interface Announcement {
  readonly settings: LocalSettings;
  readonly parts: EmbeddedParts;
  readonly seconds: number;
}

/** Prints what to try first when the product is ready. */
export function announce({ settings, parts, seconds }: Announcement): void {
  const lines = [
    '',
    `  Assay is ready (${seconds.toFixed(1)} s):  ${settings.publicUrl}`,
    '',
    ...signInLines(parts),
    '  To try',
    `    ${settings.publicUrl}/docs  the API reference`,
    ...(parts.hasMailboxes
      ? [`    ${settings.publicUrl}/warm-up  connect a mailbox, with stand-ins for Google and Microsoft`]
      : []),
    '    npx assay verify jane@exists.test nobody@exists.test anyone@catch-all.test',
    ...(parts.identity ? [`    npx assay token --email ${demoAccount.email}  a bearer token for curl`] : []),
    '',
    `  Data is kept in ${settings.dataFolder}. Ctrl-C stops everything.`,
    '',
  ];
  console.log(lines.join('\n'));
}

/** Prints what to do next when the small installation is ready. */
export function announceProduction({ settings, seconds }: Omit<Announcement, 'parts'>): void {
  const { publicUrl, host, port, dataFolder } = settings;
  const lines = [
    '',
    `  Assay is ready (${seconds.toFixed(1)} s):  ${publicUrl}  through your TLS proxy, which leads to ${host}:${port}`,
    '',
    '  npx assay doctor                                      checks the installation, the proxy included',
    '  npx assay operators add --email ADDRESS --reason TEXT  gives the role to a person who has signed up',
    '',
    `  Data and secrets are kept in ${dataFolder}: back them up with \`npx assay backup\`.`,
    '',
  ];
  console.log(lines.join('\n'));
}

function signInLines({ identity }: EmbeddedParts): string[] {
  if (!identity) return [];
  return [
    `  Sign in as  ${demoAccount.email}  with  ${demoAccount.password}  , or sign up as yourself.`,
    ...(identity.trustsAddresses
      ? [
          '  Addresses are taken on trust at sign-up: set SMTP_RELAY_URL to have them verified by an emailed code.',
        ]
      : []),
    '',
  ];
}
