import { type GuessPreview, PEOPLE_FIELDS, type PeopleField } from '@assay/contract';
import type { AccountId } from '../../../platform/ids.ts';
import type { FileOrder } from '../../../platform/reading/index.ts';
import {
  countAgain,
  findUpload,
  type IncomingFile,
  type TakenUpload,
  takeUpload,
  type Upload,
  type UploadParts,
  uploadedFile,
} from '../../uploads/index.ts';
import { type SheetChoice, sheetFields } from '../../uploads/reading.ts';
import type { GuessingLimits } from '../domain-limit.ts';
import type { PeopleColumns } from './people-columns.ts';
import {
  type PeopleCounts,
  type PeopleDialect,
  type PeopleReading,
  previewPeopleJob,
} from './people-jobs.ts';

export interface PeopleUploadParts extends Omit<UploadParts, 'limits'> {
  readonly limits: Pick<GuessingLimits, 'rowsMax'> & Pick<UploadParts['limits'], 'storedBytesPerCustomer'>;
}

/** Files are read into memory, so they must be small: this is enough for five thousand people with many columns. */
export const peopleFileBytesMax = 4 * 1024 * 1024;

/** Reads a file, computes its price, and keeps it for a day. */
export const takePeopleFile = (
  { limits, ...parts }: PeopleUploadParts,
  ownerId: AccountId,
  file: IncomingFile,
  columns: PeopleColumns | null,
): Promise<TakenUpload<PeopleCounts>> =>
  takeUpload({ ...parts, limits: { ...limits, bytesMax: peopleFileBytesMax } }, ownerId, file, {
    kind: 'people',
    isSandbox: false,
    ...readingOf(limits, { columns }),
  });

/** Reads an upload by other columns, and remembers them. */
export async function readOtherColumns(
  parts: PeopleUploadParts,
  ownerId: AccountId,
  id: string,
  columns: PeopleColumns | null,
  signal: AbortSignal,
): Promise<TakenUpload<PeopleCounts>> {
  const upload = await findPeopleUpload(parts, ownerId, id);
  const { workbook } = upload.reading.dialect;
  return countAgain(parts, ownerId, upload, { ...readingOf(parts.limits, { columns, workbook }), signal });
}

const readingOf = (
  { rowsMax }: PeopleUploadParts['limits'],
  {
    columns,
    workbook,
  }: { readonly columns: PeopleColumns | null; readonly workbook?: SheetChoice | undefined },
) => ({ job: previewPeopleJob, counting: { columns, workbook, rowsMax } });

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

export const findPeopleUpload = (
  parts: Pick<UploadParts, 'db' | 'clock'>,
  ownerId: AccountId,
  id: string,
): Promise<Upload<PeopleDialect>> =>
  findUpload(parts, { kind: 'people', ownerId, id }, (stored) => stored as PeopleDialect);

/** An upload for a job. `signal` aborts when the client is gone. */
export async function openPeopleUpload(
  parts: PeopleUploadParts,
  ownerId: AccountId,
  id: string,
  signal?: AbortSignal,
): Promise<{ readonly fileName: string; readonly file: FileOrder; readonly reading: PeopleReading }> {
  const upload = await findPeopleUpload(parts, ownerId, id);
  const { encoding, dialect } = upload.reading;
  return {
    fileName: upload.fileName,
    file: { ...uploadedFile(parts, ownerId, upload), signal },
    reading: {
      source: { kind: 'text', encoding },
      columns: dialect.columns,
      rowsMax: parts.limits.rowsMax,
    },
  };
}

export function previewAnswer({ upload, counts }: TakenUpload<PeopleCounts>): GuessPreview {
  const { detected, ...preview } = counts.preview;
  const { encoding, dialect } = upload.reading;
  return {
    ...preview,
    upload_id: upload.id,
    detected: {
      ...(dialect.workbook ? sheetFields(dialect.workbook) : { format: 'csv' }),
      encoding,
      ...detected,
    },
  };
}
