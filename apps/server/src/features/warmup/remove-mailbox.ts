import type { MailboxProvider } from '@assay/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import type { JobQueue } from '../../platform/queue/index.ts';
import { type Actor, recordActivity } from '../activity/index.ts';
import { insertRevocation } from './revocations.store.ts';
import { revokeGrantsJob } from './warmup.jobs.ts';
import { type CredentialChoice, deleteCredentials } from './warmup.store.ts';

export interface RemovalParts {
  readonly secrets: Secrets;
  readonly queue: JobQueue;
}

/** Microsoft has no call for revoking: we erase its tokens, and people withdraw the consent themselves. */
const canRevoke: Readonly<Record<MailboxProvider, boolean>> = { GOOGLE: true, MICROSOFT: false };

/** Part of the stored hash. */
const grantPurpose = 'mailbox grant';

export const grantHashOf = (
  secrets: Secrets,
  grant: { ownerId: string; provider: MailboxProvider; address: string },
): string => secrets.keyedHash(grantPurpose, [grant.ownerId, grant.provider, grant.address].join(' '));

/** Removes the mailboxes that a customer chose, and records it. Returns the number of removed mailboxes. */
export async function removeChosenMailboxes(
  { db, clock, ...parts }: RemovalParts & { readonly db: Db; readonly clock: Clock },
  actor: Actor,
  choice: Omit<CredentialChoice, 'ownerId'>,
): Promise<number> {
  const now = clock.now();
  return db.transaction().execute(async (tx) => {
    const ownerId = actor.userId;
    const removedCount = await removeMailboxes(tx, { ...parts, choice: { ...choice, ownerId }, now });
    const about = choice.address ?? 'All mailboxes';
    if (removedCount > 0) await recordActivity(tx, actor, { kind: 'mailbox.removed', about, now });
    return removedCount;
  });
}

/** Removes a mailbox by its address, at one provider or at all. */
export async function removeMailbox(
  parts: RemovalParts & { readonly db: Db; readonly clock: Clock },
  actor: Actor,
  choice: Omit<CredentialChoice, 'ownerId'>,
): Promise<void> {
  const removedCount = await removeChosenMailboxes(parts, actor, choice);
  if (removedCount === 0) throw new AppError('mailbox_not_found', { userId: actor.userId });
}

/**
 * Removes mailboxes at once and enqueues a job that revokes their tokens at the provider, with retries.
 * Returns the number of removed mailboxes.
 */
export async function removeMailboxes(
  tx: Tx,
  { secrets, queue, choice, now }: RemovalParts & { choice: CredentialChoice; now: Date },
): Promise<number> {
  const rows = await deleteCredentials(tx, choice);
  let leftCount = 0;
  for (const { id, provider, account_email, sealed_tokens, key_id } of rows) {
    if (!canRevoke[provider] || sealed_tokens === null || key_id === null) continue;
    const grantHash = grantHashOf(secrets, { ownerId: choice.ownerId, provider, address: account_email });
    const tokens = { sealed: sealed_tokens, keyId: key_id };
    await insertRevocation(tx, { id, provider, grantHash, tokens, now });
    leftCount += 1;
  }
  if (leftCount > 0) await queue.enqueue(tx, revokeGrantsJob, {});
  return rows.length;
}
