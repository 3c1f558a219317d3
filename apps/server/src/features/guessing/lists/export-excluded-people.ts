import { type ExclusionsOrder, exclusionsName } from '../../uploads/index.ts';
import { openPeopleUpload, type PeopleUploadParts } from './guess-uploads.ts';
import { excludedPeopleJob } from './people-jobs.ts';

/** The rows of an upload that are not guessed, as a file. */
export async function exportExcluded(
  parts: PeopleUploadParts,
  { ownerId, uploadId, withHeaders }: ExclusionsOrder,
): Promise<{ readonly name: string; readonly contents: string }> {
  const { fileName, file, reading } = await openPeopleUpload(parts, ownerId, uploadId);
  const contents = await parts.readingPool.read(excludedPeopleJob, file, { ...reading, withHeaders }).result;
  return { name: exclusionsName(fileName), contents };
}
