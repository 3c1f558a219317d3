import { randomUUID } from 'node:crypto';
import { type GuessPreview, PEOPLE_FIELDS, type PeopleField } from '@assay/contract';
import type { Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { lockCustomer } from '../../../platform/limits/index.ts';
import {
  type IncomingFile,
  keptMs,
  openIncoming,
  previewMetrics,
  previewRows,
  RefusedFile,
  readWholeText,
  refuseFile,
  type SheetChoice,
} from '../../uploads/index.ts';
import type { GuessingLimits } from '../domain-limit.ts';
import { excludedExamples } from './excluded-people.ts';
import { hasPeople, type PeopleColumns } from './people-columns.ts';
import { classifyPeople, isFirst, type PeopleFile, type PeopleRow, readPeopleFile } from './people-file.ts';

export interface UploadParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Pick<GuessingLimits, 'rowsMax'>;
}

/** Files are read into memory, so they must be small: this is enough for five thousand people with many columns. */
export const peopleFileBytesMax = 4 * 1024 * 1024;
const uploadsPerCustomerMax = 20;
const firstRowsMax = 6;

/** Reads a file, computes its price, and keeps it for a day. */
export async function previewPeople(
  parts: UploadParts,
  ownerId: string,
  upload: IncomingFile,
  columns: PeopleColumns | null,
): Promise<GuessPreview> {
  const { text, ...origin } = await readUpload(upload).catch(refuseFile);
  const file = await readPeople({ contents: text, columns }, parts.limits);
  const id = randomUUID();
  const now = parts.clock.now();
  await parts.db.transaction().execute(async (tx) => {
    await lockCustomer(tx, ownerId);
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
  return previewAnswer(id, origin, file);
}

/** Reads an upload by other columns, and remembers them. */
export async function readOtherColumns(
  { db, clock, limits }: UploadParts,
  ownerId: string,
  id: string,
  columns: PeopleColumns | null,
): Promise<GuessPreview> {
  const upload = await findPeopleUpload(db, ownerId, id, clock.now());
  const file = await readPeople({ ...upload, columns }, limits);
  await db
    .updateTable('guess_uploads')
    .set({ columns: columns && JSON.stringify(columns) })
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .execute();
  return previewAnswer(id, upload.origin, file);
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

/** The text of a file; of a workbook, the CSV of one sheet. */
async function readUpload(upload: IncomingFile): Promise<FileOrigin & { readonly text: string }> {
  const limits = { bytesMax: peopleFileBytesMax };
  const opened = await openIncoming(upload, limits, isOfPeople);
  try {
    return { ...(await readWholeText(opened.bytes, limits)), workbook: opened.workbook };
  } finally {
    opened.close();
  }
}

/** A sample may be cut within a quoted cell. */
const isOfPeople = async (sample: string): Promise<boolean> =>
  (await readPeopleFile(sample).catch(() => null)) !== null;

interface PeopleText {
  readonly contents: string;
  /** Those that the customer chose. */
  readonly columns: PeopleColumns | null;
}

/** The people of a text. Refuses a text without people or with too many. */
export async function readPeople(
  { contents, columns }: PeopleText,
  { rowsMax }: UploadParts['limits'],
): Promise<PeopleFile> {
  if (columns && !hasPeople(columns)) throw new AppError('guess_file_no_people');
  const file = await readPeopleFile(contents, columns ?? undefined).catch(refuseFile);
  if (!file) throw new AppError('guess_file_no_people');
  const peopleCount = file.rows.length - (file.hasHeaderRow ? 1 : 0);
  if (peopleCount > rowsMax) refuseFile(new RefusedFile({ problem: 'file_too_many_rows', rowsMax }));
  return file;
}

export async function findPeopleUpload(tx: Db, ownerId: string, id: string, now: Date) {
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
  ownerId: string,
  id: string,
): Promise<void> {
  await db.deleteFrom('guess_uploads').where('owner_id', '=', ownerId).where('id', '=', id).execute();
}

export async function removeExpiredUploads({ db, clock }: Pick<UploadParts, 'db' | 'clock'>): Promise<void> {
  await db.deleteFrom('guess_uploads').where('expires_at', '<', clock.now()).execute();
}

async function refuseTooMany(db: Tx, ownerId: string): Promise<void> {
  const { kept } = await db
    .selectFrom('guess_uploads')
    .select((row) => row.fn.countAll<number>().as('kept'))
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow();
  if (kept >= uploadsPerCustomerMax) throw new AppError('uploads_full');
}

function metricsOf(rows: readonly PeopleRow[]): GuessPreview['metrics'] {
  const billable = rows.filter(isFirst).length;
  const non_billable = rows.filter(({ problem }) => problem !== null).length;
  return { billable, non_billable, duplicated: rows.length - billable - non_billable };
}

function previewAnswer(uploadId: string, { encoding, workbook }: FileOrigin, file: PeopleFile): GuessPreview {
  const metrics = {
    withHeaders: metricsOf(classifyPeople(file, { withHeaders: true })),
    withoutHeaders: metricsOf(classifyPeople(file, { withHeaders: false })),
  };
  const [head = []] = file.rows;
  const fields = Object.entries(file.columns) as [PeopleField, number][];
  return {
    total_credits: metrics.withoutHeaders.billable,
    ...previewMetrics(metrics, file.hasHeaderRow),
    upload_id: uploadId,
    detected: {
      ...(workbook ? { format: 'xlsx', ...workbook, sheets: [...workbook.sheets] } : { format: 'csv' }),
      encoding,
      delimiter: file.format.delimiter,
      columns: fields.map(([field, column]) => ({
        field,
        column: (file.hasHeaderRow ? head[column]?.trim() : undefined) || String(column + 1),
        number: column + 1,
      })),
      has_header_row: file.hasHeaderRow,
      rows: file.rows.length,
    },
    first_rows: previewRows(file.rows.slice(0, firstRowsMax)),
    excluded: excludedExamples(file),
  };
}
