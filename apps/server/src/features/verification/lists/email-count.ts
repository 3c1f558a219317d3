import { AppError } from '../../../platform/errors/index.ts';
import type { EmailUpload } from '../files/email-uploads.ts';

/** Refuses a file that costs nothing, because it has nobody to ask. */
export const noAddresses = ({ reading }: EmailUpload): AppError =>
  new AppError(reading.suppressedHashes === null ? 'file_no_addresses' : 'file_all_suppressed');

/** How many addresses a list has that is made of an upload. */
export function emailCountOf(upload: EmailUpload, withHeaders: boolean): number {
  if (!withHeaders) return upload.billable;
  // An earlier version has not counted the rows below the first one, which makes no difference if that has no address.
  const isFirstRowCounted = upload.reading.dialect.emailColumnName === null;
  const below = upload.billableBelowFirst ?? (isFirstRowCounted ? null : upload.billable);
  if (below === null) throw new AppError('upload_not_found', { uploadId: upload.id });
  return below;
}
