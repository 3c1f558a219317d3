import { writeNamelessFile } from '../../../platform/files/nameless-file.ts';
import { type ExclusionsOrder, exclusionsName, uploadedFile } from '../../uploads/index.ts';
import { exclusionsJob } from './email-jobs.ts';
import { type EmailUploadParts, findEmailUpload } from './email-uploads.ts';

/** The rows of an upload that are not verified, as a file. */
export async function exportExclusions(
  parts: Pick<EmailUploadParts, 'db' | 'clock' | 'files' | 'readingPool'>,
  { ownerId, uploadId, withHeaders }: ExclusionsOrder,
): Promise<{ readonly name: string; readonly contents: AsyncIterable<Buffer> }> {
  const upload = await findEmailUpload(parts, ownerId, uploadId);
  const order = { reading: upload.reading, withHeaders };
  const { output } = parts.readingPool.read(exclusionsJob, uploadedFile(parts, ownerId, upload), order);
  return {
    name: exclusionsName(upload.fileName),
    // Written completely before it is sent: a slow download must not keep the thread. A stream, so that ending it closes the file.
    contents: (await writeNamelessFile(output)).createReadStream({ start: 0 }),
  };
}
