import { createHash, type Hash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { FileEncoding } from '../../platform/csv/file-encoding.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { keepUser } from '../users/index.ts';
import { type IncomingFile, type OpenedFile, openIncoming, type SheetChoice } from './incoming-file.ts';
import { refuseFile } from './refused-file.ts';
import { storeAndCount } from './stored-file.ts';
import { releaseRoom, reserveRoom } from './upload-room.ts';

/** How long a file waits for its list. */
export const keptMs = 24 * 3_600_000;

export interface UploadParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly files: FileStore;
  readonly limits: { readonly bytesMax: number; readonly storedBytesPerCustomer: number };
}

/** A previewed file that may become a list. The kind of the list knows its dialect. */
export interface Upload<Dialect> {
  readonly id: string;
  readonly fileName: string;
  readonly fileKey: string;
  readonly byteCount: number;
  /** SHA-256 of the file; null for one that was stored before hashes were. */
  readonly contentHash: string | null;
  readonly billable: number;
  readonly isSandbox: boolean;
  readonly reading: { readonly encoding: FileEncoding; readonly dialect: Dialect };
  readonly listId: string | null;
}

/** What uploads keep of the counts; the kind of a list has more. */
interface UploadCounts<Dialect> {
  readonly rowCount: number;
  readonly billable: number;
  readonly dialect: Dialect;
}

/** A new upload and the counts of its rows. */
export interface TakenUpload<Counts extends UploadCounts<unknown>> {
  readonly upload: Upload<Counts['dialect']>;
  readonly counts: Counts;
}

interface FileReading<Counts> {
  /** Counts the rows of a text, which may be a sheet of a workbook. */
  readonly count: (text: AsyncGenerator<string>, workbook: SheetChoice | undefined) => Promise<Counts>;
  /** Whether the start of a sheet shows a table of this kind. */
  readonly isUsable: (sample: string) => Promise<boolean>;
  readonly isSandbox: boolean;
}

/** Stores a file, a workbook as the CSV of one sheet, counts its rows, and keeps it for a day. */
export async function takeUpload<Counts extends UploadCounts<unknown>>(
  parts: UploadParts,
  ownerId: string,
  file: IncomingFile,
  reading: FileReading<Counts>,
): Promise<TakenUpload<Counts>> {
  const { limits } = parts;
  const place = { ownerId, id: randomUUID() };
  let bytesMax = await reserveRoom(parts, place, Math.min(limits.bytesMax, file.bytesAtMost ?? Infinity));
  let opened: OpenedFile | undefined;
  try {
    opened = await openIncoming(file, { bytesMax }, reading.isUsable).catch(refuseFile);
    if (opened.workbook) {
      // A sheet may be much longer than its packed workbook.
      await releaseRoom(parts.db, place);
      bytesMax = await reserveRoom(parts, place, limits.bytesMax);
    }
    return await storeUpload(parts, place, opened, reading, bytesMax);
  } catch (error) {
    await releaseRoom(parts.db, place);
    const isOutOfRoom =
      error instanceof AppError && error.code === 'file_too_large' && bytesMax < limits.bytesMax;
    throw isOutOfRoom ? new AppError('uploads_full') : error;
  } finally {
    opened?.close();
  }
}

/** `bytesMax` is the room that is reserved for the file. */
async function storeUpload<Counts extends UploadCounts<unknown>>(
  { db, clock, files }: UploadParts,
  { ownerId, id }: { readonly ownerId: string; readonly id: string },
  file: OpenedFile,
  { count, isSandbox }: FileReading<Counts>,
  bytesMax: number,
): Promise<TakenUpload<Counts>> {
  const fileKey = uploadKey(ownerId, id);
  const hash = createHash('sha256');
  const { byteCount, encoding, counts } = await storeAndCount(
    hashed(file.bytes, hash),
    { files, key: fileKey },
    { bytesMax, encoding: file.encoding },
    (text) => count(text, file.workbook),
  ).catch(refuseFile);
  const { dialect, billable, rowCount } = counts;
  const contentHash = hash.digest('hex');
  const now = clock.now();
  const row = {
    owner_id: ownerId,
    id,
    file_name: file.name,
    file_key: fileKey,
    byte_count: byteCount,
    content_hash: contentHash,
    encoding,
    dialect: JSON.stringify(dialect),
    row_count: rowCount,
    billable,
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
      // The account may be deleted meanwhile, and the sweep finds no file without a row.
      await files.remove(fileKey);
      throw error;
    });
  const { name: fileName } = file;
  const reading = { encoding, dialect };
  const upload = {
    id,
    fileName,
    fileKey,
    byteCount,
    contentHash,
    billable,
    isSandbox,
    reading,
    listId: null,
  };
  return { upload, counts };
}

/** Where the bytes of all uploads are in the file store. */
export const uploadsFolder = 'uploads';
export const uploadKey = (ownerId: string, id: string): string => `${uploadsFolder}/${ownerId}/${id}`;

export const removeFilesOf = (files: FileStore, ownerId: string): Promise<void> =>
  files.removeAll(`${uploadsFolder}/${ownerId}`);

export async function findUpload<Dialect>(
  { db, clock }: Pick<UploadParts, 'db' | 'clock'>,
  ownerId: string,
  id: string,
  readDialect: (stored: unknown) => Dialect,
): Promise<Upload<Dialect>> {
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
    reading: { encoding: row.encoding as FileEncoding, dialect: readDialect(row.dialect) },
    listId: row.list_id,
  };
}

/** Keeps another reading of a stored file. */
export async function changeReading(
  db: Db,
  { ownerId, id }: { readonly ownerId: string; readonly id: string },
  { dialect, billable, rowCount }: UploadCounts<unknown>,
): Promise<void> {
  await db
    .updateTable('uploads')
    .set({ dialect: JSON.stringify(dialect), billable, row_count: rowCount })
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .execute();
}

/**
 * Makes an upload the source of a list, and locks it until the transaction ends. Answers the list that was made of it
 * before, if there is one. Each kind of list names the table of its uploads.
 */
export async function claimUpload(
  tx: Tx,
  table: 'uploads' | 'guess_uploads',
  { ownerId, id, listId }: { readonly ownerId: string; readonly id: string; readonly listId: string },
): Promise<string | null> {
  const isUpload = sql`owner_id = ${ownerId} and id = ${id}`;
  const { rows } = await sql<{ list_id: string | null }>`
    select list_id from ${sql.table(table)} where ${isUpload} for update`.execute(tx);
  const [upload] = rows;
  if (!upload) throw new AppError('upload_not_found', { uploadId: id });
  if (upload.list_id === null)
    await sql`update ${sql.table(table)} set list_id = ${listId} where ${isUpload}`.execute(tx);
  return upload.list_id;
}

/** Removes an upload and its file. */
export async function removeUpload(
  { db, files }: Pick<UploadParts, 'db' | 'files'>,
  { ownerId, id, fileKey }: { readonly ownerId: string; readonly id: string; readonly fileKey: string },
): Promise<void> {
  // The file first: the next sweep finds a row without its file, but never a file without its row.
  await files.remove(fileKey);
  await db.deleteFrom('uploads').where('owner_id', '=', ownerId).where('id', '=', id).execute();
}

async function* hashed(bytes: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
}
