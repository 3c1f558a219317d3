import type { Selectable } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { FileEncoding } from '../../platform/csv/file-encoding.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { AppError } from '../../platform/errors/index.ts';
import type { AccountId } from '../../platform/ids.ts';
import { releaseRoom } from './upload-room.store.ts';
import type { UploadKind } from './uploads.tables.ts';

/** How long a file waits for its list. */
const keptMs = 24 * 3_600_000;

/** A previewed file that may become a list. The kind of the list knows its dialect. */
export interface Upload<Dialect> {
  readonly id: string;
  readonly kind: UploadKind;
  readonly fileName: string;
  readonly fileKey: string;
  readonly byteCount: number;
  /** SHA-256 of the file; null for one that was stored before hashes were. */
  readonly contentHash: string | null;
  readonly billable: number;
  /** What is billable if the first row is a header; null, like the next one, in uploads of earlier versions. */
  readonly billableBelowFirst: number | null;
  /** Whether some address is outside `.test`. Of files of people, the list knows it. */
  readonly hasRealDomain: boolean | null;
  readonly rowCount: number;
  readonly isSandbox: boolean;
  /** The last change of suppressions that the counts know; null if none was looked at. */
  readonly screenedNumber: number | null;
  readonly reading: {
    readonly encoding: FileEncoding;
    readonly dialect: Dialect;
    /** Of the addresses that are left out because they are suppressed; null if there is none. */
    readonly suppressedHashes: Uint8Array | null;
  };
  readonly listId: string | null;
}

/** How a customer wants a file to be read. */
interface ReadingWish {
  readonly sheet?: string | undefined;
  readonly emailColumn?: number | undefined;
  readonly ignoresSuppression?: boolean;
}

/** A file that is stored as it came. Its rows are counted later. */
export interface UncountedUpload {
  readonly id: string;
  readonly fileName: string;
  readonly fileKey: string;
  readonly byteCount: number;
  readonly contentHash: string;
  readonly isSandbox: boolean;
  readonly wish: ReadingWish;
}

export interface NewUpload extends Upload<unknown> {
  readonly ownerId: AccountId;
  /** Of a file that is not counted yet. */
  readonly wish?: ReadingWish;
}

/** Turns the room that is reserved for a stored file into its upload. Its customer's account must be locked already. */
export async function keepUpload(tx: Tx, now: Date, upload: NewUpload): Promise<void> {
  const { ownerId, id, wish } = upload;
  await releaseRoom(tx, { ownerId, id });
  await tx
    .insertInto('uploads')
    .values({
      owner_id: ownerId,
      id,
      kind: upload.kind,
      file_name: upload.fileName,
      file_key: upload.fileKey,
      byte_count: upload.byteCount,
      content_hash: upload.contentHash,
      encoding: upload.reading.encoding,
      is_sandbox: upload.isSandbox,
      ...readingColumns(upload),
      ...(wish && { reading_wish: JSON.stringify(wish) }),
      list_id: upload.listId,
      created_at: now,
      expires_at: new Date(now.getTime() + keptMs),
    })
    .execute();
}

export async function isKept(db: Db, ownerId: AccountId, id: string): Promise<boolean> {
  const kept = await db
    .selectFrom('uploads')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .executeTakeFirst();
  return kept !== undefined;
}

export async function findUpload<Dialect>(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { kind, ownerId, id }: { readonly kind: UploadKind; readonly ownerId: AccountId; readonly id: string },
  readDialect: (stored: unknown) => Dialect,
): Promise<Upload<Dialect>> {
  const row = await db
    .selectFrom('uploads')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where('expires_at', '>', clock.now())
    .where('reading_wish', 'is', null)
    .executeTakeFirst();
  if (!row) throw new AppError('upload_not_found', { uploadId: id });
  return uploadOf(row, readDialect);
}

/** The upload that a list is made of, also after the day that it is kept for its customer. */
export async function findUploadOfList<Dialect>(
  db: Db,
  { ownerId, listId }: { readonly ownerId: AccountId; readonly listId: string },
  readDialect: (stored: unknown) => Dialect,
): Promise<Upload<Dialect>> {
  const row = await db
    .selectFrom('uploads')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('list_id', '=', listId)
    .executeTakeFirst();
  if (!row) throw new AppError('list_file_gone', { listId });
  return uploadOf(row, readDialect);
}

/** The file of a list that is not counted yet. */
export async function findUncountedOfList(
  db: Db,
  { ownerId, listId }: { readonly ownerId: AccountId; readonly listId: string },
): Promise<UncountedUpload | undefined> {
  const row = await db
    .selectFrom('uploads')
    .select(['id', 'file_name', 'file_key', 'byte_count', 'content_hash', 'is_sandbox', 'reading_wish'])
    .where('owner_id', '=', ownerId)
    .where('list_id', '=', listId)
    .where('reading_wish', 'is not', null)
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      fileName: row.file_name,
      fileKey: row.file_key,
      byteCount: row.byte_count,
      contentHash: row.content_hash ?? '',
      isSandbox: row.is_sandbox,
      wish: row.reading_wish as ReadingWish,
    }
  );
}

/** Makes the counted copy of a file the source of its list. */
export async function replaceUpload(
  tx: Tx,
  { ownerId, listId }: { readonly ownerId: AccountId; readonly listId: string },
  { before, after }: { readonly before: string; readonly after: string },
): Promise<void> {
  for (const [id, list_id] of [
    [before, null],
    [after, listId],
  ] as const)
    await tx
      .updateTable('uploads')
      .set({ list_id })
      .where('owner_id', '=', ownerId)
      .where('id', '=', id)
      .execute();
}

function uploadOf<Dialect>(
  row: Selectable<Tables['uploads']>,
  readDialect: (stored: unknown) => Dialect,
): Upload<Dialect> {
  return {
    id: row.id,
    kind: row.kind,
    fileName: row.file_name,
    fileKey: row.file_key,
    byteCount: row.byte_count,
    contentHash: row.content_hash,
    billable: row.billable,
    billableBelowFirst: row.billable_below_first,
    hasRealDomain: row.has_real_domain,
    rowCount: row.row_count,
    isSandbox: row.is_sandbox,
    screenedNumber: row.screened_number,
    reading: {
      encoding: row.encoding as FileEncoding,
      dialect: readDialect(row.dialect),
      suppressedHashes: row.suppressed_hashes,
    },
    listId: row.list_id,
  };
}

/** How a file is read, and what its rows cost then. */
type PricedReading = Pick<
  Upload<unknown>,
  'reading' | 'billable' | 'billableBelowFirst' | 'hasRealDomain' | 'rowCount' | 'screenedNumber'
>;

const readingColumns = (priced: PricedReading) => ({
  dialect: JSON.stringify(priced.reading.dialect),
  billable: priced.billable,
  billable_below_first: priced.billableBelowFirst,
  has_real_domain: priced.hasRealDomain,
  row_count: priced.rowCount,
  screened_number: priced.screenedNumber,
  suppressed_hashes: priced.reading.suppressedHashes && Buffer.from(priced.reading.suppressedHashes),
});

/** Keeps another reading of a stored file, unless it has a list: a job may yet copy its rows, as they were priced. */
export async function changeReading(
  db: Db,
  { ownerId, id }: { readonly ownerId: AccountId; readonly id: string },
  reading: PricedReading,
): Promise<void> {
  await db
    .updateTable('uploads')
    .set(readingColumns(reading))
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .where('list_id', 'is', null)
    .execute();
}

interface UploadClaim {
  readonly ownerId: AccountId;
  readonly id: string;
  readonly listId: string;
}

/**
 * Makes an upload the source of a list, and locks it until the transaction ends. Answers the list that was made of it
 * before, if there is one.
 */
export async function claimUpload(tx: Tx, { ownerId, id, listId }: UploadClaim): Promise<string | null> {
  const upload = await tx
    .selectFrom('uploads')
    .select('list_id')
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!upload) throw new AppError('upload_not_found', { uploadId: id });
  if (upload.list_id === null)
    await tx
      .updateTable('uploads')
      .set({ list_id: listId })
      .where('owner_id', '=', ownerId)
      .where('id', '=', id)
      .execute();
  return upload.list_id;
}

/** Claims an upload with the reading that the list was priced by: a preview may have kept another one meanwhile. */
export async function claimPricedUpload(
  tx: Tx,
  { ownerId, listId }: Omit<UploadClaim, 'id'>,
  upload: PricedReading & { readonly id: string },
): Promise<string | null> {
  const { id } = upload;
  const madeId = await claimUpload(tx, { ownerId, listId, id });
  if (madeId === null)
    await tx
      .updateTable('uploads')
      .set(readingColumns(upload))
      .where('owner_id', '=', ownerId)
      .where('id', '=', id)
      .execute();
  return madeId;
}

export async function forgetUpload(db: Db, ownerId: AccountId, id: string): Promise<void> {
  await db.deleteFrom('uploads').where('owner_id', '=', ownerId).where('id', '=', id).execute();
}

/** Uploads of all customers that expired before a moment. */
export const findExpiredUploads = (db: Db, before: Date) =>
  db.selectFrom('uploads').select(['owner_id', 'id', 'file_key']).where('expires_at', '<', before).execute();

/** The file keys of all uploads. */
export async function findFileKeys(db: Db): Promise<string[]> {
  const uploads = await db.selectFrom('uploads').select('file_key').execute();
  return uploads.map(({ file_key }) => file_key);
}
