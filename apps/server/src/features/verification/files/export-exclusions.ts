import type { FileHandle } from 'node:fs/promises';
import { writeNamelessFile } from '../../../platform/files/nameless-file.ts';
import { type ExclusionsOrder, exclusionsName } from '../../uploads/index.ts';
import { exclusionsJob } from './email-jobs.ts';
import { type EmailUploadParts, findEmailUpload, uploadedFile } from './email-uploads.ts';

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
    // Whole before it is sent: a slow download must not keep the thread.
    contents: contentsOf(await writeNamelessFile(output)),
  };
}

async function* contentsOf(file: FileHandle): AsyncGenerator<Buffer> {
  try {
    yield* file.createReadStream({ start: 0, autoClose: false });
  } finally {
    await file.close();
  }
}
