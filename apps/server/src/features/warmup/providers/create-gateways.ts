import { OAUTH_CALLBACK_PATH } from '@assay/contract';
import type { Config } from '../../../platform/config/index.ts';
import type { MailboxGateways } from './mailbox-gateway.ts';
import { createOAuthGateway } from './oauth-gateway.ts';

/** The configured providers; null for the others. */
export function createMailboxGateways({
  warmUp: { google, microsoft },
  publicUrl,
}: Pick<Config, 'warmUp' | 'publicUrl'>): MailboxGateways {
  const redirectUri = `${publicUrl}${OAUTH_CALLBACK_PATH}`;
  return {
    GOOGLE:
      google &&
      createOAuthGateway({
        ...google,
        provider: 'GOOGLE',
        redirectUri,
        consentUrl: null,
        mailScopes: ['https://www.googleapis.com/auth/gmail.modify'],
        otherScopes: [],
        // Without `prompt`, Google gives each person a refresh token only the first time.
        authorizationParameters: { access_type: 'offline', prompt: 'consent' },
        readAddress: ({ emailAddress }) => emailAddress,
      }),
    MICROSOFT:
      microsoft &&
      createOAuthGateway({
        ...microsoft,
        provider: 'MICROSOFT',
        redirectUri,
        revocationUrl: null,
        mailScopes: ['Mail.ReadWrite', 'Mail.Send'],
        otherScopes: ['offline_access', 'User.Read'],
        authorizationParameters: { response_mode: 'query', prompt: 'select_account' },
        // `mail` is empty for people without a mailbox address of their organisation.
        readAddress: ({ mail, userPrincipalName }) => mail ?? userPrincipalName,
      }),
  };
}
