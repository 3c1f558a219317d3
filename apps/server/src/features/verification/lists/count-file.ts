import type { Tx } from '../../../platform/database/database.ts';
import { runTransaction } from '../../../platform/database/run-transaction.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { AccountId } from '../../../platform/ids.ts';
import { keepAccount } from '../../accounts/index.ts';
import {
  findUncountedOfList,
  removeUpload,
  replaceUpload,
  type UncountedUpload,
} from '../../uploads/index.ts';
import { type EmailUpload, type EmailUploadParts, takeEmailFile } from '../files/email-uploads.ts';
import { countAsked } from '../metrics.store.ts';
import { createPartitions } from '../rows/large-lists.store.ts';
import { emailCountOf, noAddresses } from './email-count.ts';
import { emailLists } from './email-lists.ts';
import { PreparationOver, type PreparationRun } from './start-list.ts';

/**
 * Counts the file of a list that came with its call and was too long to be counted there, and holds what the list costs. The
 * file is read like any other upload, so a workbook becomes the CSV of its sheet.
 */
export async function countFile(
  parts: EmailUploadParts,
  run: PreparationRun,
  signal: AbortSignal,
): Promise<PreparationRun> {
  const file = await findUncountedOfList(parts.db, run);
  if (!file) throw new AppError('list_file_gone', { listId: run.listId });
  const upload = await takeCopy(parts, run.ownerId, file, signal);
  try {
    const { totalEmails, spare } = await runTransaction(parts.db, (tx) =>
      keepCounts(tx, run, { file, upload }),
    );
    await removeUpload(parts, { ownerId: run.ownerId, ...spare });
    return { ...run, totalEmails };
  } catch (error) {
    await removeUpload(parts, { ownerId: run.ownerId, ...upload });
    throw error;
  }
}

/** The file is stored twice for a moment. That is ours to find room for. */
async function takeCopy(
  parts: EmailUploadParts,
  ownerId: AccountId,
  { fileName, fileKey, byteCount, isSandbox, wish }: UncountedUpload,
  signal: AbortSignal,
): Promise<EmailUpload> {
  const { limits } = parts;
  const storedBytesPerCustomer = limits.storedBytesPerCustomer + byteCount;
  const bytes = parts.files.read(fileKey);
  const file = { name: fileName, bytes, bytesAtMost: byteCount, sheet: wish.sheet, signal };
  const { upload } = await takeEmailFile(
    { ...parts, limits: { ...limits, storedBytesPerCustomer } },
    ownerId,
    file,
    { isSandbox, emailColumn: wish.emailColumn, ignoresSuppression: wish.ignoresSuppression },
  );
  return upload;
}

interface KeptCounts {
  readonly totalEmails: number;
  /** The file that the list does not need. */
  readonly spare: UncountedUpload | EmailUpload;
}

async function keepCounts(
  tx: Tx,
  { ownerId, listId, run }: PreparationRun,
  { file, upload }: { readonly file: UncountedUpload; readonly upload: EmailUpload },
): Promise<KeptCounts> {
  const place = { ownerId, listId };
  await keepAccount(tx, ownerId);
  const list = await emailLists.results.lock(tx, place);
  if (list.status !== 'PREPARING' || list.run_number !== run) throw new PreparationOver();
  // A run whose process hangs or died was quicker.
  if (list.total_emails > 0) return { totalEmails: list.total_emails, spare: upload };
  const { isAddressList, delimiter } = upload.reading.dialect;
  const { with_headers } = await emailLists.store.findLayout(tx, place);
  const withHeaders = (with_headers ?? true) && !isAddressList;
  const totalEmails = emailCountOf(upload, withHeaders);
  if (totalEmails === 0) throw noAddresses(upload);
  await createPartitions(tx, listId);
  await emailLists.store.setCounts(tx, place, {
    total_emails: totalEmails,
    rows_to_copy: upload.rowCount - (withHeaders ? 1 : 0),
    with_headers: withHeaders,
    delimiter,
  });
  await replaceUpload(tx, place, { before: file.id, after: upload.id });
  if (!list.is_sandbox) await countAsked(tx, { ownerId, askedAt: list.created_at }, totalEmails);
  await emailLists.results.workOf(place, list).grow(tx, totalEmails);
  return { totalEmails, spare: file };
}
