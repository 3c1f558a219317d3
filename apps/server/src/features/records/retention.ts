import type { ExpiredWork, RetentionDays } from '@assay/contract';
import type { Caller } from '../../platform/auth/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';
import { findAccountsWithRetention, updateRetention } from '../accounts/index.ts';
import { forgetListNames, recordActivity } from '../activity/index.ts';
import { countOldGuesses, deleteOldGuesses, peopleLists } from '../guessing/index.ts';
import type { OldWork } from '../lists/index.ts';
import { deleteOldOutcomes } from '../outcomes/index.ts';
import { countOldSingles, deleteOldSingles, emailLists } from '../verification/index.ts';
import { removeOldDeliveries } from '../webhooks/index.ts';

interface RetentionParts {
  readonly db: Db;
  readonly clock: Clock;
}

const msPerDay = 86_400_000;

/** What is older than `days`. */
const oldWork = ({ clock }: RetentionParts, ownerId: AccountId, days: RetentionDays): OldWork => ({
  ownerId,
  before: new Date(clock.now().getTime() - days * msPerDay),
});

export async function previewRetention(
  parts: RetentionParts,
  ownerId: AccountId,
  days: RetentionDays,
): Promise<ExpiredWork> {
  const old = oldWork(parts, ownerId, days);
  const emails = await emailLists.answers.countOld(parts.db, old);
  const people = await peopleLists.answers.countOld(parts.db, old);
  return {
    lists: emails.lists + people.lists,
    list_emails: emails.rows,
    singles: await countOldSingles(parts.db, old),
    guesses: people.rows + (await countOldGuesses(parts.db, old)),
  };
}

/** The next run of the job deletes what is too old by then. */
export async function setRetention(
  { db, clock }: RetentionParts,
  caller: Caller,
  days: RetentionDays | null,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await updateRetention(tx, caller.accountId, days);
    const about = days === null ? 'Forever' : `${days} days`;
    await recordActivity(tx, caller, { kind: 'setting.retention', about, now: clock.now() });
  });
}

/**
 * Deletes the work of customers who chose to keep it for some days only. The sweeps of lists and uploads then remove rows,
 * evidence and files, as they do when a customer deletes a list. See docs/records.md.
 */
export async function applyRetention(parts: RetentionParts, signal: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  for await (const { ownerId, days } of findAccountsWithRetention(parts.db)) {
    // The work of others must not wait for the one that failed; the job reports it at its end.
    await deleteOldWork(parts, oldWork(parts, ownerId, days), signal).catch((error) => failures.push(error));
    signal.throwIfAborted();
  }
  if (failures.length > 0) throw failures[0];
}

async function deleteOldWork(parts: RetentionParts, old: OldWork, signal: AbortSignal): Promise<void> {
  await emailLists.control.deleteOld(parts, old, signal);
  await peopleLists.control.deleteOld(parts, old, signal);
  await deleteOldSingles(parts, old, signal);
  await deleteOldGuesses(parts, old, signal);
  await removeOldDeliveries(parts.db, old);
  await deleteOldOutcomes(parts.db, old, signal);
  await forgetListNames(parts.db, old);
}
