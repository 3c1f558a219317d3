import { validationsRoutes } from '@assay/contract';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../../platform/auth/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { readFileForm, type TakenUpload, type UncountedUpload } from '../../uploads/index.ts';
import type { EmailCounts } from './email-file.ts';
import {
  type EmailUpload,
  type EmailUploadParts,
  findEmailUpload,
  readAgain,
  takingCreation,
  takingUpload,
} from './email-uploads.ts';
import { isScreenedAsNow } from './open-screen.ts';

interface FormCall {
  readonly request: FastifyRequest;
  readonly caller: Caller;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
}

interface Creation {
  readonly upload: EmailUpload | UncountedUpload;
  readonly withHeaders: boolean;
  readonly name: string | undefined;
  /** The column that the call asks for, from 1. */
  readonly emailColumn: number | undefined;
  readonly ignoresSuppression: boolean;
}

/** The file of a creation, sent with the call or named by the `upload_id` of its preview, and the other fields. */
export async function readCreation(
  { request, caller, signal }: FormCall,
  parts: EmailUploadParts,
  isSandbox: boolean,
): Promise<Creation> {
  const ownerId = caller.accountId;
  const { body } = validationsRoutes.createList;
  const { taken, fields } = await readFileForm(request, body, takingCreation(parts, ownerId, isSandbox));
  const { upload_id: uploadId, with_headers: withHeaders, name, email_column: emailColumn } = fields;
  const ignoresSuppression = fields.ignore_suppression ?? false;
  const creation = { withHeaders, name, emailColumn, ignoresSuppression };
  if (taken) return { ...creation, upload: taken };
  if (!uploadId) throw new AppError('file_missing');
  const upload = await findOwnUpload(parts, caller, uploadId, isSandbox);
  const isAsPreviewed = emailColumn === undefined || emailColumn === upload.reading.dialect.emailColumn + 1;
  if (upload.listId !== null) return { ...creation, upload };
  // Somebody may have been suppressed since, or removed.
  if (isAsPreviewed && (await isScreenedAsNow(parts, ownerId, upload, ignoresSuppression)))
    return { ...creation, upload };
  const again = { column: emailColumn, ignoresSuppression, signal };
  return { ...creation, upload: (await readAgain(parts, ownerId, upload, again)).upload };
}

/** A preview of a file that is sent with the call, or of an earlier upload with another column. */
export async function readPreview(
  { request, caller, signal }: FormCall,
  parts: EmailUploadParts,
  isSandbox: boolean,
): Promise<TakenUpload<EmailCounts>> {
  const ownerId = caller.accountId;
  const { body } = validationsRoutes.previewList;
  const { taken, fields } = await readFileForm(request, body, takingUpload(parts, ownerId, isSandbox));
  if (taken) return taken;
  if (!fields.upload_id) throw new AppError('file_missing');
  const upload = await findOwnUpload(parts, caller, fields.upload_id, isSandbox);
  const ignoresSuppression = fields.ignore_suppression ?? false;
  return readAgain(parts, ownerId, upload, { column: fields.email_column, ignoresSuppression, signal });
}

async function findOwnUpload(
  parts: EmailUploadParts,
  { accountId, key }: Caller,
  uploadId: string,
  isSandbox: boolean,
): Promise<EmailUpload> {
  const upload = await findEmailUpload(parts, accountId, uploadId);
  // For a test key, live work does not exist. Paths that name an upload are checked before; this id is in a form.
  if (key?.grant?.isTest && !upload.isSandbox) throw new AppError('upload_not_found', { uploadId });
  if (upload.isSandbox !== isSandbox) throw new AppError('sandbox_upload_mismatch', { uploadId });
  return upload;
}
