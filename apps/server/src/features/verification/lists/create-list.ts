import type { ValidationList } from '@assay/contract';
import type { Pool } from 'pg';
import type { Clock } from '../../../platform/clock.ts';
import { runOnClient } from '../../../platform/database/client-transaction.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import type { FileStore } from '../../../platform/files/file-store.ts';
import type { IdempotentCall } from '../../../platform/idempotency/idempotency.ts';
import type { AccountId } from '../../../platform/ids.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import type { ReadingPool } from '../../../platform/reading/index.ts';
import { keepAccount } from '../../accounts/index.ts';
import type { PayingKey } from '../../billing/index.ts';
import type { Availability } from '../../engine/index.ts';
import {
  claimPricedUpload,
  claimUpload,
  keepUpload,
  removeUpload,
  type UncountedUpload,
} from '../../uploads/index.ts';
import type { EmailUpload } from '../files/email-uploads.ts';
import { newListId } from '../rows/large-lists.store.ts';
import { withRowLines } from './copy-rows.ts';
import { emailCountOf, noAddresses } from './email-count.ts';
import { emailLists, listAnswer } from './email-lists.ts';
import { fillFromFile } from './fill-list.ts';
import { type Fill, fillLater, startList } from './start-list.ts';

export interface CreationParts {
  readonly db: Db;
  readonly pool: Pool;
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly files: FileStore;
  readonly readingPool: ReadingPool;
  readonly availability: Availability;
}

export interface NewList<Upload = EmailUpload> {
  readonly ownerId: AccountId;
  readonly upload: Upload;
  /** The file is stored, and the upload is kept together with the list. */
  readonly isNew?: boolean;
  readonly name: string;
  readonly withHeaders: boolean;
  /** The scoped API key that orders it. */
  readonly apiKey?: PayingKey | undefined;
}

/** About 20,000 rows, which a call copies within a second. Too few for a large list, which has partitions of its own. */
const fileBytesAtOnceMax = 500_000;

/**
 * Makes a list of an uploaded file, in one transaction: a crash leaves nothing. The preview has counted what it costs, so a
 * job can copy the rows of a long file later.
 */
export async function createList(
  parts: CreationParts,
  list: NewList,
  call: IdempotentCall | null,
): Promise<ValidationList> {
  const { db, pool, clock, queue } = parts;
  const { ownerId, upload, withHeaders, apiKey } = list;
  if (upload.listId !== null) return answerMadeList(db, list, upload.listId);

  const totalEmails = emailCountOf(upload, withHeaders);
  if (totalEmails === 0) throw noAddresses(upload);
  const place = { ownerId, listId: newListId(upload.billable) };
  const { isSandbox, hasRealDomain } = upload;
  const now = clock.now();
  const work = emailLists.results.workOf(place, { is_sandbox: isSandbox }, apiKey);

  const row = {
    ...place,
    name: list.name,
    fileName: upload.fileName,
    delimiter: upload.reading.dialect.delimiter,
    isSandbox,
    withHeaders,
    totalEmails,
    rowsToCopy: upload.rowCount - (withHeaders ? 1 : 0),
    hasRealDomain: hasRealDomain ?? false,
    now,
  };
  const start = async (tx: Tx, fill: Fill) => {
    await keepAccount(tx, ownerId);
    if (list.isNew) await keepUpload(tx, now, { ...upload, ownerId, listId: place.listId });
    const madeId = list.isNew ? null : await claimPricedUpload(tx, place, upload);
    if (madeId !== null) return answerMadeList(tx, list, madeId);
    // Before rows are copied for nothing. The hold decides in the end.
    await work.requireCredits(tx, totalEmails, now);
    if (!isSandbox && hasRealDomain) await parts.availability.require(tx);
    return startList(tx, { list: row, call, apiKey }, fill);
  };
  if (upload.byteCount > fileBytesAtOnceMax)
    return db.transaction().execute((tx) => start(tx, fillLater(queue, tx)));
  return withRowLines(parts, { place, upload, withHeaders }, (lines) =>
    runOnClient(pool, (tx, client) => start(tx, fillFromFile({ tx, client, queue }, lines))),
  );
}

/** About as many bytes as an address has in a file, which tells how large a list may become. */
const bytesPerEmail = 40;

/**
 * Makes a list of a long file that came with the call. A job counts it and holds what it costs; until then the list holds the
 * one credit that it costs at least.
 */
export async function createUncountedList(
  { db, clock, queue, files }: CreationParts,
  { ownerId, upload, withHeaders, name, apiKey }: NewList<UncountedUpload>,
  call: IdempotentCall | null,
): Promise<ValidationList> {
  const { isSandbox, fileName, byteCount } = upload;
  const place = { ownerId, listId: newListId(byteCount / bytesPerEmail) };
  const uncounted = { totalEmails: 0, rowsToCopy: 0, hasRealDomain: false, delimiter: ',' };
  const row = { ...place, ...uncounted, name, fileName, isSandbox, withHeaders, now: clock.now() };
  try {
    return await db.transaction().execute(async (tx) => {
      await keepAccount(tx, ownerId);
      await claimUpload(tx, { ...place, id: upload.id });
      return startList(tx, { list: row, call, apiKey }, fillLater(queue, tx));
    });
  } catch (error) {
    await removeUpload({ db, files }, { ownerId, ...upload });
    throw error;
  }
}

const answerMadeList = async (
  db: Db,
  { ownerId, upload }: NewList,
  listId: string,
): Promise<ValidationList> =>
  listAnswer(await emailLists.answers.requireMadeOf(db, { ownerId, listId }, upload.id));
