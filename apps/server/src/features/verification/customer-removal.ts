import type { Db, Tx } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { captureHold, releaseHold } from '../billing/index.ts';
import { removeRows } from './lists/remove-rows.ts';
import { captureOfStopped } from './lists/stopped-list.ts';

/** Ends a customer's running work before their account is removed: what was found is paid for, the rest goes back. */
export async function settleWorkOf(tx: Tx, { ownerId, now }: { ownerId: string; now: Date }): Promise<void> {
  const lists = await tx
    .selectFrom('validation_lists')
    .select(['id', 'valid_emails', 'invalid_emails', 'catch_all_emails'])
    .where('owner_id', '=', ownerId)
    .where('status', '=', 'PENDING')
    .where('is_sandbox', '=', false)
    .orderBy('id')
    .forUpdate()
    .execute();
  const singles = await tx
    .selectFrom('single_validations')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('status', '<>', 'COMPLETE')
    .where('is_sandbox', '=', false)
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const list of lists) {
    await captureHold(tx, captureOfStopped({ ownerId, listId: list.id }, list, now));
  }
  for (const { id } of singles) await releaseHold(tx, { ownerId, reference: `single:${id}`, now });
}

/**
 * What a removed account leaves behind: the rows of its lists, which are too many for one transaction, and its files.
 * May be run again at any time.
 */
export async function removeRemainsOf(
  { db, files }: { db: Db; files: FileStore },
  ownerId: string,
  signal: AbortSignal,
): Promise<void> {
  await files.removeAll(`uploads/${ownerId}`);
  await removeRows(db, { ownerId }, signal);
}
