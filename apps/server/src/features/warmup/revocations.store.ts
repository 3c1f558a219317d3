import type { MailboxProvider } from '@assay/contract';
import { sql } from 'kysely';
import type { Sealed } from '../../platform/crypto/key-ring.ts';
import type { Db, Tx } from '../../platform/database/database.ts';

export interface NewRevocation {
  readonly id: string;
  readonly provider: MailboxProvider;
  readonly grantHash: string;
  readonly tokens: Sealed;
  readonly now: Date;
}

export async function insertRevocation(tx: Tx, revocation: NewRevocation): Promise<void> {
  await tx
    .insertInto('mailbox_revocations')
    .values({
      id: revocation.id,
      provider: revocation.provider,
      grant_hash: revocation.grantHash,
      sealed_tokens: revocation.tokens.sealed,
      key_id: revocation.tokens.keyId,
      attempt_at: revocation.now,
      created_at: revocation.now,
    })
    .execute();
}

/** Makes transactions that connect or remove the same mailbox wait for each other, also those of different customers. */
export async function lockGrant(tx: Tx, grantHash: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${grantHash}, 0))`.execute(tx);
}

/** For a mailbox that was connected again: revoking the old consent would end the new one too. */
export async function callOffRevocations(tx: Tx, grantHashes: readonly string[]): Promise<void> {
  await tx.deleteFrom('mailbox_revocations').where('grant_hash', 'in', grantHashes).execute();
}

/**
 * Claims the due revocations, so that no other worker takes them, and moves each to its next retry time. A run that
 * succeeds deletes them; one that fails or dies leaves them for the retry.
 */
export async function claimDueRevocations(db: Db, now: Date, limit: number) {
  const due = db
    .selectFrom('mailbox_revocations')
    .select('id')
    .where('attempt_at', '<=', now)
    .orderBy('attempt_at')
    .limit(limit)
    .forUpdate()
    .skipLocked();
  return db
    .updateTable('mailbox_revocations')
    .set({
      attempt_count: sql`attempt_count + 1`,
      attempt_at: sql`${now}::timestamptz + least(interval '1 minute' * 2 ^ least(attempt_count, 20), interval '6 hours')`,
    })
    .where('id', 'in', due)
    .returning(['id', 'provider', 'sealed_tokens', 'key_id', 'created_at'])
    .execute();
}

export async function deleteRevocation(db: Db, id: string): Promise<void> {
  await db.deleteFrom('mailbox_revocations').where('id', '=', id).execute();
}
