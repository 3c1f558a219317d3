import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { sweepPermits } from '../engine/index.ts';
import { findAbandonedRoom, releaseRoom, removeUpload, uploadKey } from '../uploads/index.ts';
import { removeRows } from './lists/remove-rows.ts';

interface SweepParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly files: FileStore;
}

/** Longer than any upload takes: a draft this old belongs to a process that is gone. */
const draftAgeMaxMs = 6 * 3_600_000;
const answerAgeMaxMs = 24 * 3_600_000;

/** Removes what nobody will ask for again, a little at a time so that no statement holds locks for long. */
export async function sweepValidations(parts: SweepParts, signal: AbortSignal): Promise<void> {
  const { db, clock } = parts;
  await removeExpiredUploads(parts, signal);
  await removeAbandonedUploads(parts, signal);
  const draftsBefore = new Date(clock.now().getTime() - draftAgeMaxMs);
  await db
    .updateTable('validation_lists')
    .set({ status: 'DELETED' })
    .where('status', '=', 'DRAFT')
    .where('created_at', '<', draftsBefore)
    .execute();
  const lists = await db
    .selectFrom('validation_lists')
    .select(['owner_id', 'id'])
    .where('status', '=', 'DELETED')
    .execute();
  for (const list of lists) await removeList(db, list, signal);
  await db
    .deleteFrom('idempotent_answers')
    .where('created_at', '<', new Date(clock.now().getTime() - answerAgeMaxMs))
    .execute();
  await sweepPermits(db);
}

async function removeExpiredUploads({ db, clock, files }: SweepParts, signal: AbortSignal): Promise<void> {
  const expired = await db
    .selectFrom('uploads')
    .select(['owner_id', 'id', 'file_key'])
    .where('expires_at', '<', clock.now())
    .execute();
  for (const upload of expired) {
    signal.throwIfAborted();
    const { owner_id: ownerId, id, file_key: fileKey } = upload;
    await removeUpload({ db, files }, { ownerId, id, fileKey });
  }
}

/** What an upload leaves whose process died: the room that it had reserved, and its file. */
async function removeAbandonedUploads({ db, clock, files }: SweepParts, signal: AbortSignal): Promise<void> {
  for (const { owner_id: ownerId, id } of await findAbandonedRoom(db, clock.now())) {
    signal.throwIfAborted();
    await files.remove(uploadKey(ownerId, id));
    await releaseRoom(db, { ownerId, id });
  }
}

async function removeList(
  db: Db,
  list: { owner_id: string; id: string },
  signal: AbortSignal,
): Promise<void> {
  await removeRows(db, { ownerId: list.owner_id, listId: list.id }, signal);
  await db
    .deleteFrom('validation_lists')
    .where('owner_id', '=', list.owner_id)
    .where('id', '=', list.id)
    .where('status', '=', 'DELETED')
    .execute();
}
