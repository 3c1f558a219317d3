import { OAUTH_CALLBACK_PATH } from '@assay/contract';
import { startMailboxes } from '@assay/stand-ins/mailboxes';
import { createSecrets } from '../../src/platform/crypto/secrets.ts';
import { type LocalSettings, portOffsets } from './settings.ts';

export interface EmbeddedMailboxes {
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Warm Up exists in staging only, and needs no stand-in when both providers are configured. */
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
  const { environment, close } = await startMailboxes({
    host,
    port: ownPort,
    publicUrl: `http://localhost:${ownPort}`,
    databaseUrl,
    client,
  });
  return {
    environment: {
      ...(!env.GOOGLE_CLIENT_ID && environment.google),
      ...(!env.MICROSOFT_CLIENT_ID && environment.microsoft),
    },
    close,
  };
}
