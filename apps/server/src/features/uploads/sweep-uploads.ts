import { findAbandonedRoom, releaseRoom } from './upload-room.ts';
import { removeUpload, type UploadParts, uploadKey } from './uploads.ts';

type SweepParts = Pick<UploadParts, 'db' | 'clock' | 'files'>;

export async function sweepUploads(parts: SweepParts, signal: AbortSignal): Promise<void> {
  await removeExpiredUploads(parts, signal);
  await removeAbandonedUploads(parts, signal);
}

async function removeExpiredUploads({ db, clock, files }: SweepParts, signal: AbortSignal): Promise<void> {
  const expired = await db
    .selectFrom('uploads')
    .select(['owner_id', 'id', 'file_key'])
    .where('expires_at', '<', clock.now())
    .execute();
  for (const { owner_id: ownerId, id, file_key: fileKey } of expired) {
    signal.throwIfAborted();
    await removeUpload({ db, files }, { ownerId, id, fileKey });
  }
}

/** Removes the reserved room and the file of uploads whose process died. */
async function removeAbandonedUploads({ db, clock, files }: SweepParts, signal: AbortSignal): Promise<void> {
  for (const { owner_id: ownerId, id } of await findAbandonedRoom(db, clock.now())) {
    signal.throwIfAborted();
    await files.remove(uploadKey(ownerId, id));
    await releaseRoom(db, { ownerId, id });
  }
}
