import type { MailboxProvider } from '@assay/contract';
import { sql } from 'kysely';
import type { Sealed } from '../../platform/crypto/key-ring.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';

export interface DueCredential {
  readonly ownerId: AccountId;
  readonly id: string;
  readonly provider: MailboxProvider;
  readonly tokens: Sealed;
}

/** Wait before a failed refresh is tried again. */
const retryMinutes = 2;

/** Claims mailboxes whose tokens are due, so that no other worker takes them, and sets their retry time. */
export async function claimDueCredentials(db: Db, now: Date, limit: number): Promise<DueCredential[]> {
  const due = db
    .selectFrom('mailbox_credentials')
    .select('id')
    .where('refresh_at', '<=', now)
    .orderBy('refresh_at')
    .limit(limit)
    .forUpdate()
    .skipLocked();
  const rows = await db
    .updateTable('mailbox_credentials')
    .set({ refresh_at: new Date(now.getTime() + retryMinutes * 60_000) })
    .where('id', 'in', due)
    .returning(['owner_id', 'id', 'provider', 'sealed_tokens', 'key_id'])
    .execute();
  return rows.flatMap(({ sealed_tokens, key_id, owner_id, id, provider }) =>
    sealed_tokens !== null && key_id !== null
      ? [{ ownerId: owner_id, id, provider, tokens: { sealed: sealed_tokens, keyId: key_id } }]
      : [],
  );
}

/** Changes nothing if the mailbox was removed or connected again meanwhile, because its id is then different. */
export async function updateTokens(db: Db, credential: DueCredential & { refreshAt: Date }): Promise<void> {
  const { ownerId, id, tokens, refreshAt } = credential;
  await db
    .updateTable('mailbox_credentials')
    .set({ sealed_tokens: tokens.sealed, key_id: tokens.keyId, refresh_at: refreshAt })
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .execute();
}

/** Keeps the mailbox, so that its owner sees what happened, and erases its useless tokens. */
export async function endCredential(
  db: Db,
  { ownerId, id }: Pick<DueCredential, 'ownerId' | 'id'>,
): Promise<void> {
  await db
    .updateTable('mailbox_credentials')
    .set({ sealed_tokens: null, key_id: null, refresh_at: null })
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .execute();
}

export const tokenTables = ['mailbox_credentials', 'mailbox_revocations'] as const;
type TokenTable = (typeof tokenTables)[number];

/** Tokens under a configured key that is not the current one. */
export async function findTokensUnderOlderKeys(
  tx: Tx,
  table: TokenTable,
  { olderKeyIds, limit }: { olderKeyIds: readonly string[]; limit: number },
): Promise<{ id: string; tokens: Sealed }[]> {
  if (olderKeyIds.length === 0) return [];
  const rows = await tx
    .selectFrom(table)
    .select(['id', 'sealed_tokens', 'key_id'])
    .where('key_id', 'in', olderKeyIds)
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  return rows.map(({ id, sealed_tokens, key_id }) => ({
    id,
    tokens: { sealed: sealed_tokens ?? '', keyId: key_id ?? '' },
  }));
}

export async function replaceSealedTokens(
  tx: Tx,
  table: TokenTable,
  id: string,
  { sealed, keyId }: Sealed,
): Promise<void> {
  await tx.updateTable(table).set({ sealed_tokens: sealed, key_id: keyId }).where('id', '=', id).execute();
}

/** Includes tokens whose key is missing. */
export async function countTokensUnderOtherKeys(db: Db, currentKeyId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from mailbox_credentials where key_id <> ${currentKeyId})
         + (select count(*) from mailbox_revocations where key_id <> ${currentKeyId}) as count`.execute(db);
  return rows[0]?.count ?? 0;
}
