import { validationsRoutes } from '@assay/contract';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../../platform/errors/index.ts';
import { readFileForm } from '../../uploads/index.ts';
import { type EmailUpload, type EmailUploadParts, findEmailUpload, takingUpload } from './email-uploads.ts';

interface Creation {
  readonly upload: EmailUpload;
  readonly withHeaders: boolean;
  readonly name: string | undefined;
}

/** The file of a creation, sent with the call or named by the `upload_id` of its preview, and the other fields. */
export async function readCreation(
  request: FastifyRequest,
  parts: EmailUploadParts,
  ownerId: string,
  isSandbox: boolean,
): Promise<Creation> {
  const { body } = validationsRoutes.createList;
  const { taken, fields } = await readFileForm(request, body, takingUpload(parts, ownerId, isSandbox));
  const { upload_id: uploadId, with_headers: withHeaders, name } = fields;
  if (taken) return { upload: taken.upload, withHeaders, name };
  if (!uploadId) throw new AppError('file_missing');
  const upload = await findEmailUpload(parts, ownerId, uploadId);
  if (upload.isSandbox !== isSandbox) throw new AppError('sandbox_upload_mismatch', { uploadId });
  return { upload, withHeaders, name };
}
