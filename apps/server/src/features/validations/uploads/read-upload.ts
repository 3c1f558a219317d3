import { listNameSchema } from '@assay/contract';
import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { AppError } from '../../../platform/errors/index.ts';
import { findUpload, type IncomingFile, takeUpload, type Upload, type UploadParts } from './uploads.ts';

/** The product sends the file as `list_raw`; `file` is taken too. */
const fileFields = ['list_raw', 'file'];

const fieldsSchema = z.strictObject({
  with_headers: z.optional(z.stringbool()),
  upload_id: z.optional(z.uuid()),
  name: z.optional(listNameSchema),
});

/** Hands the one file of a request to `take` while it streams in. */
export async function readPreviewFile<Taken>(
  request: FastifyRequest,
  take: (file: IncomingFile) => Promise<Taken>,
): Promise<Taken> {
  const { taken } = await readParts(request, take);
  if (taken === undefined) throw new AppError('file_missing');
  return taken;
}

export interface Creation {
  readonly upload: Upload;
  readonly withHeaders: boolean;
  readonly name: string | undefined;
}

/** The file of a creation, sent now or named by the `upload_id` of its preview, and the fields beside it. */
export async function readCreation(
  request: FastifyRequest,
  parts: UploadParts,
  ownerId: string,
  isSandbox: boolean,
): Promise<Creation> {
  const { taken, fields } = await readParts(request, (file) => takeUpload(parts, ownerId, file, isSandbox));
  const read = fieldsSchema.safeParse(fields);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new AppError(
      'invalid_request',
      {},
      { text: issue?.message ?? '', meta: { field: issue?.path.join('.') } },
    );
  }
  const { upload_id: uploadId, with_headers: withHeaders = true, name } = read.data;
  if (taken) return { upload: taken.upload, withHeaders, name };
  if (!uploadId) throw new AppError('file_missing');
  const upload = await findUpload(parts, ownerId, uploadId);
  if (upload.isSandbox !== isSandbox) throw new AppError('sandbox_upload_mismatch', { uploadId });
  return { upload, withHeaders, name };
}

async function readParts<Taken>(request: FastifyRequest, take: (file: IncomingFile) => Promise<Taken>) {
  if (!request.isMultipart()) {
    throw new AppError('unsupported_media_type', {}, { text: 'Send the file as multipart/form-data.' });
  }
  const fields: Record<string, unknown> = {};
  let taken: Taken | undefined;
  for await (const part of request.parts() as AsyncIterable<Multipart>) {
    if (part.type === 'field') fields[part.fieldname] = part.value;
    else if (fileFields.includes(part.fieldname))
      taken = await take({ name: part.filename, bytes: part.file });
    else part.file.resume();
  }
  return { taken, fields };
}
