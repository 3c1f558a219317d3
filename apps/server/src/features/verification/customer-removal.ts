import type { Db, Tx } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import type { AccountId } from '../../platform/ids.ts';
import { paidWork } from '../billing/index.ts';
import { removeWaits } from '../lists/index.ts';
import { removeFilesOf } from '../uploads/index.ts';
import { emailLists } from './lists/email-lists.ts';
import { dropPartitions } from './rows/large-lists.store.ts';
import { removeRows } from './rows/remove-rows.store.ts';
import { lockOpenSingles } from './singles/singles.store.ts';

/** Ends a customer's running work before their account is removed: takes credits for results, gives the rest back. */
export async function settleWorkOf(
  tx: Tx,
  { ownerId, now }: { ownerId: AccountId; now: Date },
): Promise<void> {
  const lists = await emailLists.results.lockHolding(tx, ownerId);
  const singles = await lockOpenSingles(tx, ownerId);
  for (const list of lists) {
    await emailLists.results.settleStopped(tx, { ownerId, listId: list.id }, list, now);
  }
  for (const { id, is_sandbox } of singles) {
    await paidWork({ kind: 'single', ownerId, id, isSandbox: is_sandbox }).release(tx, now);
  }
}

/**
 * Removes what a deleted account leaves behind: the rows of its lists, which are too many for one transaction, its files, and
 * the notes of rows that wait.
 * It is safe to run this again.
 */
export async function removeRemainsOf(
  { db, files }: { db: Db; files: FileStore },
  ownerId: AccountId,
  signal: AbortSignal,
): Promise<void> {
  await removeFilesOf(files, ownerId);
  await dropPartitions(db, signal);
  await removeRows(db, { ownerId }, signal);
  await removeWaits(db, { ownerId });
}
