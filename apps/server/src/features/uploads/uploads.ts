import { randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Selectable } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { FileEncoding } from '../../platform/csv/file-encoding.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { AppError } from '../../platform/errors/index.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { FileOrder, ReadingPool, ReadJob } from '../../platform/reading/index.ts';
import { sheetTextLengthMax } from '../../platform/workbooks/sheet-text.ts';
import { keepAccount } from '../accounts/index.ts';
import { type IncomingFile, openIncoming, withinLimit } from './incoming-file.ts';
import type { TextSource } from './read-text.ts';
import { RefusedFile, refuseFile } from './refused-file.ts';
import { type StoredBytes, type StoredFile, type StoredText, storeBytes, storeText } from './stored-file.ts';
import { releaseRoom, reserveRoom } from './upload-room.ts';
import type { UploadKind } from './uploads.tables.ts';

/** How long a file waits for its list. */
const keptMs = 24 * 3_600_000;

export interface UploadParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly files: FileStore;
  readonly readingPool: ReadingPool;
  readonly limits: { readonly bytesMax: number; readonly storedBytesPerCustomer: number };
}

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

/** What uploads keep of the counts; the kind of a list has more. */
interface UploadCounts<Dialect> {
  readonly rowCount: number;
  readonly billable: number;
  readonly belowFirst: { readonly billable: number };
  readonly hasRealDomain: boolean | null;
  readonly dialect: Dialect;
  readonly suppressedHashes: Uint8Array | null;
}

/** A new upload and the counts of its rows. */
export interface TakenUpload<Counts extends UploadCounts<unknown>> {
  readonly upload: Upload<Counts['dialect']>;
  readonly counts: Counts;
}

/** How a job counts the rows of a file. */
export interface CountOrder<Options> {
  readonly source: TextSource;
  readonly counting: Options;
}
interface CountedText<Counts> {
  readonly counts: Counts;
}

/** Knows what is suppressed. */
interface FileScreen {
  readonly screenedNumber: number | null;
  readonly answer: FileOrder['answer'];
}

const unscreened: FileScreen = { screenedNumber: null, answer: undefined };

interface FileReading<Options, Counts> {
  readonly kind: UploadKind;
  /** Of a workbook, it writes the text. */
  readonly job: ReadJob<CountOrder<Options>, CountedText<Counts>>;
  readonly counting: Options;
  readonly isSandbox: boolean;
  /** Begins to know what is suppressed. Absent where nothing is left out for that. */
  readonly openScreen?: (db: Db) => Promise<FileScreen>;
}

interface ScreenedReading<Options, Counts> extends FileReading<Options, Counts> {
  readonly screen: FileScreen;
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

/** UTF-8 takes at most three bytes for a character of a string. */
const bytesPerCharacterMax = 3;

/** Stores a file, a workbook as the CSV of one sheet, counts its rows, and keeps it for a day. */
export async function takeUpload<Options, Counts extends UploadCounts<unknown>>(
  parts: UploadParts,
  ownerId: AccountId,
  file: IncomingFile,
  reading: FileReading<Options, Counts>,
): Promise<TakenUpload<Counts>> {
  const taken = await storeUpload(parts, ownerId, file, reading);
  await keepAlone(parts, { ownerId, ...taken.upload });
  return taken;
}

/** The same without keeping it: its room stays reserved until `keepUpload` or `discardStored`. */
export async function storeUpload<Options, Counts extends UploadCounts<unknown>>(
  parts: UploadParts,
  ownerId: AccountId,
  file: IncomingFile,
  reading: FileReading<Options, Counts>,
): Promise<TakenUpload<Counts>> {
  const { limits, db } = parts;
  const place = { ownerId, id: randomUUID() };
  const bytesWanted = Math.min(limits.bytesMax, file.bytesAtMost ?? Infinity);
  let screen = unscreened;
  let bytesMax = await reserveRoom(parts, place, bytesWanted, async (tx) => {
    screen = await openScreenOf(reading, tx);
  });
  const screened = { ...reading, screen };
  const store = { files: parts.files, key: uploadKey(ownerId, place.id) };
  try {
    const opened = await openIncoming(file, { bytesMax });
    if (opened.kind === 'text') {
      const stored = await storeText(store, opened.bytes, { bytesMax, encoding: file.encoding });
      const counted = await countText(parts, { ownerId, store, file, stored }, screened);
      return describeStored(place, { ...stored, ...counted, fileName: file.name }, screened);
    }
    try {
      // A sheet may be much longer than its packed workbook.
      await releaseRoom(db, place);
      const textBytesMax = sheetTextLengthMax(opened.byteCount) * bytesPerCharacterMax;
      bytesMax = await reserveRoom(parts, place, Math.min(limits.bytesMax, textBytesMax));
      const stored = await storeSheet(parts, { ownerId, store, file, opened, bytesMax }, screened);
      return describeStored(place, { ...stored, fileName: file.name }, screened);
    } finally {
      await opened.handle.close();
    }
  } catch (error) {
    await releaseRoom(db, place);
    const isOutOfRoom = isTooLarge(error) && bytesMax < limits.bytesMax;
    if (isOutOfRoom) throw new AppError('uploads_full');
    refuseFile(error);
  }
}

const openScreenOf = async (
  { openScreen }: Pick<FileReading<unknown, unknown>, 'openScreen'>,
  db: Db,
): Promise<FileScreen> => (await openScreen?.(db)) ?? unscreened;

/** Stores a file as it comes, for a list that is made of it. */
export async function storeUncounted(
  parts: UploadParts,
  ownerId: AccountId,
  file: IncomingFile,
  { isSandbox, wish }: Pick<UncountedUpload, 'isSandbox' | 'wish'>,
): Promise<UncountedUpload> {
  const { limits, db, files } = parts;
  const place = { ownerId, id: randomUUID() };
  const bytesMax = await reserveRoom(parts, place, Math.min(limits.bytesMax, file.bytesAtMost ?? Infinity));
  const store = { files, key: uploadKey(ownerId, place.id) };
  try {
    const stored = await storeBytes(store, withinLimit(file.bytes, bytesMax));
    const upload = { ...stored, id: place.id, fileKey: store.key, fileName: file.name, isSandbox, wish };
    await keepAlone(parts, { ownerId, ...upload, ...uncounted });
    return upload;
  } catch (error) {
    await releaseRoom(db, place);
    if (isTooLarge(error) && bytesMax < limits.bytesMax) throw new AppError('uploads_full');
    refuseFile(error);
  }
}

const uncounted = {
  kind: 'emails',
  reading: { encoding: 'utf-8', dialect: {}, suppressedHashes: null },
  rowCount: 0,
  billable: 0,
  billableBelowFirst: 0,
  hasRealDomain: false,
  screenedNumber: null,
  listId: null,
} as const;

const isTooLarge = (error: unknown): boolean =>
  (error instanceof AppError && error.code === 'file_too_large') ||
  (error instanceof RefusedFile && error.refusal.problem === 'file_too_large');

async function countText<Options, Counts>(
  { readingPool }: UploadParts,
  {
    ownerId,
    store,
    file: { signal },
    stored: { byteCount, bytes, encoding },
  }: { ownerId: AccountId; store: StoredFile; file: IncomingFile; stored: StoredText },
  { job, counting, screen: { answer } }: ScreenedReading<Options, Counts>,
): Promise<CountedText<Counts>> {
  try {
    const order = { source: { kind: 'text', encoding }, counting } as const;
    return await readingPool.read(job, { ownerId, byteCount, bytes, signal, answer }, order).result;
  } catch (error) {
    await store.files.remove(store.key);
    throw error;
  }
}

interface SheetToStore {
  readonly ownerId: AccountId;
  readonly store: StoredFile;
  readonly file: IncomingFile;
  readonly opened: { readonly handle: FileHandle; readonly byteCount: number };
  readonly bytesMax: number;
}

/** Stores the text of a sheet while the job counts it. */
async function storeSheet<Options, Counts>(
  { readingPool }: UploadParts,
  { ownerId, store, file, opened: { handle, byteCount }, bytesMax }: SheetToStore,
  { job, counting, screen: { answer } }: ScreenedReading<Options, Counts>,
): Promise<StoredBytes & CountedText<Counts> & { readonly encoding: FileEncoding }> {
  const source = { kind: 'workbook', fd: handle.fd, sheet: file.sheet, bytesMax } as const;
  const { output, result } = readingPool.read(
    job,
    { ownerId, byteCount, signal: file.signal, answer },
    { source, counting },
  );
  const stored = await storeBytes(store, output);
  return { ...stored, ...(await result), encoding: 'utf-8' };
}

function describeStored<Options, Counts extends UploadCounts<unknown>>(
  { ownerId, id }: { readonly ownerId: AccountId; readonly id: string },
  stored: StoredBytes & CountedText<Counts> & { readonly fileName: string; readonly encoding: FileEncoding },
  { kind, isSandbox, screen }: ScreenedReading<Options, Counts>,
): TakenUpload<Counts> {
  const { fileName, byteCount, contentHash, encoding, counts } = stored;
  const upload = {
    id,
    kind,
    fileName,
    fileKey: uploadKey(ownerId, id),
    byteCount,
    contentHash,
    isSandbox,
    ...pricedBy(counts, encoding, screen),
    listId: null,
  };
  return { upload, counts };
}

const pricedBy = <Counts extends UploadCounts<unknown>>(
  { dialect, billable, belowFirst, hasRealDomain, rowCount, suppressedHashes }: Counts,
  encoding: FileEncoding,
  { screenedNumber }: FileScreen,
) => ({
  billable,
  billableBelowFirst: belowFirst.billable,
  hasRealDomain,
  rowCount,
  screenedNumber,
  reading: { encoding, dialect, suppressedHashes },
});

/** Reads an upload again, as another call wants it, and keeps what that changes unless the upload has a list. */
export async function countAgain<Options, Counts extends UploadCounts<unknown>>(
  parts: Pick<UploadParts, 'db' | 'files' | 'readingPool'>,
  ownerId: AccountId,
  upload: Upload<Counts['dialect']>,
  {
    job,
    counting,
    signal,
    ...reading
  }: Omit<FileReading<Options, Counts>, 'kind' | 'isSandbox'> & {
    readonly signal: AbortSignal;
  },
): Promise<TakenUpload<Counts>> {
  const { db, readingPool } = parts;
  const { encoding } = upload.reading;
  const screen = await openScreenOf(reading, db);
  const file = { ...uploadedFile(parts, ownerId, upload), signal, answer: screen.answer };
  const { counts } = await readingPool.read(job, file, { source: { kind: 'text', encoding }, counting })
    .result;
  const priced = pricedBy(counts, encoding, screen);
  await changeReading(db, { ownerId, id: upload.id }, priced);
  return { upload: { ...upload, ...priced }, counts };
}

/** A file of the store, for a job. */
export const uploadedFile = (
  { files }: Pick<UploadParts, 'files'>,
  ownerId: AccountId,
  { fileKey, byteCount }: Pick<Upload<unknown>, 'fileKey' | 'byteCount'>,
): FileOrder => ({ ownerId, byteCount, bytes: files.read(fileKey) });

interface NewUpload extends Upload<unknown> {
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

async function keepAlone(parts: UploadParts, upload: NewUpload): Promise<void> {
  const { db, clock } = parts;
  try {
    await db.transaction().execute(async (tx) => {
      // First, as in deleting the account, so that the two never wait for each other.
      await keepAccount(tx, upload.ownerId);
      await keepUpload(tx, clock.now(), upload);
    });
  } catch (error) {
    await discardStored(parts, upload.ownerId, upload);
    throw error;
  }
}

/** Removes a stored file that did not become an upload. If the connection broke, it may have become one. */
export async function discardStored(
  { db, files }: Pick<UploadParts, 'db' | 'files'>,
  ownerId: AccountId,
  { id, fileKey }: Pick<Upload<unknown>, 'id' | 'fileKey'>,
): Promise<void> {
  const kept = await db
    .selectFrom('uploads')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (kept) return;
  // The file first: the sweep finds abandoned room, but no file that has neither room nor a row.
  await files.remove(fileKey);
  await releaseRoom(db, { ownerId, id });
}

/** Where the bytes of all uploads are in the file store. */
export const uploadsFolder = 'uploads';
export const uploadKey = (ownerId: AccountId, id: string): string => `${uploadsFolder}/${ownerId}/${id}`;

export const removeFilesOf = (files: FileStore, ownerId: AccountId): Promise<void> =>
  files.removeAll(`${uploadsFolder}/${ownerId}`);

export async function findUpload<Dialect>(
  { db, clock }: Pick<UploadParts, 'db' | 'clock'>,
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
async function changeReading(
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

/** Removes an upload and its file. */
export async function removeUpload(
  { db, files }: Pick<UploadParts, 'db' | 'files'>,
  { ownerId, id, fileKey }: { readonly ownerId: AccountId; readonly id: string; readonly fileKey: string },
): Promise<void> {
  // The file first: the next sweep finds a row without its file, but never a file without its row.
  await files.remove(fileKey);
  await db.deleteFrom('uploads').where('owner_id', '=', ownerId).where('id', '=', id).execute();
}
