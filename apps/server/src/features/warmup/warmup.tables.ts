import type { MailboxProvider } from '@assay/contract';
import type { Generated } from 'kysely';
import type { Immutable } from '../../platform/database/tables.ts';
import type { AccountId } from '../../platform/ids.ts';

interface MailboxCredentialsTable {
  owner_id: Immutable<AccountId>;
  id: string;
  provider: Immutable<MailboxProvider>;
  account_email: Immutable<string>;
  sealed_tokens: string | null;
  key_id: string | null;
  refresh_at: Date | null;
  created_at: Immutable<Date>;
}

interface MailboxAuthorizationsTable {
  id: Immutable<string>;
  owner_id: Immutable<AccountId>;
  provider: Immutable<MailboxProvider>;
  sealed_verifier: Immutable<string>;
  key_id: Immutable<string>;
  expires_at: Immutable<Date>;
}

interface MailboxRevocationsTable {
  id: Immutable<string>;
  provider: Immutable<MailboxProvider>;
  grant_hash: Immutable<string>;
  sealed_tokens: string;
  key_id: string;
  attempt_count: Generated<number>;
  attempt_at: Date;
  created_at: Immutable<Date>;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    mailbox_credentials: MailboxCredentialsTable;
    mailbox_authorizations: MailboxAuthorizationsTable;
    mailbox_revocations: MailboxRevocationsTable;
  }
}
