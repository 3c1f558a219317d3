import type { MailboxCredential } from '@assay/contract';
import type { CredentialRow } from './warmup.store.ts';

/** A mailbox as the customer sees it, without its tokens. */
export const credentialAnswer = (row: CredentialRow, consentUrl: string | null): MailboxCredential => ({
  email: row.account_email,
  provider: row.provider,
  status: row.refresh_at === null ? 'ENDED' : 'CONNECTED',
  creation_date: row.created_at.toISOString(),
  consent_url: consentUrl,
});
