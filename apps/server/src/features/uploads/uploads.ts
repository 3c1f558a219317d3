import { createHash, type Hash, randomUUID } from 'node:crypto';
import type { ListPreview } from '@assay/contract';
import type { Clock } from '../../platform/clock.ts';
import type { FileEncoding } from '../../platform/csv/file-encoding.ts';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { sandboxMark, withinSandbox } from '../engine/index.ts';
import { keepUser } from '../users/index.ts';
import type { KindCounts } from './csv/classify-rows.ts';
import type { Dialect } from './csv/dialect.ts';
import { type FileLimits, type FilePreview, type FileReading, storeAndPreview } from './csv/preview-file.ts';
import { refuseFile } from './refused-file.ts';
import { releaseRoom, reserveRoom } from './upload-room.ts';

const keptMs = 24 * 3_600_000;

export interface UploadParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly files: FileStore;
  readonly limits: FileLimits & { readonly storedBytesPerCustomer: number };
}

/** A previewed file that may become a list. */
export interface Upload {
  readonly id: string;
  readonly fileName: string;
  readonly fileKey: string;
  readonly byteCount: number;
  /** SHA-256 of the file; null for one that was stored before hashes were. */
  readonly contentHash: string | null;
  readonly billable: number;
  readonly isSandbox: boolean;
  readonly reading: FileReading;
  readonly listId: string | null;
}

/** An upload just now taken in, and what was found in it. */
export interface TakenUpload {
  readonly upload: Upload;
  readonly preview: FilePreview;
}

export interface IncomingFile {
  readonly name: string;
  readonly bytes: AsyncIterable<Buffer>;
  /** As many as this may come, where the request tells. */
  readonly bytesAtMost?: number;
  /** How it is written, where that need not be detected. */
  readonly reading?: FileReading;
}

/** Takes a file in: stores it, previews it, and remembers it for a day. */
export async function takeUpload(
  parts: UploadParts,
  ownerId: string,
  file: IncomingFile,
  isSandbox: boolean,
): Promise<TakenUpload> {
  const limits = isSandbox ? withinSandbox(parts.limits) : parts.limits;
  const id = randomUUID();
  const place = { ownerId, id };
  const bytesMax = await reserveRoom(parts, place, Math.min(limits.bytesMax, file.bytesAtMost ?? Infinity));
  try {
    return await storeUpload(parts, place, file, { ...limits, bytesMax });
  } catch (error) {
    await releaseRoom(parts.db, place);
    const isOutOfRoom =
      error instanceof AppError && error.code === 'file_too_large' && bytesMax < limits.bytesMax;
    throw isOutOfRoom ? new AppError('uploads_full') : error;
  }
}

/** The limits already count the room that is reserved for the file. */
async function storeUpload(
  { db, clock, files }: UploadParts,
  { ownerId, id }: { readonly ownerId: string; readonly id: string },
  file: IncomingFile,
  limits: FileLimits,
): Promise<TakenUpload> {
  const isSandbox = limits.isSandbox ?? false;
  const fileKey = uploadKey(ownerId, id);
  const hash = createHash('sha256');
  const preview = await storeAndPreview(
    hashed(file.bytes, hash),
    { files, key: fileKey },
    limits,
    file.reading,
  ).catch(refuseFile);
  const contentHash = hash.digest('hex');
  const now = clock.now();
  const row = {
    owner_id: ownerId,
    id,
    file_name: file.name,
    file_key: fileKey,
    byte_count: preview.byteCount,
    content_hash: contentHash,
    encoding: preview.reading.encoding,
    dialect: JSON.stringify(preview.reading.dialect),
    row_count: preview.rowCount,
    billable: preview.billable,
    is_sandbox: isSandbox,
    created_at: now,
    expires_at: new Date(now.getTime() + keptMs),
  };
  await db
    .transaction()
    .execute(async (tx) => {
      // First, as in deleting the account, so that the two never wait for each other.
      await keepUser(tx, ownerId);
      await releaseRoom(tx, { ownerId, id });
      await tx.insertInto('uploads').values(row).execute();
    })
    .catch(async (error) => {
      // Its owner may have left meanwhile, and a file without a row would never be found again.
      await files.remove(fileKey);
      throw error;
    });
  const upload = {
    id,
    fileName: file.name,
    fileKey,
    byteCount: preview.byteCount,
    contentHash,
    billable: preview.billable,
    isSandbox,
    reading: preview.reading,
    listId: null,
  };
  return { upload, preview };
}

/** Where the bytes of an upload are in the file store. */
export const uploadKey = (ownerId: string, id: string): string => `uploads/${ownerId}/${id}`;

export async function findUpload(
  { db, clock }: Pick<UploadParts, 'db' | 'clock'>,
  ownerId: string,
  id: string,
): Promise<Upload> {
  const row = await db
    .selectFrom('uploads')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .where('expires_at', '>', clock.now())
    .executeTakeFirst();
  if (!row) throw new AppError('upload_not_found', { uploadId: id });
  return {
    id,
    fileName: row.file_name,
    fileKey: row.file_key,
    byteCount: row.byte_count,
    contentHash: row.content_hash,
    billable: row.billable,
    isSandbox: row.is_sandbox,
    reading: {
      encoding: row.encoding as FileEncoding,
      // Uploads from before these were looked for have neither.
      dialect: { ...lookedForLater, ...(row.dialect as Omit<Dialect, keyof typeof lookedForLater>) },
    },
    listId: row.list_id,
  };
}

const lookedForLater = { skippedRows: 0, emailColumnNames: [], ownColumns: [] };

/** Removes an upload and its file. */
export async function removeUpload(
  { db, files }: Pick<UploadParts, 'db' | 'files'>,
  { ownerId, id, fileKey }: Pick<Upload, 'id' | 'fileKey'> & { readonly ownerId: string },
): Promise<void> {
  // The file first: a row without its file is found again by the next sweep, a file without its row never.
  await files.remove(fileKey);
  await db.deleteFrom('uploads').where('owner_id', '=', ownerId).where('id', '=', id).execute();
}

export function previewAnswer({ upload, preview }: TakenUpload): ListPreview {
  const { dialect, encoding } = preview.reading;
  const hasHeaderRow = dialect.emailColumnName !== null;
  return {
    total_credits: upload.isSandbox ? 0 : preview.billable,
    // A first row that names the columns is no email that was left out.
    metrics: metricsOf({ ...preview, ...(hasHeaderRow && nonBillableOf(preview.belowFirst)) }),
    metrics_with_headers: metricsOf(preview.belowFirst),
    metrics_without_headers: metricsOf(preview),
    upload_id: upload.id,
    detected: {
      encoding,
      delimiter: dialect.delimiter,
      email_column: dialect.emailColumnName || String(dialect.emailColumn + 1),
      email_columns: [...dialect.emailColumnNames],
      has_header_row: hasHeaderRow,
      skipped_rows: dialect.skippedRows,
      rows: preview.rowCount,
    },
    ...sandboxMark(upload.isSandbox),
  };
}

async function* hashed(bytes: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
}

const metricsOf = ({ billable, nonBillable, duplicated, empty }: KindCounts): ListPreview['metrics'] => ({
  billable,
  non_billable: nonBillable,
  duplicated,
  no_email: empty,
});

const nonBillableOf = ({ nonBillable, empty }: KindCounts): Pick<KindCounts, 'nonBillable' | 'empty'> => ({
  nonBillable,
  empty,
});
