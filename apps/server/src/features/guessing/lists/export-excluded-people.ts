import * as z from 'zod/mini';
import { neutraliseFormula } from '../../../platform/csv/formulas.ts';
import { byteOrderMark, formatRow } from '../../../platform/csv/write-rows.ts';
import { excludedPeople } from './excluded-people.ts';
import { findPeopleUpload, readPeople, type UploadParts } from './guess-uploads.ts';

/** A download of an upload's excluded rows. */
export const excludedOrderSchema = z.object({
  ownerId: z.string(),
  uploadId: z.string(),
  withHeaders: z.boolean(),
  expiresAt: z.number(),
});

/** The rows of an upload that are not guessed, as a file. */
export async function exportExcluded(
  { db, clock, limits }: UploadParts,
  { ownerId, uploadId, withHeaders }: z.output<typeof excludedOrderSchema>,
): Promise<{ readonly name: string; readonly contents: string }> {
  const upload = await findPeopleUpload(db, ownerId, uploadId, clock.now());
  const excluded = excludedPeople(await readPeople(upload, limits), withHeaders);
  const lines = excluded.map(({ row, person, reason }) =>
    formatRow([String(row), neutraliseFormula(person), reason], ','),
  );
  return {
    name: `${upload.fileName.replace(/\.[a-z]{3,4}$/i, '')} - excluded`,
    contents: `${byteOrderMark}${['row,person,reason', ...lines].join('\n')}\n`,
  };
}
