import * as z from 'zod/mini';
import { findPeopleUpload, storedPeople, type UploadParts } from './guess-uploads.ts';
import { excludedPeopleJob } from './people-jobs.ts';

/** A download of an upload's excluded rows. */
export const excludedOrderSchema = z.object({
  ownerId: z.string(),
  uploadId: z.string(),
  withHeaders: z.boolean(),
  expiresAt: z.number(),
});

/** The rows of an upload that are not guessed, as a file. */
export async function exportExcluded(
  { db, clock, limits, readingPool }: UploadParts,
  { ownerId, uploadId, withHeaders }: z.output<typeof excludedOrderSchema>,
): Promise<{ readonly name: string; readonly contents: string }> {
  const upload = await findPeopleUpload(db, ownerId, uploadId, clock.now());
  const { file, reading } = storedPeople(upload, { ownerId, limits });
  const contents = await readingPool.read(excludedPeopleJob, file, { ...reading, withHeaders }).result;
  return {
    name: `${upload.fileName.replace(/\.[a-z]{3,4}$/i, '')} - excluded`,
    contents,
  };
}
