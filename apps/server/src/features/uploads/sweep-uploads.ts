import { findAbandonedRoom, findReservedRoom, releaseRoom } from './upload-room.store.ts';
import { findExpiredUploads, findFileKeys } from './uploads.store.ts';
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
  const before = new Date(clock.now().getTime() - keptAfterExpiryMs);
  for (const { owner_id: ownerId, id, file_key: fileKey } of await findExpiredUploads(db, before)) {
    signal.throwIfAborted();
    if (inUse.has(id)) continue;
    await removeUpload({ db, files }, { ownerId, id, fileKey });
  }
}

/** Removes files that no upload and no reservation names, as a restore leaves them. No file may arrive meanwhile. */
export async function removeStrayFiles({ db, files }: Pick<SweepParts, 'db' | 'files'>): Promise<void> {
  const reserved = await findReservedRoom(db);
  const known = new Set([
    ...(await findFileKeys(db)),
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
