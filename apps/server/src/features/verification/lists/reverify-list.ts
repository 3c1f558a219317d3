import type { ValidationList } from '@assay/contract';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { IdempotentCall } from '../../../platform/idempotency/idempotency.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import type { PayingKey } from '../../billing/index.ts';
import type { Availability } from '../../engine/index.ts';
import { type ListPlace, nameOfUnknowns } from '../../lists/index.ts';
import { keepUser } from '../../users/index.ts';
import { fillAddressBlocks } from './address-blocks.ts';
import { copyUnknownRows, cutChunks } from './copy-unknown-rows.ts';
import { startDraft } from './create-list.ts';
import { emailLists } from './email-lists.ts';
import { newListId } from './large-lists.ts';
import { discardDraft, findLayout, insertDraft } from './lists.store.ts';

interface ReverifyParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly availability: Availability;
}

/**
 * Makes a new list of the unknown rows of a complete one, with their other cells and duplicates. As with a file, it first
 * copies the rows to an invisible draft.
 */
export async function reverifyList(
  { db, clock, queue, availability }: ReverifyParts,
  source: ListPlace,
  call: IdempotentCall | null,
  apiKey?: PayingKey,
): Promise<ValidationList> {
  const list = await emailLists.requireComplete(db, source);
  if (list.unknown_emails === 0) throw new AppError('list_nothing_unknown', { listId: list.id });
  const place = { ownerId: source.ownerId, listId: newListId(list.unknown_emails) };
  // Before a million rows are copied for nothing. The hold decides in the end.
  await emailLists.workOf(place, list, apiKey).requireCredits(db, list.unknown_emails, clock.now());
  const { delimiter, ...layout } = await findLayout(db, source);
  const { is_sandbox: isSandbox } = list;
  await insertDraft(db, {
    ...place,
    name: nameOfUnknowns(list.name),
    fileName: list.file_name,
    delimiter,
    isSandbox,
    sourceListId: list.id,
    now: clock.now(),
  });
  try {
    const copied = await copyUnknownRows(db, { source, copy: place });
    // The list was deleted meanwhile.
    if (copied.totalEmails === 0) throw new AppError('list_not_found', { listId: list.id });
    if (!isSandbox && copied.hasRealDomain) await availability.require(db);
    await fillAddressBlocks(db, place);
    const chunkCount = await cutChunks(db, place);
    const contents = {
      header: layout.header,
      columnCount: layout.column_count,
      emailColumn: layout.email_column,
      isEven: layout.is_even,
      duplicated: copied.duplicated,
      malformed: 0,
      missing: 0,
      totalEmails: copied.totalEmails,
      hasRealDomain: copied.hasRealDomain,
      chunkCount,
    };
    return await db.transaction().execute(async (tx) => {
      await keepUser(tx, place.ownerId);
      // Rows are removed only after their list, so the copy is complete if the list still exists.
      await emailLists.lockComplete(tx, source);
      return startDraft(queue, tx, { place, contents, call, now: clock.now(), apiKey });
    });
  } catch (error) {
    await discardDraft(db, place);
    throw error;
  }
}
