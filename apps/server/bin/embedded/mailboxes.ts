import { OAUTH_CALLBACK_PATH } from '@assay/contract';
import { startMailboxes } from '@assay/stand-ins/mailboxes';
import { createSecrets } from '../../src/platform/crypto/secrets.ts';
import { type LocalSettings, portOffsets } from './settings.ts';

export interface EmbeddedMailboxes {
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Warm Up exists in staging only, and whoever names both providers needs none of ours. */
export const mailboxesAreWanted = (env: NodeJS.ProcessEnv): boolean =>
  env.ASSAY_STAGE === 'staging' && !(env.GOOGLE_CLIENT_ID && env.MICROSOFT_CLIENT_ID);

/** Starts the stand-in for both mailbox providers beside the product, which is its one registered application. */
export async function startEmbeddedMailboxes(
  { host, port, publicUrl }: LocalSettings,
  env: NodeJS.ProcessEnv,
  { databaseUrl, secret }: { databaseUrl: string; secret: string },
): Promise<EmbeddedMailboxes> {
  const ownPort = port + portOffsets.mailboxes;
  const client = {
    id: 'assay-mailboxes',
    secret: createSecrets(secret).keyedHash('embedded mailboxes', 'client'),
    redirectUris: [`${publicUrl}${OAUTH_CALLBACK_PATH}`],
    title: 'Assay',
  };
  const { addresses, close } = await startMailboxes({
    host,
    port: ownPort,
    publicUrl: `http://localhost:${ownPort}`,
    databaseUrl,
    client,
  });
  const { google, microsoft } = addresses;
  return {
    environment: {
      ...(!env.GOOGLE_CLIENT_ID && {
        GOOGLE_CLIENT_ID: client.id,
        GOOGLE_CLIENT_SECRET: client.secret,
        GOOGLE_AUTHORIZATION_URL: google.authorize,
        GOOGLE_TOKEN_URL: google.token,
        GOOGLE_REVOCATION_URL: google.revoke ?? '',
        GOOGLE_PROFILE_URL: google.profile,
      }),
      ...(!env.MICROSOFT_CLIENT_ID && {
        MICROSOFT_CLIENT_ID: client.id,
        MICROSOFT_CLIENT_SECRET: client.secret,
        MICROSOFT_AUTHORIZATION_URL: microsoft.authorize,
        MICROSOFT_TOKEN_URL: microsoft.token,
        MICROSOFT_PROFILE_URL: microsoft.profile,
        MICROSOFT_CONSENT_URL: microsoft.connections,
      }),
    },
    close,
  };
}
