import { randomUUID } from 'node:crypto';
import { type GuessPreview, PEOPLE_FIELDS, type PeopleField } from '@assay/contract';
import type { Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { AccountId } from '../../../platform/ids.ts';
import type { FileOrder, ReadingPool } from '../../../platform/reading/index.ts';
import { lockForCounting } from '../../accounts/index.ts';
import {
  type IncomingFile,
  inOrder,
  keptMs,
  openIncoming,
  readWholeFile,
  refuseFile,
} from '../../uploads/index.ts';
import { type SheetChoice, sheetFields } from '../../uploads/reading.ts';
import type { GuessingLimits } from '../domain-limit.ts';
import type { PeopleColumns } from './people-columns.ts';
import { type FilePreview, type PeopleReading, previewPeopleJob } from './people-jobs.ts';

export interface UploadParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly readingPool: ReadingPool;
  readonly limits: Pick<GuessingLimits, 'rowsMax'>;
}

/** Files are read into memory, so they must be small: this is enough for five thousand people with many columns. */
export const peopleFileBytesMax = 4 * 1024 * 1024;
const uploadsPerCustomerMax = 20;

/** Reads a file, computes its price, and keeps it for a day. */
export async function previewPeople(
  parts: UploadParts,
  ownerId: AccountId,
  upload: IncomingFile,
  columns: PeopleColumns | null,
): Promise<GuessPreview> {
  const { text, preview, ...origin } = await readUpload(parts, ownerId, upload, columns).catch(refuseFile);
  const id = randomUUID();
  const now = parts.clock.now();
  await parts.db.transaction().execute(async (tx) => {
    await lockForCounting(tx, ownerId);
    await refuseTooMany(tx, ownerId);
    await tx
      .insertInto('guess_uploads')
      .values({
        owner_id: ownerId,
        id,
        file_name: upload.name,
        contents: text,
        columns: columns && JSON.stringify(columns),
        origin: JSON.stringify(origin),
        created_at: now,
        expires_at: new Date(now.getTime() + keptMs),
      })
      .execute();
  });
  return previewAnswer(id, origin, preview);
}

/** Reads an upload by other columns, and remembers them. */
export async function readOtherColumns(
  { db, clock, limits, readingPool }: UploadParts,
  ownerId: AccountId,
  id: string,
  columns: PeopleColumns | null,
  signal: AbortSignal,
): Promise<GuessPreview> {
  const upload = await findPeopleUpload(db, ownerId, id, clock.now());
  const { file, reading } = storedPeople({ ...upload, columns }, { ownerId, limits, signal });
  const { preview } = await readingPool.read(previewPeopleJob, file, reading).result;
  await db
    .updateTable('guess_uploads')
    .set({ columns: columns && JSON.stringify(columns) })
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .execute();
  return previewAnswer(id, upload.origin, preview);
}

/** The columns of a call, which count from 1 there. Null if the call names none. */
export function chosenColumns(
  fields: Readonly<Partial<Record<`${PeopleField}_column`, number>>>,
): PeopleColumns | null {
  const chosen = PEOPLE_FIELDS.flatMap((field) => {
    const number = fields[`${field}_column`];
    return number === undefined ? [] : [[field, number - 1] as const];
  });
  return chosen.length === 0 ? null : Object.fromEntries(chosen);
}

/** How the customer's file was written. */
export interface FileOrigin {
  readonly encoding: string;
  readonly workbook?: SheetChoice | undefined;
}

interface ReadUpload extends FileOrigin {
  readonly text: string;
  readonly preview: FilePreview;
}

/** Reads a file that arrives; of a workbook, the CSV of one sheet. */
async function readUpload(
  { readingPool, limits: { rowsMax } }: UploadParts,
  ownerId: AccountId,
  { sheet, signal, ...file }: IncomingFile,
  columns: PeopleColumns | null,
): Promise<ReadUpload> {
  const bytesMax = peopleFileBytesMax;
  const opened = await openIncoming(file, { bytesMax });
  if (opened.kind === 'workbook') {
    const { handle, byteCount } = opened;
    const source = { kind: 'workbook', fd: handle.fd, sheet, bytesMax } as const;
    const order = { ownerId, byteCount, signal };
    const { result } = readingPool.read(previewPeopleJob, order, { source, columns, rowsMax });
    return { ...(await result.finally(() => handle.close())), encoding: 'utf-8' };
  }
  const { bytes, encoding } = await readWholeFile(opened.bytes, { bytesMax });
  const source = { kind: 'text', encoding } as const;
  const order = { ownerId, byteCount: bytes.length, bytes: inOrder([bytes]), signal };
  return {
    ...(await readingPool.read(previewPeopleJob, order, { source, columns, rowsMax }).result),
    encoding,
  };
}

interface StoredPeople {
  readonly contents: string;
  /** Those that the customer chose. */
  readonly columns: PeopleColumns | null;
}

interface ReadingParts extends Pick<UploadParts, 'limits'> {
  readonly ownerId: AccountId;
  /** Aborts when the client is gone. */
  readonly signal?: AbortSignal;
}

/** The text of an upload, for a job. */
export function storedPeople(
  { contents, columns }: StoredPeople,
  { ownerId, limits: { rowsMax }, signal }: ReadingParts,
): { readonly file: FileOrder; readonly reading: PeopleReading } {
  const bytes = Buffer.from(contents);
  return {
    file: { ownerId, byteCount: bytes.length, bytes: inOrder([bytes]), signal },
    reading: { source: { kind: 'text', encoding: 'utf-8' }, columns, rowsMax },
  };
}

export async function findPeopleUpload(tx: Db, ownerId: AccountId, id: string, now: Date) {
  const upload = await tx
    .selectFrom('guess_uploads')
    .select(['file_name', 'contents', 'columns', 'origin'])
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (!upload) throw new AppError('upload_not_found', { uploadId: id });
  const { file_name: fileName, contents, columns, origin } = upload;
  return { fileName, contents, columns, origin: origin ?? { encoding: 'utf-8' } };
}

export async function removeUpload(
  { db }: Pick<UploadParts, 'db'>,
  ownerId: AccountId,
  id: string,
): Promise<void> {
  await db.deleteFrom('guess_uploads').where('owner_id', '=', ownerId).where('id', '=', id).execute();
}

export async function removeExpiredUploads({ db, clock }: Pick<UploadParts, 'db' | 'clock'>): Promise<void> {
  await db.deleteFrom('guess_uploads').where('expires_at', '<', clock.now()).execute();
}

async function refuseTooMany(db: Tx, ownerId: AccountId): Promise<void> {
  const { kept } = await db
    .selectFrom('guess_uploads')
    .select((row) => row.fn.countAll<number>().as('kept'))
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow();
  if (kept >= uploadsPerCustomerMax) throw new AppError('uploads_full');
}

function previewAnswer(
  uploadId: string,
  { encoding, workbook }: FileOrigin,
  { detected, ...preview }: FilePreview,
): GuessPreview {
  return {
    ...preview,
    upload_id: uploadId,
    detected: {
      ...(workbook ? sheetFields(workbook) : { format: 'csv' }),
      encoding,
      ...detected,
    },
  };
}
