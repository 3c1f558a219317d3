import type { Clock } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import type { Db } from '../../platform/database/database.ts';
import { runTransaction } from '../../platform/database/run-transaction.ts';
import { AppError } from '../../platform/errors/index.ts';
import { publishSessionsEnded } from '../../platform/events/index.ts';
import { ownAccountOf, type UserId } from '../../platform/ids.ts';
import type { JobQueue } from '../../platform/queue/index.ts';
import { deleteAccountRow, lockAccount } from '../accounts/index.ts';
import { closeActivities } from '../activity/index.ts';
import { settleGuessesOf } from '../guessing/index.ts';
import { findMailAddress, lockUser, mailFarewellJob, removeUser } from '../users/index.ts';
import { settleWorkOf } from '../verification/index.ts';
import { removeMailboxes } from '../warmup/index.ts';
import { deleteIdentityJob, removeRemainsJob } from './records.jobs.ts';

export interface DeletionParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly queue: JobQueue;
  /** Whether we may delete accounts at the identity provider. */
  readonly managesIdentities: boolean;
  /** Whether mails can be sent. */
  readonly sendsMails: boolean;
}

/** Longer than a running upload can take to write its last row or file. */
const stragglersMs = 6 * 3_600_000;

/**
 * Deletes a customer. One transaction ends their work and removes the account; jobs then remove large tables, files and
 * the account at the identity provider. The ledger keeps its entries under an id that identifies no person any more.
 * See docs/decisions/account-deletion.md.
 */
export async function deleteAccount(
  { db, clock, secrets, queue, managesIdentities, sendsMails }: DeletionParts,
  userId: UserId,
): Promise<void> {
  const ownerId = ownAccountOf(userId);
  const now = clock.now();
  await runTransaction(db, async (tx) => {
    const isHere = (await lockAccount(tx, ownerId)) && (await lockUser(tx, userId));
    if (!isHere) throw new AppError('unauthorized', { userId });
    const address = sendsMails ? await findMailAddress(tx, ownerId, 'security') : undefined;
    await settleWorkOf(tx, { ownerId, now });
    await removeMailboxes(tx, { secrets, queue, choice: { ownerId }, now });
    await settleGuessesOf(tx, { ownerId, now });
    await deleteAccountRow(tx, ownerId);
    const identities = await removeUser(tx, { userId, secrets, now });
    await publishSessionsEnded(tx, userId);

    if (address !== undefined) await queue.enqueue(tx, mailFarewellJob, { address });
    const payload = { ownerId };
    await queue.enqueueMany(tx, removeRemainsJob, [{ payload }, { payload, afterMs: stragglersMs }]);
    if (managesIdentities) {
      await queue.enqueueMany(
        tx,
        deleteIdentityJob,
        identities.map(({ subject }) => ({ payload: { subject } })),
      );
    }
    await closeActivities(tx, ownerId, now);
  });
}
