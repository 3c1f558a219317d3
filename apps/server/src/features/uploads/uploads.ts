import { randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Clock } from '../../platform/clock.ts';
import type { FileEncoding } from '../../platform/csv/file-encoding.ts';
import type { Db } from '../../platform/database/database.ts';
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
import { releaseRoom, reserveRoom } from './upload-room.store.ts';
import {
  changeReading,
  forgetUpload,
  isKept,
  keepUpload,
  type NewUpload,
  type UncountedUpload,
  type Upload,
} from './uploads.store.ts';
import type { UploadKind } from './uploads.tables.ts';

export interface UploadParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly files: FileStore;
  readonly readingPool: ReadingPool;
  readonly limits: { readonly bytesMax: number; readonly storedBytesPerCustomer: number };
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
  if (await isKept(db, ownerId, id)) return;
  // The file first: the sweep finds abandoned room, but no file that has neither room nor a row.
  await files.remove(fileKey);
  await releaseRoom(db, { ownerId, id });
}

/** Where the bytes of all uploads are in the file store. */
export const uploadsFolder = 'uploads';
export const uploadKey = (ownerId: AccountId, id: string): string => `${uploadsFolder}/${ownerId}/${id}`;

export const removeFilesOf = (files: FileStore, ownerId: AccountId): Promise<void> =>
  files.removeAll(`${uploadsFolder}/${ownerId}`);

/** Removes an upload and its file. */
export async function removeUpload(
  { db, files }: Pick<UploadParts, 'db' | 'files'>,
  { ownerId, id, fileKey }: { readonly ownerId: AccountId; readonly id: string; readonly fileKey: string },
): Promise<void> {
  // The file first: the next sweep finds a row without its file, but never a file without its row.
  await files.remove(fileKey);
  await forgetUpload(db, ownerId, id);
}
