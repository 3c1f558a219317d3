import { findAbandonedRoom, releaseRoom } from './upload-room.ts';
import { removeUpload, type UploadParts, uploadKey, uploadsFolder } from './uploads.ts';

type SweepParts = Pick<UploadParts, 'db' | 'clock' | 'files'>;

/** A request may still read a file that expired after it was found. No request takes longer than this. */
const keptAfterExpiryMs = 30 * 60_000;

/** Removes files that are past their time, except those of uploads that are `inUse`. */
export async function sweepUploads(
  parts: SweepParts,
  inUse: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> {
  await removeExpiredUploads(parts, inUse, signal);
  await removeAbandonedUploads(parts, signal);
}

async function removeExpiredUploads(
  { db, clock, files }: SweepParts,
  inUse: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> {
  const expired = await db
    .selectFrom('uploads')
    .select(['owner_id', 'id', 'file_key'])
    .where('expires_at', '<', new Date(clock.now().getTime() - keptAfterExpiryMs))
    .execute();
  for (const { owner_id: ownerId, id, file_key: fileKey } of expired) {
    signal.throwIfAborted();
    if (inUse.has(id)) continue;
    await removeUpload({ db, files }, { ownerId, id, fileKey });
  }
}

/** Removes files that no upload and no reservation names, as a restore leaves them. No file may arrive meanwhile. */
export async function removeStrayFiles({ db, files }: Pick<SweepParts, 'db' | 'files'>): Promise<void> {
  const uploads = await db.selectFrom('uploads').select('file_key').execute();
  const reserved = await db.selectFrom('upload_reservations').select(['owner_id', 'id']).execute();
  const known = new Set([
    ...uploads.map(({ file_key }) => file_key),
    ...reserved.map(({ owner_id, id }) => uploadKey(owner_id, id)),
  ]);
  const keys = await Array.fromAsync(files.list(uploadsFolder));
  for (const key of keys) if (!known.has(key)) await files.remove(key);
}

/** Removes the reserved room and the file of uploads whose process died. */
async function removeAbandonedUploads({ db, clock, files }: SweepParts, signal: AbortSignal): Promise<void> {
  for (const { owner_id: ownerId, id } of await findAbandonedRoom(db, clock.now())) {
    signal.throwIfAborted();
    await files.remove(uploadKey(ownerId, id));
    await releaseRoom(db, { ownerId, id });
  }
}
