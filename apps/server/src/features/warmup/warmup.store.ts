import type { MailboxProvider } from '@assay/contract';
import type { Sealed } from '../../platform/crypto/key-ring.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';

export interface NewAuthorization {
  readonly id: string;
  readonly ownerId: AccountId;
  readonly provider: MailboxProvider;
  readonly verifier: Sealed;
  readonly expiresAt: Date;
}

export async function insertAuthorization(db: Db, authorization: NewAuthorization): Promise<void> {
  await db
    .insertInto('mailbox_authorizations')
    .values({
      id: authorization.id,
      owner_id: authorization.ownerId,
      provider: authorization.provider,
      sealed_verifier: authorization.verifier.sealed,
      key_id: authorization.verifier.keyId,
      expires_at: authorization.expiresAt,
    })
    .execute();
}

/** Uses up an authorization: only the first caller gets it. */
export async function takeAuthorization(
  db: Db,
  { ownerId, id }: Pick<NewAuthorization, 'ownerId' | 'id'>,
): Promise<Sealed | undefined> {
  const row = await db
    .deleteFrom('mailbox_authorizations')
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .returning(['sealed_verifier', 'key_id'])
    .executeTakeFirst();
  return row && { sealed: row.sealed_verifier, keyId: row.key_id };
}

export async function deleteExpiredAuthorizations(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('mailbox_authorizations').where('expires_at', '<=', now).execute();
}

export interface NewCredential {
  readonly ownerId: AccountId;
  readonly id: string;
  readonly provider: MailboxProvider;
  readonly address: string;
  readonly tokens: Sealed;
  readonly refreshAt: Date;
  readonly now: Date;
}

/** A mailbox that is already connected gets the new tokens. */
export async function saveCredential(tx: Tx, credential: NewCredential) {
  const changing = {
    id: credential.id,
    sealed_tokens: credential.tokens.sealed,
    key_id: credential.tokens.keyId,
    refresh_at: credential.refreshAt,
  };
  return tx
    .insertInto('mailbox_credentials')
    .values({
      ...changing,
      owner_id: credential.ownerId,
      provider: credential.provider,
      account_email: credential.address,
      created_at: credential.now,
    })
    .onConflict((conflict) =>
      conflict.columns(['owner_id', 'provider', 'account_email']).doUpdateSet(changing),
    )
    .returning(credentialColumns)
    .executeTakeFirstOrThrow();
}

const credentialColumns = ['provider', 'account_email', 'refresh_at', 'created_at'] as const;

export type CredentialRow = Awaited<ReturnType<typeof listCredentialsOf>>[number];

/** Oldest connection first. */
export async function listCredentialsOf(db: Db, ownerId: AccountId) {
  return db
    .selectFrom('mailbox_credentials')
    .select(credentialColumns)
    .where('owner_id', '=', ownerId)
    .orderBy('created_at')
    .orderBy('account_email')
    .execute();
}

export interface CredentialChoice {
  readonly ownerId: AccountId;
  /** All of them if absent. */
  readonly address?: string;
  readonly provider?: MailboxProvider;
}

/** Deletes mailboxes and returns the tokens to revoke. */
export async function deleteCredentials(tx: Tx, { ownerId, address, provider }: CredentialChoice) {
  let query = tx.deleteFrom('mailbox_credentials').where('owner_id', '=', ownerId);
  if (address !== undefined) query = query.where('account_email', '=', address);
  if (provider !== undefined) query = query.where('provider', '=', provider);
  return query.returning(['id', 'provider', 'account_email', 'sealed_tokens', 'key_id']).execute();
}

/** Whether a customer has access to this mailbox. */
export async function isConnected(
  db: Db,
  { provider, address }: { provider: MailboxProvider; address: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('mailbox_credentials')
    .select('id')
    .where('provider', '=', provider)
    .where('account_email', '=', address)
    .where('sealed_tokens', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
