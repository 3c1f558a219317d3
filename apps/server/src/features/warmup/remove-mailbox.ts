import type { MailboxProvider } from '@assay/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { runTransaction } from '../../platform/database/run-transaction.ts';
import { AppError } from '../../platform/errors/index.ts';
import { publishEvent } from '../../platform/events/index.ts';
import type { JobQueue } from '../../platform/queue/index.ts';
import { type Actor, recordActivity } from '../activity/index.ts';
import { insertRevocation, lockGrant } from './revocations.store.ts';
import { revokeGrantsJob } from './warmup.jobs.ts';
import { type CredentialChoice, deleteCredentials, isConnected } from './warmup.store.ts';

export interface RemovalParts {
  readonly secrets: Secrets;
  readonly queue: JobQueue;
}

/** Microsoft has no call for revoking: we erase its tokens, and people withdraw the consent themselves. */
const canRevoke: Readonly<Record<MailboxProvider, boolean>> = { GOOGLE: true, MICROSOFT: false };

/** Part of the stored hash. */
const grantPurpose = 'mailbox grant';

/** Under the secret and previous ones. The same for all customers, because Google has one consent for all of them. */
export const grantHashesOf = (
  secrets: Secrets,
  grant: { provider: MailboxProvider; address: string },
): [string, ...string[]] => secrets.keyedHashes(grantPurpose, [grant.provider, grant.address].join(' '));

/** Other tabs of the customer load the list again. */
export const mailboxesChanged = { event_type: 'refresh_mailboxes', event_metadata: {} } as const;

/** Removes the mailboxes that a customer chose, and records it. Returns the number of removed mailboxes. */
export async function removeChosenMailboxes(
  { db, clock, ...parts }: RemovalParts & { readonly db: Db; readonly clock: Clock },
  actor: Actor,
  choice: Omit<CredentialChoice, 'ownerId'>,
): Promise<number> {
  const now = clock.now();
  // Connecting the same mailbox takes these locks in another order, so there may be a deadlock.
  return runTransaction(db, async (tx) => {
    const ownerId = actor.accountId;
    const removedCount = await removeMailboxes(tx, { ...parts, choice: { ...choice, ownerId }, now });
    const about = choice.address ?? 'All mailboxes';
    if (removedCount === 0) return 0;
    await publishEvent(tx, ownerId, mailboxesChanged);
    await recordActivity(tx, actor, { kind: 'mailbox.removed', about, now });
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
  if (removedCount === 0) throw new AppError('mailbox_not_found', { userId: actor.accountId });
}

/**
 * Removes mailboxes at once and enqueues a job that revokes their tokens at the provider, with retries. A consent that
 * another customer still uses stays: revoking it would end their access too. Returns the number of removed mailboxes.
 */
export async function removeMailboxes(
  tx: Tx,
  { secrets, queue, choice, now }: RemovalParts & { choice: CredentialChoice; now: Date },
): Promise<number> {
  const rows = await deleteCredentials(tx, choice);
  const grants = rows.flatMap(({ id, provider, account_email: address, sealed_tokens, key_id }) => {
    if (!canRevoke[provider] || sealed_tokens === null || key_id === null) return [];
    const [grantHash] = grantHashesOf(secrets, { provider, address });
    return [{ id, provider, address, grantHash, tokens: { sealed: sealed_tokens, keyId: key_id } }];
  });
  let leftCount = 0;
  // In a fixed order, so that two removals of several mailboxes do not block each other.
  for (const grant of grants.sort((left, right) => left.grantHash.localeCompare(right.grantHash))) {
    await lockGrant(tx, grant.grantHash);
    if (await isConnected(tx, grant)) continue;
    await insertRevocation(tx, { ...grant, now });
    leftCount += 1;
  }
  if (leftCount > 0) await queue.enqueue(tx, revokeGrantsJob, {});
  return rows.length;
}
