import { type ExclusionsOrder, exclusionsName } from '../../uploads/index.ts';
import { findPeopleUpload, storedPeople, type UploadParts } from './guess-uploads.ts';
import { excludedPeopleJob } from './people-jobs.ts';

/** The rows of an upload that are not guessed, as a file. */
export async function exportExcluded(
  { db, clock, limits, readingPool }: UploadParts,
  { ownerId, uploadId, withHeaders }: ExclusionsOrder,
): Promise<{ readonly name: string; readonly contents: string }> {
  const upload = await findPeopleUpload(db, ownerId, uploadId, clock.now());
  const { file, reading } = storedPeople(upload, { ownerId, limits });
  const contents = await readingPool.read(excludedPeopleJob, file, { ...reading, withHeaders }).result;
  return { name: exclusionsName(upload.fileName), contents };
}
