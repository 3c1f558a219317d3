import { randomUUID } from 'node:crypto';
import type { GuessPreview } from '@assay/contract';
import type { Clock } from '../../../platform/clock.ts';
import { EncodingProbe } from '../../../platform/csv/file-encoding.ts';
import { BrokenQuoting, decodeText } from '../../../platform/csv/read-rows.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { lockCustomer } from '../../../platform/limits/index.ts';
import { RefusedFile, refuseFile } from '../../uploads/index.ts';
import type { GuessingLimits } from '../domain-limit.ts';
import type { PeopleField } from './people-columns.ts';
import { classifyPeople, isFirst, type PeopleFile, type PeopleRow, readPeopleFile } from './people-file.ts';

export interface UploadParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Pick<GuessingLimits, 'rowsMax'>;
}

/** Read whole into memory, so kept small: five thousand people with a good many columns beside them. */
export const peopleFileBytesMax = 4 * 1024 * 1024;
const keptMs = 24 * 3_600_000;
const uploadsPerCustomerMax = 20;

/** Takes a file in: reads it, says what it would cost, and remembers it for a day. */
export async function previewPeople(
  parts: UploadParts,
  ownerId: string,
  upload: { readonly name: string; readonly bytes: AsyncIterable<Buffer> },
): Promise<GuessPreview> {
  const { text, encoding } = await readUpload(upload.bytes).catch(refuseFile);
  const file = await readPeople(text, parts.limits);
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
        created_at: now,
        expires_at: new Date(now.getTime() + keptMs),
      })
      .execute();
  });
  return previewAnswer(id, encoding, file);
}

/** The people of a text; refuses one without any, and one with too many. */
export async function readPeople(text: string, { rowsMax }: UploadParts['limits']): Promise<PeopleFile> {
  const file = await readPeopleFile(text).catch((error: unknown) => {
    if (!(error instanceof BrokenQuoting)) throw error;
    return refuseFile(new RefusedFile({ problem: 'file_broken_quoting', row: error.row }));
  });
  if (!file) throw new AppError('guess_file_no_people');
  if (file.rows.length > rowsMax) refuseFile(new RefusedFile({ problem: 'file_too_many_rows', rowsMax }));
  return file;
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

async function readUpload(bytes: AsyncIterable<Buffer>) {
  const probe = new EncodingProbe();
  const chunks: Buffer[] = [];
  let byteCount = 0;
  for await (const chunk of bytes) {
    byteCount += chunk.length;
    if (byteCount > peopleFileBytesMax) {
      throw new RefusedFile({ problem: 'file_too_large', bytesMax: peopleFileBytesMax });
    }
    probe.push(chunk);
    chunks.push(chunk);
  }
  if (byteCount === 0) throw new RefusedFile({ problem: 'file_empty' });
  const found = probe.finish();
  if (found.kind === 'not_text')
    throw new RefusedFile({ problem: 'file_not_text', looksLike: found.looksLike });
  const text = (await Array.fromAsync(decodeText(inOrder(chunks), found.encoding))).join('');
  if (text.trim() === '') throw new RefusedFile({ problem: 'file_empty' });
  return { text, encoding: found.encoding };
}

async function* inOrder(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
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

function previewAnswer(uploadId: string, encoding: string, file: PeopleFile): GuessPreview {
  const withHeaders = metricsOf(classifyPeople(file, { withHeaders: true }));
  const withoutHeaders = metricsOf(classifyPeople(file, { withHeaders: false }));
  // The first row is counted too, so that this is the most that can be charged whatever is said about headers. One that
  // names the columns is nobody who was left out.
  const { billable, duplicated } = withoutHeaders;
  const { non_billable } = file.hasHeaderRow ? withHeaders : withoutHeaders;
  const [head = []] = file.rows;
  const fields = Object.entries(file.columns) as [PeopleField, number][];
  return {
    total_credits: billable,
    metrics: { billable, non_billable, duplicated },
    metrics_with_headers: withHeaders,
    metrics_without_headers: withoutHeaders,
    upload_id: uploadId,
    detected: {
      encoding,
      delimiter: file.format.delimiter,
      columns: fields.map(([field, column]) => ({
        field,
        column: (file.hasHeaderRow ? head[column]?.trim() : undefined) || String(column + 1),
      })),
      has_header_row: file.hasHeaderRow,
      rows: file.rows.length,
    },
  };
}
