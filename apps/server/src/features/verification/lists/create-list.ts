import type { ValidationList } from '@assay/contract';
import type { Pool } from 'pg';
import type { Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { FileStore } from '../../../platform/files/file-store.ts';
import {
  type IdempotentCall,
  rememberAnswer,
  TwinWasQuicker,
} from '../../../platform/idempotency/idempotency.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import type { ReadingPool } from '../../../platform/reading/index.ts';
import type { PayingKey } from '../../billing/index.ts';
import type { Availability } from '../../engine/index.ts';
import type { ListPlace } from '../../lists/index.ts';
import { claimUpload } from '../../uploads/index.ts';
import { keepUser } from '../../users/index.ts';
import { type EmailUpload, uploadedFile } from '../files/email-uploads.ts';
import { addressesPerCellMax } from '../files/messy-cell.ts';
import { countAsked } from '../metrics.store.ts';
import { fillAddressBlocks } from './address-blocks.ts';
import { type CopiedRows, copyRows } from './copy-rows.ts';
import { emailLists, listAnswer } from './email-lists.ts';
import { enqueueChunks } from './enqueue-chunks.ts';
import { newListId } from './large-lists.ts';
import { type DraftContents, discardDraft, insertDraft, publishDraft } from './lists.store.ts';
import { rowLinesJob } from './row-lines.ts';

export interface CreationParts {
  readonly db: Db;
  readonly pool: Pool;
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly files: FileStore;
  readonly readingPool: ReadingPool;
  readonly availability: Availability;
}

export interface NewList {
  readonly ownerId: string;
  readonly upload: EmailUpload;
  readonly name: string;
  readonly withHeaders: boolean;
  /** The scoped API key that orders it. */
  readonly apiKey?: PayingKey | undefined;
}

/**
 * Makes a list of an uploaded file. It first copies the rows to an invisible draft, which may take long. One short
 * transaction then publishes the list, enqueues its jobs and holds the credits. A crash leaves a draft for the sweep, but
 * no hold and no partial list.
 */
export async function createList(
  parts: CreationParts,
  list: NewList,
  call: IdempotentCall | null,
): Promise<ValidationList> {
  const { db, pool, clock } = parts;
  const madeId = list.upload.listId;
  if (madeId !== null) return answerMadeList(db, list, madeId);

  const place = { ownerId: list.ownerId, listId: newListId(list.upload.billable) };
  const { reading, isSandbox } = list.upload;
  const work = emailLists.workOf(place, { is_sandbox: isSandbox }, list.apiKey);
  // Before a million rows are copied for nothing. The hold decides in the end.
  await work.requireCredits(db, leastCreditsFor(list), clock.now());
  const { delimiter } = reading.dialect;
  const { name, upload } = list;
  await insertDraft(db, {
    ...place,
    name,
    fileName: upload.fileName,
    delimiter,
    isSandbox,
    now: clock.now(),
  });
  try {
    const order = { place, reading, withHeaders: list.withHeaders, emailsMax: upload.billable };
    const file = uploadedFile(parts, list.ownerId, upload);
    const copied = await copyRows(pool, place, parts.readingPool.read(rowLinesJob, file, order));
    if (copied === null) throw new OwnColumns();
    await fillAddressBlocks(db, place);
    if (copied.totalEmails === 0) throw new AppError('file_no_addresses');
    if (!isSandbox && copied.hasRealDomain) await parts.availability.require(db);
    return await publish(parts, { place, list, copied, call });
  } catch (error) {
    await discardDraft(db, place);
    if (error instanceof OwnColumns) return createList(parts, keepingColumns(list), call);
    if (error instanceof MadeMeanwhile) return answerMadeList(db, list, error.listId);
    throw error;
  }
}

/** Columns with our names hold values of the customer's, so they are the customer's own. */
class OwnColumns extends Error {}

function keepingColumns(list: NewList): NewList {
  const { reading } = list.upload;
  const dialect = { ...reading.dialect, ownColumns: [] };
  return { ...list, upload: { ...list.upload, reading: { ...reading, dialect } } };
}

/** Another call made a list of the same upload while this one copied rows. */
class MadeMeanwhile extends Error {
  readonly listId: string;
  constructor(listId: string) {
    super('A list was made of this upload meanwhile.');
    this.listId = listId;
  }
}

const answerMadeList = async (
  db: Db,
  { ownerId, upload }: NewList,
  listId: string,
): Promise<ValidationList> => listAnswer(await emailLists.requireMadeOf(db, { ownerId, listId }, upload.id));

function leastCreditsFor({ upload, withHeaders }: NewList): number {
  // The billable addresses include those of a first row that the customer may call a header.
  const isFirstRowCounted = upload.reading.dialect.emailColumnName === null;
  return upload.billable - (withHeaders && isFirstRowCounted ? addressesPerCellMax : 0);
}

interface Publication {
  readonly place: ListPlace;
  readonly list: NewList;
  readonly copied: CopiedRows;
  readonly call: IdempotentCall | null;
}

function publish(parts: CreationParts, { place, list, copied, call }: Publication): Promise<ValidationList> {
  const now = parts.clock.now();
  const { ownerId } = place;
  return parts.db.transaction().execute(async (tx) => {
    await keepUser(tx, ownerId);
    const madeId = await claimUpload(tx, 'uploads', { ...place, id: list.upload.id });
    if (madeId !== null) throw new MadeMeanwhile(madeId);
    return startDraft(parts.queue, tx, { place, contents: copied, call, now, apiKey: list.apiKey });
  });
}

interface DraftStart {
  readonly place: ListPlace;
  readonly contents: DraftContents & { readonly chunkCount: number };
  readonly call: IdempotentCall | null;
  readonly now: Date;
  readonly apiKey: PayingKey | undefined;
}

/** Publishes a draft whose rows are there: enqueues its chunks and holds its credits. */
export async function startDraft(
  queue: JobQueue,
  tx: Tx,
  { place, contents, call, now, apiKey }: DraftStart,
): Promise<ValidationList> {
  const published = await publishDraft(tx, place, contents);
  const work = emailLists.workOf(place, published, apiKey);
  const { totalEmails, chunkCount } = contents;
  await enqueueChunks(queue, tx, place, { ...published, chunkCount });
  const asked = { ownerId: place.ownerId, askedAt: published.created_at };
  await work.count(() => countAsked(tx, asked, totalEmails));
  await work.hold(tx, totalEmails, now);
  const answer = listAnswer(published);
  if (!(await rememberAnswer(tx, call, answer, now))) throw new TwinWasQuicker();
  return answer;
}
